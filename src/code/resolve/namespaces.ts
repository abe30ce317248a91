// Namespaces, which several files may declare, and types by their full names, where imports name those: in C#.
import { typeKinds } from "../languages/language.ts";
import { languageNamed } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import type { FileSyntax, Import } from "../syntax/syntax.ts";

const namesNamespaces = (language: string) => languageNamed(language)?.importsNamespaces === true;

/** The namespaces and types that a file declares, or a part of them. */
function importableNames({ declarations, package: own, language }: FileSyntax): Set<string> {
  const found = new Set<string>();
  if (!namesNamespaces(language)) return found;
  if (own !== undefined) found.add(own);
  for (const { kind, owner, name } of declarations)
    if (kind === "module" || typeKinds.has(kind)) found.add([own, owner, name].filter(Boolean).join("."));
  return found;
}

/** The files that declare a namespace or type, given by its full name. */
export async function filesOfNamespace(project: Project, written: string): Promise<string[]> {
  const name = fromGlobal(written);
  const found: string[] = [];
  for (const { file } of project.words.withWord(lastOf(name))) {
    const syntax = namesNamespaces(file.language) ? await project.syntax(file) : undefined;
    if (syntax && importableNames(syntax).has(name)) found.push(file.path);
  }
  return found;
}

/** What an import of some files may name. */
export class ImportedNamespaces {
  readonly #project: Project;
  readonly #targets: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;
  readonly #isWhole = new Map<string, boolean>();

  private constructor(project: Project, targets: ReadonlySet<string>, names: ReadonlySet<string>) {
    this.#project = project;
    this.#targets = targets;
    this.#names = names;
  }

  static async of(project: Project, targets: readonly string[]): Promise<ImportedNamespaces> {
    const names = new Set<string>();
    for (const path of targets) for (const name of await namesIn(project, path)) names.add(name);
    return new ImportedNamespaces(project, new Set(targets), names);
  }

  /** What an import of another file names of these. */
  named(path: string, syntax: FileSyntax, { module, start }: Import): string | undefined {
    if (this.#names.size === 0 || this.#targets.has(path) || !namesNamespaces(syntax.language))
      return undefined;
    const written = fromGlobal(module);
    // `using Core;` within `Shop` may mean `Shop.Core`.
    const around = written === module ? namespacesAround(syntax, start) : [];
    return [written, ...around.map((space) => `${space}.${written}`)].find((name) => this.#names.has(name));
  }

  /** Whether the import may be for other files that declare the same, or mean something else. */
  async isOpen(path: string, syntax: FileSyntax, clause: Import): Promise<boolean> {
    const name = this.named(path, syntax, clause);
    return name !== undefined && (name !== fromGlobal(clause.module) || !(await this.#areAll(name)));
  }

  async #areAll(name: string): Promise<boolean> {
    let known = this.#isWhole.get(name);
    if (known === undefined) {
      const files = await filesOfNamespace(this.#project, name);
      known = files.every((file) => this.#targets.has(file));
      this.#isWhole.set(name, known);
    }
    return known;
  }
}

/** Words of which an import of a file must write one. */
export const wordsOfNamespaces = async (project: Project, path: string): Promise<string[]> =>
  [...(await namesIn(project, path))].map(lastOf);

async function namesIn(project: Project, path: string): Promise<Set<string>> {
  const file = project.words.file(path);
  const syntax = file && namesNamespaces(file.language) ? await project.syntax(file) : undefined;
  return syntax ? importableNames(syntax) : new Set();
}

/** The namespaces around a place: `A.B` and `A` in `A.B`. */
function namespacesAround({ declarations, package: own }: FileSyntax, offset: number): string[] {
  const spaces = declarations
    .filter(({ kind, start, end }) => kind === "module" && start <= offset && offset < end)
    .map(({ owner, name }) => [own, owner, name].filter(Boolean).join("."));
  return [...spaces, ...(own === undefined ? [] : [own])].flatMap((space) => {
    const parts = space.split(".");
    return parts.map((_, i) => parts.slice(0, i + 1).join("."));
  });
}

const fromGlobal = (name: string) => name.replace(/^global::/, "");
const lastOf = (name: string) => name.split(".").at(-1) ?? name;
