// Files that name a module by its whole path in the middle of code, `crate::store::open()`, depend on it without an import.
import { posix } from "node:path";
import { typeKinds } from "../languages/language.ts";
import { languageNamed } from "../languages/languages.ts";
import type { ParsedFile, Project } from "../project/project.ts";
import { lineFinder } from "../syntax/signature.ts";
import { type FileSyntax, type Import, isQuiet } from "../syntax/syntax.ts";
import type { ModuleFiles } from "./module-files.ts";
import { type FullName, shortPaths } from "./short-paths.ts";

/** Finds the paths that lead to one of these files and stand in no import. */
export class InlinePaths {
  readonly #modules: ModuleFiles;
  readonly #targets: ReadonlySet<string>;
  /** By language: how a path to one of the targets is written. */
  readonly #patterns: ReadonlyMap<string, RegExp>;
  /** By language: what files may write by a namespace of theirs. */
  readonly #names: ReadonlyMap<string, readonly FullName[]>;

  private constructor(
    modules: ModuleFiles,
    targets: ReadonlySet<string>,
    patterns: ReadonlyMap<string, RegExp>,
    names: ReadonlyMap<string, readonly FullName[]>,
  ) {
    this.#modules = modules;
    this.#targets = targets;
    this.#patterns = patterns;
    this.#names = names;
  }

  static async of(project: Project, modules: ModuleFiles, targets: readonly string[]): Promise<InlinePaths> {
    const written = new Map<string, string[]>();
    const names = new Map<string, FullName[]>();
    for (const target of targets) {
      const file = project.words.file(target);
      const syntax = file && (await project.syntax(file));
      if (!syntax) continue;
      const paths = pathsTo(target, syntax);
      if (namespaceSign(syntax))
        names.set(syntax.language, [...(names.get(syntax.language) ?? []), ...namesAtTop(syntax)]);
      // Java and Kotlin see each other's names.
      for (const language of familiesOf(syntax.language))
        written.set(language, [...(written.get(language) ?? []), ...paths]);
    }
    const patterns = [...written]
      .filter(([, paths]) => paths.length > 0)
      .map(([language, paths]) => [language, new RegExp([...new Set(paths)].join("|"), "gu")] as const);
    return new InlinePaths(modules, new Set(targets), new Map(patterns), names);
  }

  mayStandIn(syntax: FileSyntax): boolean {
    return this.#patterns.has(syntax.language);
  }

  /** The offsets, one for each line. */
  in({ path, source, syntax }: ParsedFile): { offset: number; line: number }[] {
    const pattern = this.#patterns.get(syntax.language);
    if (!pattern || this.#targets.has(path)) return [];
    const lineOf = lineFinder(source);
    const found = new Map<number, { offset: number; line: number }>();
    const add = (offset: number) => {
      const line = lineOf(offset);
      if (!found.has(line)) found.set(line, { offset, line });
    };
    for (const { 0: text, index: offset } of source.matchAll(pattern)) {
      if (isQuiet(syntax, offset) || isInStatement(source, syntax, offset)) continue;
      if (this.#leadsToTarget({ path, syntax }, text, offset)) add(offset);
    }
    const short = shortPaths(syntax, this.#names.get(syntax.language) ?? [], namespaceSign(syntax) ?? "");
    for (const { index: offset } of short ? source.matchAll(short) : [])
      if (!isQuiet(syntax, offset) && !isInImport(syntax, offset)) add(offset);
    return [...found.values()].sort((a, b) => a.line - b.line);
  }

  #leadsToTarget(scope: { path: string; syntax: FileSyntax }, text: string, offset: number): boolean {
    if (scope.syntax.language !== "Rust") return true;
    const { path, imported } = unfolded(
      scope.syntax,
      fromFile(scope.syntax, text.replace(/^\$/, ""), offset),
    );
    const leads = (module: string) =>
      this.#modules.resolve("rust", scope.path, module).some((file) => this.#targets.has(file));
    // Behind `use crate::store;`, that import is what counts for `store::open()`.
    return leads(path) && !(imported !== undefined && leads(imported));
  }
}

/** The patterns of the paths that name a file or what stands at its top. */
function pathsTo(file: string, syntax: FileSyntax): string[] {
  const { importStyle, packageIs } = languageNamed(syntax.language) ?? {};
  if (importStyle === "rust") {
    const stem = posix.basename(file, ".rs");
    const name = stem === "mod" ? posix.basename(posix.dirname(file)) : stem;
    if (name === "lib" || name === "main") return [];
    return [String.raw`(?<![\w:])(?:\$?\w+::)*${RegExp.escape(name)}::\w+`];
  }
  if (importStyle !== "name" && packageIs !== "declared") return [];
  return fullNames(syntax).map((name) => String.raw`(?<![\w.])\\?${RegExp.escape(name)}(?!\w)`);
}

/** What else than its path a file may be named by: in some languages, what it declares in its package. */
export async function namesInPaths(project: Project, files: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of files) {
    const file = project.words.file(path);
    const { importStyle, packageIs } = languageNamed(file?.language ?? "") ?? {};
    const syntax =
      file && (importStyle === "name" || packageIs === "declared") ? await project.syntax(file) : undefined;
    if (syntax) found.push(...fullNames(syntax).map((name) => name.split(/[.\\]/).at(-1) ?? name));
  }
  return found;
}

/** What stands between the parts of a name, where a file may write names by its own namespace. */
function namespaceSign({ language }: FileSyntax): string | undefined {
  const { importStyle, namespaceSeparator } = languageNamed(language) ?? {};
  return importStyle === "name" ? namespaceSeparator : undefined;
}

const fullNames = (syntax: FileSyntax) => namesAtTop(syntax).map(({ full }) => full);

/** The names at the top of a file, with its package or namespace. */
function namesAtTop({ declarations, package: space = "", language }: FileSyntax): FullName[] {
  const sign = space.includes("\\") || language === "PHP" ? "\\" : ".";
  const isOfSpace = (parent: number): boolean => {
    const around = declarations[parent];
    return around === undefined || (around.kind === "module" && isOfSpace(around.parent));
  };
  return declarations
    .filter(({ kind, parent }) => (typeKinds.has(kind) || kind === "func") && isOfSpace(parent))
    .map(({ owner, name, kind }) => ({
      full: [space, owner, name].filter(Boolean).join(sign),
      isType: typeKinds.has(kind),
    }))
    .filter(({ full }) => full.includes(sign));
}

const jvm = ["Java", "Kotlin", "Scala"];
const familiesOf = (language: string) => (jvm.includes(language) ? jvm : [language]);

const isInImport = ({ imports }: FileSyntax, offset: number) =>
  imports.some(({ start, end }) => start <= offset && offset < end);

/** A package statement is no import and names no file. */
const isInStatement = (source: string, syntax: FileSyntax, offset: number) =>
  isInImport(syntax, offset) ||
  /^\s*(?:package|namespace|import|using|use)\s[^;]*$/.test(
    source.slice(source.lastIndexOf("\n", offset - 1) + 1, offset),
  );

/** `super::` in a module that stands in the file itself means that file. */
function fromFile({ declarations }: FileSyntax, path: string, offset: number): string {
  const depth = declarations.filter(
    ({ kind, start, end }) => kind === "module" && start < offset && offset < end,
  ).length;
  const [head = ""] = new RegExp(`^(?:super::){0,${depth}}`).exec(path) ?? [];
  return head === "" ? path : `self::${path.slice(head.length)}`;
}

/** A path with what an import says that its first part stands for. */
function unfolded({ imports }: FileSyntax, path: string): { path: string; imported?: string } {
  const head = path.slice(0, path.indexOf("::"));
  const meantBy = ({ module, whole, names }: Import) => {
    if (whole === head) return module;
    const name = names?.find(([, alias]) => alias === head)?.[0];
    return name === undefined ? undefined : `${module}::${name}`;
  };
  const imported = imports.map(meantBy).find((one) => one !== undefined);
  return imported === undefined ? { path } : { path: `${imported}${path.slice(head.length)}`, imported };
}
