import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "@ts-morph/common";
import { expect, test, vi } from "vitest";
import { languageOf } from "./languages/languages.ts";
import { tell } from "./oracle.suite.ts";
import { extract } from "./syntax/extract.ts";

// Whole libraries are compared: that takes as long as the machine needs.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const packages = join(import.meta.dirname, "../../node_modules");

test.each(["zod/src", "ai/src", "@ai-sdk/provider-utils/src"])(
  "the outline of %s is what the TypeScript compiler sees",
  async (folder) => {
    const missed: string[] = [];
    const invented: string[] = [];
    let agreed = 0;
    for (const path of sourcesOf(join(packages, folder))) {
      const language = languageOf(path);
      if (!language) continue;
      const source = readFileSync(path, "utf8");
      const ours = new Set((await extract(source, language)).declarations.map((d) => `${d.line} ${d.name}`));
      const theirs = declaredIn(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true));
      for (const one of theirs) {
        if (ours.has(one)) agreed++;
        else missed.push(`${path}:${one}`);
      }
      for (const one of ours) if (!theirs.has(one)) invented.push(`${path}:${one}`);
    }
    tell("outline", `of ${folder}`, agreed, missed.length, invented.length);
    expect(agreed).toBeGreaterThan(500);
    expect(agreed / (agreed + missed.length), missed.slice(0, 10).join("\n")).toBeGreaterThanOrEqual(0.99);
    expect(agreed / (agreed + invented.length), invented.slice(0, 10).join("\n")).toBeGreaterThanOrEqual(
      0.99,
    );
  },
);

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file));
}

/** Everything an outline should name: functions, types, members, and variables outside functions or holding a function. */
function declaredIn(file: ts.SourceFile): Set<string> {
  const found = new Set<string>();
  const add = (name: ts.Node) => {
    const line = file.getLineAndCharacterOfPosition(name.getStart(file)).line + 1;
    found.add(`${line} ${name.getText(file).replace(/^["'`]|["'`]$/g, "")}`);
  };
  const bindings = (name: ts.BindingName) => {
    if (ts.isIdentifier(name)) add(name);
    else for (const element of name.elements) if (ts.isBindingElement(element)) bindings(element.name);
  };
  const visit = (node: ts.Node, inFunction: boolean): void => {
    if (ts.isVariableDeclaration(node) && !ts.isCatchClause(node.parent)) {
      const value = node.initializer;
      if (
        !inFunction ||
        (value && ts.isIdentifier(node.name) && (isFunction(value) || ts.isClassExpression(value)))
      ) {
        if (!isLoop(node.parent.parent)) bindings(node.name);
      }
    } else if (ts.isPropertyAssignment(node)) {
      const isNamedKey = ts.isIdentifier(node.name) || ts.isStringLiteral(node.name);
      if (
        (isFunction(node.initializer) && !ts.isComputedPropertyName(node.name)) ||
        (isNamedKey && isOfConstant(node))
      )
        add(node.name);
    } else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      if (
        ts.isPropertyAccessExpression(node.left) &&
        (isFunction(node.right) || ts.isClassExpression(node.right))
      )
        add(node.left.name);
    } else if (ts.isParameter(node)) {
      if (
        ts.getModifiers(node)?.some((m) => m.kind !== ts.SyntaxKind.OverrideKeyword) &&
        ts.isIdentifier(node.name)
      )
        add(node.name);
    } else if (ts.isPropertySignature(node)) {
      if (ts.isInterfaceDeclaration(node.parent) || isOfAlias(node.parent)) add(node.name);
    } else if (ts.isConstructorDeclaration(node)) {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
      found.add(`${line} constructor`);
    } else if (isNamed(node) && node.name) add(node.name);
    const enters =
      isFunction(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isConstructorDeclaration(node) ||
      ts.isAccessor(node) ||
      ts.isClassStaticBlockDeclaration(node);
    ts.forEachChild(node, (child) => visit(child, inFunction || enters));
  };
  visit(file, false);
  return found;
}

const isFunction = (node: ts.Node) => ts.isArrowFunction(node) || ts.isFunctionExpression(node);

/** A key of an object that a constant of the file holds, or of an object right in that. */
function isOfConstant({ parent: object }: ts.PropertyAssignment): boolean {
  const isInner = ts.isPropertyAssignment(object.parent) && ts.isObjectLiteralExpression(object);
  let around: ts.Node = isInner ? object.parent.parent.parent : object.parent;
  while (ts.isAsExpression(around) || ts.isSatisfiesExpression(around)) around = around.parent;
  return (
    ts.isVariableDeclaration(around) &&
    (around.parent.flags & ts.NodeFlags.Const) !== 0 &&
    ts.isSourceFile(around.parent.parent.parent)
  );
}

/** The type of an object that has another name, alone or as a part of unions and intersections. */
function isOfAlias({ parent }: ts.Node): boolean {
  let around = parent;
  while (
    ts.isUnionTypeNode(around) ||
    ts.isIntersectionTypeNode(around) ||
    ts.isParenthesizedTypeNode(around)
  )
    around = around.parent;
  return ts.isTypeAliasDeclaration(around);
}

const isLoop = (node: ts.Node) => ts.isForOfStatement(node) || ts.isForInStatement(node);

function isNamed(node: ts.Node): node is ts.Node & { name?: ts.Node } {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isEnumMember(node) ||
    ts.isModuleDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isAccessor(node) ||
    ts.isPropertyDeclaration(node)
  );
}
