import type { Node, QueryMatch, Tree } from "web-tree-sitter";
import { type Kind, type Language, typeKinds } from "../languages/language.ts";
import { onceAsField, onceAssigned, without } from "./assignments.ts";
import {
  argumentsOf,
  lastPart,
  ownerName,
  plainName,
  spaceBefore,
  typeName,
  typesRenamedBy,
  withoutSign,
} from "./declared-names.ts";
import { type Findings, oncePerName, sortOut } from "./findings.ts";
import { namesInFormats } from "./format-texts.ts";
import { grammarOf } from "./grammar.ts";
import { limitOf, stopped } from "./parse-limit.ts";
import { quietInside, quietRanges, quietTakenOut } from "./quiet-ranges.ts";
import { lookAgain } from "./second-look.ts";
import { lineFinder, signatureOf } from "./signature.ts";
import type { Declaration, FileSyntax, Local } from "./syntax.ts";

/** Languages of which a text was parsed in this process. */
const compiled = new Set<string>();
const compilingLimitMs = 5_000;
const errorLimitMs = 200;
const usualLength = 200_000;

/**
 * The syntax of one source text. Parsing stops after `limitMs` of work with TOO_LARGE: some texts (minified, generated)
 * take the parser very long, and nobody reads an outline of them. It stops with UNAVAILABLE where the machine was too busy
 * to do that much work in a reasonable time: another try may succeed.
 */
export async function extract(source: string, language: Language, limitMs = 5_000): Promise<FileSyntax> {
  const { parser, query } = await grammarOf(language);
  // The first text of a language is parsed while the grammar is being compiled: that is no sign of a large file.
  const isCompiling = !compiled.has(language.name) && source.length < usualLength;
  const limit = limitOf(isCompiling ? Math.max(limitMs, compilingLimitMs) : limitMs);
  const late = () => limit() !== undefined;
  const text = language.prepare?.(source) ?? source;
  const parse = (one: string) => parser.parse(one, null, { progressCallback: late });
  const whole = parse(text);
  if (!whole) {
    parser.reset();
    throw stopped(limit(), source, language);
  }
  const matches = (root: Node) => query.matches(root, { progressCallback: late });
  const trees = whole.rootNode.hasError ? withBranches(whole, text, language, parse) : [whole];
  const found: QueryMatch[] = [];
  for (const { rootNode } of [...trees]) {
    const first = matches(rootNode);
    const second = lookAgain(rootNode, first, { parser, text, matches, late });
    // Not spread: a call takes no more than some ten thousand arguments.
    for (const match of first) found.push(match);
    for (const match of second.matches) found.push(match);
    trees.push(...second.trees);
  }
  try {
    // A query that was stopped has only some of the matches.
    const reason = limit();
    if (reason) throw stopped(reason, source, language);
    compiled.add(language.name);
    return assemble(sortOut(found), { source, text }, language, trees[0]?.rootNode);
  } finally {
    for (const one of trees) one.delete();
  }
}

/** The first line that the grammar does not understand; null if none. Undefined where nothing was parsed with it yet. */
export async function firstErrorLine(source: string, language: Language): Promise<number | null | undefined> {
  if (!compiled.has(language.name)) return undefined;
  const { parser } = await grammarOf(language);
  const limit = limitOf(errorLimitMs);
  const options = { progressCallback: () => limit() !== undefined };
  const tree = parser.parse(language.prepare?.(source) ?? source, null, options);
  if (!tree) parser.reset();
  const at = tree && firstErrorIn(tree.rootNode);
  tree?.delete();
  return at === null ? undefined : Number.isFinite(at) ? source.slice(0, at).split("\n").length : null;
}

/** A text with syntax errors as two texts, where that leaves fewer of them: one with a branch of each condition, and the rest. */
function withBranches(
  whole: Tree,
  text: string,
  language: Language,
  parse: (text: string) => Tree | null,
): Tree[] {
  const branches = language.oneBranch?.(text);
  const one = branches && parse(branches.text);
  if (!one) return [whole];
  const rest = errorsIn(one.rootNode) < errorsIn(whole.rootNode) ? parse(branches.rest) : null;
  (rest ? whole : one).delete();
  return rest ? [one, rest] : [whole];
}

/** How much a tree does not understand. */
const errorsIn = (root: Node) =>
  root
    .descendantsOfType("ERROR")
    .reduce((sum, error) => sum + 1 + (error ? error.endIndex - error.startIndex : 0), 0);

/** Where the text stops being understood. */
function firstErrorIn(root: Node | undefined): number {
  let node = root?.hasError ? root : undefined;
  if (!node) return Number.POSITIVE_INFINITY;
  while (node && !node.isError && !node.isMissing) {
    const inner: Node | undefined =
      node.children.find((child) => child?.hasError || child?.isMissing) ?? undefined;
    if (!inner) break;
    node = inner;
  }
  return node.startIndex;
}

function assemble(
  found: Findings,
  { source, text }: { source: string; text: string },
  language: Language,
  root: Node | undefined,
): FileSyntax {
  const lineOf = lineFinder(source);
  const { scopes, declaring } = found;
  scopes.sort();
  declaring.sort();
  const locals: Local[] = [];
  const addLocal = (name: string, at: number, scope: readonly [number, number] | undefined) => {
    const bare = withoutSign(name, language);
    if (scope) locals.push([bare, at + name.length - bare.length, scope[0], scope[1]]);
  };
  /** Where a variable holds: from the end of its declaration on, where the language has it so. */
  const placeOfVariable = (at: number, scope: readonly [number, number] | undefined) => {
    const declaration = scope && declaring.around(at);
    const isWithin = declaration && declaration[0] >= scope[0] && declaration[1] <= scope[1];
    return isWithin ? ([declaration[1], scope[1]] as const) : scope;
  };
  for (const { node, always, until } of found.bound) {
    const { startIndex: at } = node;
    if (always || scopes.inFunction(at)) {
      const around = scopes.around(at);
      addLocal(node.text, at, placeOfVariable(at, around && until ? [around[0], until] : around));
    } else found.declared.push({ kind: "var", name: node, node, hoisted: false, alias: false });
  }

  const declarations: Declaration[] = [];
  const inherits = new Map<string, FileSyntax["inherits"][number]>();
  // The raw declarations open at this place, outermost first; `index` is -1 for what is no symbol itself.
  const open: { start: number; end: number; path: string; index: number; kind: Kind | "impl" }[] = [];
  const supers = found.supers.sort((a, b) => a.startIndex - b.startIndex);
  let nextSuper = 0;
  const inheritUpTo = (offset: number) => {
    for (; nextSuper < supers.length; nextSuper++) {
      const parent = supers[nextSuper] as Node;
      if (parent.startIndex >= offset) return;
      const child = open.findLast(
        (o) =>
          o.end > parent.startIndex && (o.kind === "impl" || o.kind === "module" || typeKinds.has(o.kind)),
      );
      const [name, space] = [typeName(parent.text), spaceBefore(parent.text)];
      const nameless = innermostAt(found.anonymous, parent.startIndex);
      if (!name) continue;
      if (nameless && nameless.startIndex >= (child?.start ?? 0)) {
        const { startIndex: start, endIndex: end } = nameless;
        const line = lineOf(start);
        inherits.set(`${start}<${name}`, {
          child: headOf(nameless),
          parent: name,
          line,
          anonymous: [start, end],
        });
        continue;
      }
      if (!child) continue;
      // Functions of one file may each have a type of the name.
      const key = `${child.kind === "impl" ? child.path : child.start}<${name}`;
      if (inherits.has(key)) continue;
      const [line, of] = [lineOf(parent.startIndex), lastPart(child.path)];
      const filled = language.typesStandOutOfLine ? argumentsOf(parent.text) : [];
      inherits.set(key, {
        child: of,
        parent: name,
        ...(space && { space }),
        ...(filled.length > 0 && { filled }),
        line,
      });
    }
  };
  for (const raw of oncePerName(found.declared)) {
    const { node, name } = raw;
    if (language.isNoDeclaration?.(node)) continue;
    inheritUpTo(node.startIndex);
    let around = open.at(-1);
    // `int a, b;` declares two names with one node: the second stands beside the first, not in it.
    while (
      around &&
      (around.end <= node.startIndex || (around.start === node.startIndex && around.end === node.endIndex))
    ) {
      open.pop();
      around = open.at(-1);
    }
    const callable = raw.kind === "func" || raw.kind === "method" || typeKinds.has(raw.kind as Kind);
    const local = scopes.inFunction(node.startIndex, node);
    // A method of an object or class that is made here is no name of the function around.
    const isOuter = language.assignsOuter === true && (raw.kind === "var" || raw.kind === "const");
    // `struct entry { … } list[] = …;` makes the type known behind the statement, too.
    const isTag = language.typeHints.declarators === true && typeKinds.has(raw.kind as Kind);
    const bounds = raw.hoisted ? (["scope"] as const) : isTag ? (["scope", "block"] as const) : undefined;
    // Nor is a member of a class without a name.
    const isOfNameless = isMemberOfNameless(found, node, around?.start);
    if (
      local &&
      raw.kind !== "method" &&
      raw.kind !== "impl" &&
      raw.owner === undefined &&
      !isOuter &&
      !isOfNameless
    ) {
      const scope = scopes.around(node.startIndex, node, bounds);
      addLocal(name.text, name.startIndex, callable ? scope : placeOfVariable(name.startIndex, scope));
    }
    const inType = isOfNameless || (around && (around.kind === "impl" || typeKinds.has(around.kind)));
    // `this.name = function () {}` is a member of the type around, or of what the function around makes.
    const isOfThis = raw.owner === "this";
    if (local && !callable && !inType && !isOfThis) continue;
    const written = plainName(name.text, language);
    if (language.keywords?.has(written.name)) continue;
    const outer = raw.owner ? ownerName(raw.owner) : (written.owner ?? undefined);
    // `require("a").name = function () end`: a member of something unknown is no name of this file.
    if (raw.owner && outer === undefined && /\w\s*\([^()]*\)$/.test(raw.owner)) continue;
    const type = isOfThis ? open.findLast((one) => typeKinds.has(one.kind as Kind)) : undefined;
    // `self.name = function () end` in a method of a table.
    const isOfTable = raw.owner === "self" && language.typesAreTables === true;
    const table = isOfTable && around?.path.includes(".") ? around.path.replace(/\.[^.]*$/, "") : undefined;
    // `self.name = 1` in no class.
    if (isOfThis && !type && raw.kind === "field") continue;
    const owner = [table ?? (type ?? around)?.path, outer].filter(Boolean).join(".") || undefined;
    if (raw.kind === "impl") {
      open.push({
        start: node.startIndex,
        end: node.endIndex,
        path: typeName(name.text) ?? written.name,
        index: -1,
        kind: "impl",
      });
      continue;
    }
    const kind = finalKind(
      raw.kind,
      Boolean(inType || outer || (isOfThis && owner) || isOfTable),
      Boolean(owner) || language.objectMethods === true,
    );
    if (!raw.alias) {
      open.push({
        start: node.startIndex,
        end: node.endIndex,
        path: owner ? `${owner}.${written.name}` : written.name,
        index: declarations.length,
        kind,
      });
    }
    declarations.push({
      name: written.name,
      kind,
      ...(owner && { owner }),
      parent: around?.index ?? -1,
      ...(!raw.body && isHead(node, kind) && { bodiless: true }),
      start: node.startIndex,
      end: node.endIndex,
      nameStart: name.startIndex,
      line: lineOf(name.startIndex),
      startLine: lineOf(node.startIndex),
      endLine: lineOf(Math.max(node.startIndex, node.endIndex - 1)),
      signature: named(
        signatureOf(source, node.startIndex, raw.body?.startIndex ?? -1, node.endIndex, kind),
        written.name,
        kind,
      ),
    });
    const [last] = declarations.slice(-1);
    if (last && language.aliasesAreTypes && !inType && !local)
      for (const parent of typesRenamedBy(last).filter((one) => one !== last.name))
        inherits.set(`${node.startIndex}<${parent}`, {
          child: last.name,
          parent,
          alias: true,
          line: last.line,
        });
  }
  inheritUpTo(Number.POSITIVE_INFINITY);

  const firstError = firstErrorIn(root);
  const doubtful = found.quiet.filter((node) => !isTrusted(node, firstError, source));
  const isDoubtful = new Set(doubtful);
  const formats = namesInFormats(found.formats);
  const imports = found.imports.flatMap((node) => {
    const { startIndex: start, endIndex: end } = node;
    const before = source.slice(Math.max(source.lastIndexOf("\n", start) + 1, start - 300, 0), start);
    return language
      .imports(node.text, before, source.slice(end, end + 200))
      .map((clause) => ({ ...clause, line: lineOf(start), start, end }));
  });
  return {
    language: language.name,
    ...(found.packages[0] && {
      package: language.packagesNest ? found.packages.join(".") : found.packages[0],
    }),
    ...(found.default && { default: found.default }),
    declarations: onceAsField(onceAssigned(withoutImported(declarations, imports), language), language),
    imports,
    inherits: [...inherits.values()],
    locals: locals.filter((one) => !isOuterIn(found, one)),
    quiet: quietRanges(
      [
        ...found.quiet.filter((node) => !isDoubtful.has(node)),
        ...found.unread.flatMap(quietInside),
        ...quietTakenOut(source, text),
      ],
      [...found.live, ...formats.live, ...formats.perhaps],
    ),
    doubtful: quietRanges([...doubtful, ...formats.perhaps], found.live),
    broken: root?.hasError ?? false,
  };
}

/** The innermost of some nodes around an offset. */
function innermostAt(nodes: readonly Node[], offset: number): Node | undefined {
  return nodes
    .filter(({ startIndex, endIndex }) => startIndex <= offset && offset < endIndex)
    .reduce<Node | undefined>(
      (best, one) => (best && best.startIndex > one.startIndex ? best : one),
      undefined,
    );
}

/** Whether what is declared at a node belongs to a class without a name, and to no function or type inside of that. */
function isMemberOfNameless({ anonymous, scopes }: Findings, node: Node, around = -1): boolean {
  const nameless = innermostAt(anonymous, node.startIndex);
  if (!nameless || nameless.startIndex < around) return false;
  const [start] = scopes.around(node.startIndex, node, ["scope"]) ?? [-1];
  return nameless.startIndex > start;
}

const longestHead = 100;

/** A class without a name by what stands before its body: `new Base(1)`, `object : Base`. */
function headOf({ text }: Node): string {
  const head = text.slice(0, text.indexOf("{")).replaceAll(/\s+/g, " ").trim();
  return head.length > longestHead ? `${head.slice(0, longestHead)}…` : head;
}

/** `global name`: the name is none of the function around. */
function isOuterIn({ outer, scopes }: Findings, [name, , start, end]: Local): boolean {
  return outer.some((node) => {
    const around = node.text === name ? scopes.around(node.startIndex) : undefined;
    return around?.[0] === start && around[1] === end;
  });
}

/** `const x = require("x")` brings a name into the file, and declares nothing. */
function withoutImported(declarations: Declaration[], imports: FileSyntax["imports"]): Declaration[] {
  const brought = new Map<string, number[]>();
  for (const { whole, names, line, reexport } of imports) {
    if (reexport) continue;
    for (const name of [whole, ...(names ?? []).map(([, alias]) => alias)])
      if (name !== undefined) brought.set(name, [...(brought.get(name) ?? []), line]);
  }
  const isBrought = ({ name, kind, parent, line, endLine }: Declaration) =>
    parent === -1 &&
    (kind === "const" || kind === "var") &&
    (brought.get(name)?.some((at) => at >= line && at <= endLine) ?? false);
  return brought.size === 0 ? declarations : without(declarations, isBrought);
}

/** `typedef struct { … } name`: what is named behind its body says its name, too. */
function named(signature: string, name: string, kind: Kind): string {
  if (!typeKinds.has(kind)) return signature;
  const head = signature.startsWith("typedef ") ? signature.replace(/ ?\{.*$/, "") : signature;
  const isNamed =
    head.endsWith("…") || head.split(/[^\p{L}\p{N}_$]+/u).includes(name) || !/^[\w$]+$/.test(name);
  return isNamed ? head : `${head} ${name}`;
}

/** A function in a type is a method; a variable in a type is a field; a method of nothing is a function. */
function finalKind(kind: Kind, inType: boolean, owned: boolean): Kind {
  if (kind === "func" && inType) return "method";
  if (kind === "var" && inType) return "field";
  return kind === "method" && !owned ? "func" : kind;
}

/** A function's head alone: a prototype, an overload, an abstract or interface method. */
function isHead(node: Node, kind: Kind): boolean {
  if (kind !== "func" && kind !== "method") return false;
  if (/signature|^method_elem$|^declaration$|^protocol_function/.test(node.type)) return true;
  return node.type.endsWith("declaration") && !/(?:\}|\bend)$/.test(node.text);
}

/** Behind a syntax error, what seems to be a text may be code between two others. */
function isTrusted(node: Node, firstError: number, source: string): boolean {
  if (node.endIndex <= firstError || node.type.includes("comment")) return true;
  // The content of one text may be several nodes, one for each line.
  const whole = /content|fragment|text/.test(node.type) ? (node.parent ?? node) : node;
  if (whole.startPosition.row !== whole.endPosition.row) return false;
  const lineStart = source.lastIndexOf("\n", whole.startIndex - 1) + 1;
  return !endsInText(source.slice(lineStart, whole.startIndex), source[whole.startIndex] ?? "");
}

const longLine = 2_000;

/** Whether the quote that comes next ends a text that began on the same line. */
function endsInText(before: string, quote: string): boolean {
  if (!/["'`]/.test(quote) || before.length > longLine) return false;
  return before.replace(/\\./g, "").split(quote).length % 2 === 0;
}
