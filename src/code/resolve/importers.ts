import { posix } from "node:path";
import { unknownPath } from "../languages/language.ts";
import { languageNamed } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import { enclosing, type FileSyntax, type Import } from "../syntax/syntax.ts";
import { Bindings } from "./bindings.ts";
import { ImportableNames } from "./full-names.ts";
import { InlinePaths, namesInPaths } from "./inline-paths.ts";
import type { ModuleFiles } from "./module-files.ts";
import { filesOfNamespace, ImportedNamespaces, wordsOfNamespaces } from "./namespaces.ts";

export interface Importer {
  file: string;
  line: number;
  /** The import statement on one line. */
  statement: string;
  /** The function that it stands in. */
  within?: string;
  /** No import: the lines that name the file by a whole path, of which this is the first. */
  inline?: number[];
  /** What is written fits several files. */
  isPossible?: boolean;
}

/** An import whose path only running the program tells. */
export interface UnknownImport {
  file: string;
  line: number;
}

/** The files that import any of these, with the statement. Candidates are those that name one of them at all. */
export async function importersOf(
  project: Project,
  modules: ModuleFiles,
  targets: readonly string[],
): Promise<Importer[]> {
  const bindings = new Bindings(project, modules);
  const names = await ImportableNames.of(project, targets);
  const wanted = new Set(targets.filter((target) => !names.has(target)));
  const inline = await InlinePaths.of(project, modules, targets);
  const namespaced = await namespacedNames(project, targets);
  const spaces = await ImportedNamespaces.of(project, targets);
  const found: Importer[] = [];
  for (const path of await candidatesFor(project, modules, targets)) {
    const file = project.words.file(path);
    const syntax = file && (await project.syntax(file));
    if (syntax && inline.mayStandIn(syntax)) found.push(...(await importerByPath(project, path, inline)));
    const clauses = (syntax?.imports ?? []).filter(
      (clause) =>
        syntax &&
        (names.isImported({ path, syntax }, clause) ||
          spaces.named(path, syntax, clause) !== undefined ||
          (!targets.includes(path) && namespaced.has(clause.module)) ||
          (wanted.size > 0 &&
            bindings
              .filesOfImport({ path, syntax }, clause)
              .some((target) => wanted.has(target) && target !== path))),
    );
    if (!syntax || clauses.length === 0) continue;
    const source = await project.source(path).catch(() => "");
    for (const clause of onePerStatement(clauses)) {
      const within = enclosing(syntax, clause.start)?.name;
      const isPossible =
        (await spaces.isOpen(path, syntax, clause)) ||
        (clause.module.startsWith(unknownPath) &&
          bindings.filesOfImport({ path, syntax }, clause).length > 1);
      found.push({
        file: path,
        ...statementOf(source, clause),
        ...(within && { within }),
        ...(isPossible && { isPossible }),
      });
    }
  }
  return found.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}

/** `App\\Store`: what the targets declare in languages whose imports name that, wherever its file stands. */
async function namespacedNames(project: Project, targets: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const path of targets) {
    const file = project.words.file(path);
    const language = languageNamed(file?.language ?? "");
    const sign = language?.importStyle === "name" ? language.namespaceSeparator : undefined;
    const syntax = file && sign !== undefined ? await project.syntax(file) : undefined;
    for (const { name, owner, parent } of syntax?.declarations ?? [])
      if (parent === -1 || owner === undefined)
        found.add([syntax?.package, owner, name].filter(Boolean).join("\\"));
  }
  return found;
}

/** The lines of one file that name a target without an import, as one entry. */
async function importerByPath(project: Project, path: string, inline: InlinePaths): Promise<Importer[]> {
  const file = await project.parsed(path);
  const places = file ? inline.in(file) : [];
  const [first] = places;
  if (!file || !first) return [];
  const within = enclosing(file.syntax, first.offset)?.name;
  return [
    {
      file: path,
      line: first.line,
      statement: lineAround(file.source, first.offset),
      ...(within && { within }),
      inline: places.map(({ line }) => line),
    },
  ];
}

/** In the languages of these files: imports of which nothing tells what they lead to. */
export async function unknownImports(project: Project, targets: readonly string[]): Promise<UnknownImport[]> {
  const languages = new Set(targets.map((path) => project.words.file(path)?.language));
  const mayBe = [...languages].some((name) => languageNamed(name ?? "")?.hasUnknownImports);
  const found: UnknownImport[] = [];
  for (const file of mayBe ? project.words.files() : []) {
    if (!languages.has(file.language) || !languageNamed(file.language)?.hasUnknownImports) continue;
    for (const { module, line } of (await project.syntax(file))?.imports ?? [])
      if (module === unknownPath) found.push({ file: file.path, line });
  }
  return found;
}

/** `3 imports have a path that only running them tells: a.sh:1, …`; nothing where there is none. */
export function unknownImportsText(found: readonly UnknownImport[]): string | undefined {
  if (found.length === 0) return undefined;
  const places = found.slice(0, 5).map(({ file, line }) => `${file}:${line}`);
  const what = found.length === 1 ? "1 import has a path" : `${found.length} imports have paths`;
  return `${what} that only running the program tells: ${places.join(", ")}${found.length > 5 ? ", …" : ""}`;
}

/** What each import of a file leads to, in the workspace; an empty list for what lies outside. */
export async function importsOf(
  project: Project,
  bindings: Bindings,
  path: string,
  syntax: FileSyntax,
): Promise<{ clause: Import; files: string[] }[]> {
  const found: { clause: Import; files: string[] }[] = [];
  for (const clause of syntax.imports) {
    if (clause.module === "" || clause.module === unknownPath) continue;
    const name = clause.module.split(".").at(-1) ?? "";
    const named = await bindings.fullyNamed({ path, syntax }, clause.module, name);
    const space = languageNamed(syntax.language)?.importsNamespaces
      ? await filesOfNamespace(project, clause.module)
      : [];
    const files = new Set([...named.map(({ file }) => file), ...space.filter((file) => file !== path)]);
    found.push({
      clause,
      files: files.size > 0 ? [...files] : bindings.filesOfImport({ path, syntax }, clause),
    });
  }
  return found;
}

/** An import must write some part of the file's path: its name, or its folder where the folder is what is imported. */
export async function candidatesFor(
  project: Project,
  modules: ModuleFiles,
  targets: readonly string[],
): Promise<Set<string>> {
  const words = new Set(await namesInPaths(project, targets));
  for (const name of await namespacedNames(project, targets)) words.add(name.split("\\").at(-1) ?? name);
  const names = await ImportableNames.of(project, targets);
  for (const target of targets) {
    for (const word of names.wordsOf(target)) words.add(word);
    for (const word of await wordsOfNamespaces(project, target)) words.add(word);
    if (names.has(target)) continue;
    const name = posix.basename(target).replace(/\.d\.\w+$|\.\w+$/, "");
    const isWhole = /^(?:index|__init__|mod|lib|main)$/.test(name) || /\.(?:go|java|kt|scala)$/.test(target);
    const folder = isWhole ? [posix.basename(posix.dirname(target))] : [];
    for (const part of [name, ...folder, ...modules.aliasesOf(target)]) {
      const longest = part.split(/[^\p{L}\p{N}_$]+/u).sort((a, b) => b.length - a.length)[0];
      if (longest) words.add(longest);
    }
  }
  const found = new Set<string>();
  for (const word of words)
    for (const { file } of project.words.withWord(word)) if (file.language) found.add(file.path);
  // `from "."`, `from ".."` and a package's own name write no part of the path.
  const isRoot = targets.some((target) => /(?:^|\/)(?:index|__init__|mod|lib|main)\.\w+$/.test(target));
  if (isRoot)
    for (const file of project.words.files())
      if (file.language && mayImportFolder(file.path, targets)) found.add(file.path);
  return found;
}

const mayImportFolder = (path: string, targets: readonly string[]) =>
  targets.some((target) => path.startsWith(`${posix.dirname(target)}/`) || posix.dirname(target) === ".");

function onePerStatement(clauses: readonly Import[]): Import[] {
  return [...new Map(clauses.map((clause) => [`${clause.start} ${clause.module}`, clause])).values()];
}

/** A block that imports many modules: only the line that names this one. */
function statementOf(
  source: string,
  { start, end, line, module }: Import,
): Pick<Importer, "line" | "statement"> {
  const block = source.slice(start, end);
  const at = /^\w+\s*\(\s*\n/.test(block)
    ? block.search(new RegExp(`["'\`]${module.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}["'\`]`))
    : -1;
  if (at < 0) return { line, statement: statementAt(source, start, end) };
  const lineStart = block.lastIndexOf("\n", at) + 1;
  const lineEnd = block.indexOf("\n", at);
  const one = block.slice(lineStart, lineEnd < 0 ? undefined : lineEnd).trim();
  return { line: line + block.slice(0, at).split("\n").length - 1, statement: one };
}

function lineAround(source: string, offset: number): string {
  const end = source.indexOf("\n", offset);
  return statementAt(source, offset, end < 0 ? source.length : end);
}

function statementAt(source: string, start: number, end: number): string {
  const lineStart = source.lastIndexOf("\n", start - 1) + 1;
  const text = source.slice(lineStart, end).replace(/\s+/g, " ").trim();
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

/** The statements that bring a name into their file. */
export async function importsOfName(project: Project, name: string): Promise<Importer[]> {
  const found: Importer[] = [];
  for (const { file } of project.words.withWord(name)) {
    const syntax = file.language ? await project.syntax(file) : undefined;
    const clause = syntax?.imports.find(
      (one) => one.whole === name || one.names?.some(([, alias]) => alias === name),
    );
    if (!clause) continue;
    const source = await project.source(file.path);
    found.push({
      file: file.path,
      line: clause.line,
      statement: source.slice(clause.start, clause.end).replace(/\s+/g, " ").slice(0, 200),
    });
  }
  return found.sort((a, b) => (a.file < b.file ? -1 : 1));
}
