import { cpSync, existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ts } from "@ts-morph/common";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { removeFolder } from "../testing/remove-folder.ts";
import { filesBelow, indexFolderAt, temporaryFolder } from "./folder.suite.ts";
import { tell } from "./oracle.suite.ts";
import { Project } from "./project/project.ts";
import type { Definition } from "./resolve/definitions.ts";
import { importersOf } from "./resolve/importers.ts";
import { ModuleFiles } from "./resolve/module-files.ts";
import { findReferences } from "./resolve/references.ts";

// Whole libraries are compared: that takes as long as the machine needs.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

// The sources of a real package, asked of us and of the TypeScript language service.
const root = join(temporaryFolder(), "ai");
const state = temporaryFolder();
let project: Project;
let modules: ModuleFiles;
let service: ts.LanguageService;
let definitions: Definition[];

beforeAll(async () => {
  cpSync(resolve(import.meta.dirname, "../../node_modules/ai/src"), join(root, "src"), { recursive: true });
  project = new Project(filesBelow(root), indexFolderAt(state));
  await project.index.refresh();
  const paths = [...project.words.files()]
    .filter((file) => /^Type|^TSX/.test(file.language))
    .map((file) => file.path);
  definitions = [];
  for (const path of paths) {
    const file = project.words.file(path);
    const syntax = file && (await project.syntax(file));
    for (const declaration of syntax?.declarations ?? []) {
      if (syntax && !/\.test\.tsx?$/.test(path))
        definitions.push({ file: path, declaration, syntax, distance: 0 });
    }
  }
  modules = await ModuleFiles.of(project);
  service = languageService(paths);
});
afterAll(() => {
  project.close();
  removeFolder(root);
  removeFolder(state);
});

test("references of top-level symbols are those of the TypeScript language service", async () => {
  const wanted = definitions.filter(
    (d) =>
      d.declaration.parent === -1 &&
      !d.declaration.bodiless &&
      ["func", "class", "interface", "type", "const"].includes(d.declaration.kind),
  );
  const { recall, precision, missed, invented } = await compare(sample(wanted, 300));
  expect(recall, missed.slice(0, 15).join("\n")).toBeGreaterThanOrEqual(0.97);
  expect(precision, invented.slice(0, 15).join("\n")).toBeGreaterThanOrEqual(0.95);
});

test("callers of functions and methods are those of the TypeScript language service", async () => {
  const wanted = definitions.filter(
    (d) =>
      ["func", "method"].includes(d.declaration.kind) &&
      !d.declaration.bodiless &&
      d.declaration.name !== "constructor",
  );
  let found = 0;
  const missed: string[] = [];
  for (const definition of sample(wanted, 200)) {
    const ours = new Set(
      (await findReferences(project, modules, definition)).references.map((r) => `${r.file}:${r.line}`),
    );
    for (const call of callsOf(definition)) {
      if (ours.has(call)) found++;
      else missed.push(`${definition.file} ${definition.declaration.name}: ${call}`);
    }
  }
  expect(found).toBeGreaterThan(200);
  expect(found / (found + missed.length), missed.slice(0, 15).join("\n")).toBeGreaterThanOrEqual(0.99);
});

test("importers are those that TypeScript resolves", async () => {
  let agreed = 0;
  const missed: string[] = [];
  const invented: string[] = [];
  const host = { fileExists: existsSync, readFile: (path: string) => readFileSync(path, "utf8") };
  const expected = new Map<string, Set<string>>();
  for (const { path, language } of project.words.files()) {
    if (!/^Type|^TSX/.test(language)) continue;
    const { importedFiles } = ts.preProcessFile(readFileSync(join(root, path), "utf8"));
    for (const { fileName } of importedFiles) {
      const resolved = ts.resolveModuleName(fileName, join(root, path), options, host).resolvedModule
        ?.resolvedFileName;
      if (!resolved?.startsWith(`${root}/`)) continue;
      const target = resolved.slice(root.length + 1);
      expected.set(target, (expected.get(target) ?? new Set()).add(path));
    }
  }
  for (const { path } of project.words.files()) {
    const ours = new Set((await importersOf(project, modules, [path])).map((one) => one.file));
    const theirs = expected.get(path) ?? new Set();
    for (const one of theirs) {
      if (ours.has(one)) agreed++;
      else missed.push(`${path} <- ${one}`);
    }
    for (const one of ours) if (!theirs.has(one)) invented.push(`${path} <- ${one}`);
  }
  tell("importers", "of every file of a package", agreed, missed.length, invented.length);
  expect(agreed).toBeGreaterThan(500);
  expect(agreed / (agreed + missed.length), missed.slice(0, 15).join("\n")).toBeGreaterThanOrEqual(0.97);
  expect(agreed / (agreed + invented.length), invented.slice(0, 15).join("\n")).toBeGreaterThanOrEqual(0.95);
});

async function compare(sampled: Definition[]) {
  let agreed = 0;
  const missed: string[] = [];
  const invented: string[] = [];
  for (const definition of sampled) {
    const { references } = await findReferences(project, modules, definition);
    const ours = new Set(references.filter((r) => r.certain).map((r) => `${r.file}:${r.line}`));
    const theirs = referencesOf(definition);
    const label = `${definition.file} ${definition.declaration.name}`;
    for (const one of theirs) {
      if (ours.has(one)) agreed++;
      else missed.push(`${label}: ${one}`);
    }
    for (const one of ours) if (!theirs.has(one)) invented.push(`${label}: ${one}`);
  }
  tell("references", `of ${sampled.length} symbols`, agreed, missed.length, invented.length);
  expect(agreed).toBeGreaterThan(500);
  return {
    recall: agreed / (agreed + missed.length),
    precision: agreed / (agreed + invented.length),
    missed,
    invented,
  };
}

/** Lines with a reference; where the symbol is declared is none. */
function referencesOf({ file, declaration, syntax }: Definition): Set<string> {
  const declared = new Set(
    syntax.declarations.filter((d) => d.name === declaration.name).map((d) => d.nameStart),
  );
  const found = service.findReferences(join(root, file), declaration.nameStart) ?? [];
  return new Set(
    found
      .flatMap(({ references }) => references)
      .filter(({ fileName, textSpan }) => fileName !== join(root, file) || !declared.has(textSpan.start))
      .map(place),
  );
}

function callsOf({ file, declaration }: Definition): Set<string> {
  const item = [service.prepareCallHierarchy(join(root, file), declaration.nameStart) ?? []].flat()[0];
  if (!item) return new Set();
  const calls = service.provideCallHierarchyIncomingCalls(item.file, item.selectionSpan.start);
  return new Set(
    calls.flatMap((call) => call.fromSpans.map((textSpan) => place({ fileName: call.from.file, textSpan }))),
  );
}

function place({ fileName, textSpan }: { fileName: string; textSpan: ts.TextSpan }): string {
  const source = service.getProgram()?.getSourceFile(fileName);
  const line = (source?.getLineAndCharacterOfPosition(textSpan.start).line ?? -1) + 1;
  return `${fileName.slice(root.length + 1)}:${line}`;
}

const options: ts.CompilerOptions = {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ESNext,
  jsx: ts.JsxEmit.Preserve,
  noLib: true,
  types: [],
};

function languageService(paths: string[]): ts.LanguageService {
  const files = paths.map((path) => join(root, path));
  return ts.createLanguageService({
    getScriptFileNames: () => files,
    getScriptVersion: () => "1",
    getScriptSnapshot: (file) =>
      existsSync(file) ? ts.ScriptSnapshot.fromString(readFileSync(file, "utf8")) : undefined,
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: () => "lib.d.ts",
    fileExists: existsSync,
    readFile: (file) => readFileSync(file, "utf8"),
  });
}

/** The same ones every time. */
function sample<T>(all: T[], count: number): T[] {
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, i) => all[Math.floor(i * step)] as T);
}
