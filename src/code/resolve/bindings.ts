import { posix } from "node:path";
import type { ImportStyle } from "../languages/language.ts";
import { languageNamed } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import type { FileSyntax, Import } from "../syntax/syntax.ts";
import { FullNames, type Target } from "./full-names.ts";
import type { ModuleFiles } from "./module-files.ts";

export interface Scope {
  path: string;
  syntax: FileSyntax;
}

/** What a bare name means in a file: its own declaration, an imported one, or one of its package. */
export class Bindings {
  readonly #project: Project;
  readonly #modules: ModuleFiles;
  readonly #fullNames: FullNames;

  constructor(project: Project, modules: ModuleFiles) {
    this.#project = project;
    this.#modules = modules;
    this.#fullNames = new FullNames(project);
  }

  /** Names must be imported (or be of the same package) to be seen; elsewhere every name is seen everywhere. */
  static isStrict(syntax: FileSyntax): boolean {
    return languageNamed(syntax.language)?.scoping === "imported";
  }

  /** What a bare name leads to, by the file's own declarations and its imports. */
  async targets(scope: Scope, name: string): Promise<Target[]> {
    const isOwn = declares(scope.syntax, name) && !isModuleAlias(scope.syntax, name);
    const found: Target[] = isOwn ? [{ file: scope.path, name }] : [];
    if (isOwn && !isModule(scope.syntax, name)) return found;
    const wildcardsFirst = languageNamed(scope.syntax.language)?.wildcardsHidePackage === true;
    const clauses = namedFirst(inScope(scope.syntax));
    const firstWildcard = clauses.findIndex(({ wildcard }) => wildcard);
    for (const [index, clause] of clauses.entries()) {
      if (index === firstWildcard && found.length === 0 && !wildcardsFirst)
        found.push(...(await this.#fullNames.ofPackage(scope, name)));
      // What is imported by name hides what comes with everything of a module.
      if (clause.wildcard && found.length > 0) break;
      const imported = clause.names?.find(([, alias]) => alias === name)?.[0];
      const wanted = imported ?? (clause.wildcard ? name : clause.whole === name ? "default" : undefined);
      if (wanted === undefined) continue;
      const full = clause.wildcard ? `${clause.module}.${wanted}` : clause.module;
      const named = await this.#fullNames.imported(scope, full, wanted);
      found.push(...named);
      for (const file of named.length > 0 ? [] : this.files(scope, clause))
        found.push(...(await this.#given(file, wanted, imported !== undefined || isOwner(clause))));
    }
    return found.length > 0 ? found : this.#fullNames.ofPackage(scope, name);
  }

  /** What a full name means as an import of this file writes it, where files declare their package. */
  fullyNamed(scope: Scope, module: string, name: string): Promise<Target[]> {
    return this.#fullNames.imported(scope, module, name);
  }

  /** `whole.name`: what the module known as `whole` in this file offers under that name; with `chained`, `chained.whole.name`. */
  async memberTargets(scope: Scope, whole: string, name: string, chained?: string): Promise<Target[]> {
    const spaces: string[] = [];
    if (chained === undefined) spaces.push(...(await this.#spaces(scope, whole)));
    else
      for (const file of await this.#spaces(scope, chained))
        spaces.push(...(await this.#spacesGiven(file, whole)));
    const found: Target[] = [];
    for (const file of spaces) found.push(...(await this.#given(file, name, false)));
    return found;
  }

  /** The files of the module that a name stands for in a file. */
  async #spaces(scope: Scope, whole: string): Promise<string[]> {
    const found: string[] = [];
    for (const clause of scope.syntax.imports) {
      if (clause.whole === whole || (clause.whole?.endsWith(`.${whole}`) ?? false))
        found.push(...this.files(scope, clause));
      for (const [imported, alias] of clause.names ?? []) {
        if (alias !== whole) continue;
        // A module imported by name from its package, or a namespace passed on by another module.
        found.push(...this.#modules.pythonSubmodule(scope.path, clause.module, imported));
        for (const file of this.files(scope, clause))
          found.push(...(await this.#spacesGiven(file, imported)));
      }
    }
    return found;
  }

  /** The files of the module that a file gives others under a name: `export * as name from "./a"`. */
  async #spacesGiven(file: string, name: string, asked = new Set<string>()): Promise<string[]> {
    const question = `${file}:${name}`;
    const syntax = asked.has(question) ? undefined : await this.#syntax(file);
    if (!syntax) return [];
    asked.add(question);
    const scope = { path: file, syntax };
    const found: string[] = [];
    for (const clause of syntax.imports) {
      if (clause.whole === name) found.push(...this.files(scope, clause));
      if (!clause.reexport || styleOf(syntax) !== "path") continue;
      const imported = clause.names?.find(([, alias]) => alias === name)?.[0];
      const wanted = imported ?? (clause.wildcard ? name : undefined);
      for (const next of wanted === undefined ? [] : this.files(scope, clause))
        found.push(...(await this.#spacesGiven(next, wanted ?? name, asked)));
    }
    return found;
  }

  /** What a file gives others under a name. */
  given(file: string, name: string): Promise<Target[]> {
    return this.#given(file, name, false);
  }

  /** A word that each import of a file writes. */
  wordsOf(file: string): string[] {
    return this.#modules.wordsOf(file);
  }

  /** `module::name`, where the module is written as an import writes it. */
  async pathTargets(scope: Scope, module: string, name: string): Promise<Target[]> {
    const found: Target[] = [];
    for (const file of this.files(scope, { module })) found.push(...(await this.#given(file, name, false)));
    return found;
  }

  /** The declarations that a file, asked for a name, gives: its own, or those it passes on. No file is asked twice. */
  async #given(file: string, name: string, members: boolean, asked = new Set<string>()): Promise<Target[]> {
    const question = `${file}:${name}`;
    const syntax = asked.has(question) ? undefined : await this.#syntax(file);
    if (!syntax) return [];
    asked.add(question);
    const own = name === "default" ? (syntax.default ?? "default") : name;
    const isOwn = declares(syntax, own) && !isModuleAlias(syntax, own);
    const found: Target[] = isOwn ? [{ file, name: own }] : [];
    if (isOwn && !isModule(syntax, own)) return found;
    const scope = { path: file, syntax };
    const passedOn = languageNamed(syntax.language)?.importsStayInFile ? [] : namedFirst(syntax.imports);
    for (const clause of passedOn) {
      if (clause.wildcard && found.length > 0) break;
      const imported = clause.names?.find(([, alias]) => alias === own)?.[0];
      const wanted = imported ?? (clause.wildcard && name !== "default" ? own : undefined);
      if (wanted === undefined) continue;
      for (const next of this.files(scope, clause))
        if (next !== file || wanted !== own) found.push(...(await this.#given(next, wanted, members, asked)));
    }
    // Members that can be imported by themselves: enum variants, static methods.
    if (found.length === 0 && members && syntax.declarations.some((d) => d.name === own))
      return [{ file, name: own }];
    return found;
  }

  files(scope: Scope, clause: Pick<Import, "module">): string[] {
    if (clause.module === "") return [scope.path];
    return this.#modules.resolve(styleOf(scope.syntax), scope.path, clause.module);
  }

  /** Whether an import leads into this workspace, to a file that is here or to one that is made when it is built. */
  isHere(scope: Scope, clause: Pick<Import, "module">): boolean {
    return this.files(scope, clause).length > 0 || this.#modules.isOwn(styleOf(scope.syntax), clause.module);
  }

  /** Every file an import statement leads to, modules that are imported by name included. */
  filesOfImport(scope: Scope, clause: Import): string[] {
    const files = this.files(scope, clause);
    const style = styleOf(scope.syntax);
    const modules = (clause.names ?? []).flatMap(([name]) => {
      if (style === "python") return this.#modules.pythonSubmodule(scope.path, clause.module, name);
      return style === "rust" ? this.#modules.rustSubmodule(scope.path, clause.module, name) : [];
    });
    return [...new Set([...files, ...modules])];
  }

  /** Whether a file sees what another declares at its top without an import. */
  sharesPackage(scope: Scope, file: string, syntax: FileSyntax): boolean {
    switch (languageNamed(scope.syntax.language)?.packageIs) {
      case "folder":
        return posix.dirname(scope.path) === posix.dirname(file);
      case "declared": {
        const [here, there] = [scope.syntax.package, syntax.package];
        if (here === undefined || there === undefined)
          return here === there && posix.dirname(scope.path) === posix.dirname(file);
        return here === there;
      }
      default:
        return false;
    }
  }

  async #syntax(path: string): Promise<FileSyntax | undefined> {
    const file = this.#project.words.file(path);
    return file && this.#project.syntax(file);
  }
}

/** Without what a script only passes on: that is not known in it. */
const inScope = (syntax: FileSyntax) =>
  styleOf(syntax) === "path" ? syntax.imports.filter(({ reexport }) => !reexport) : syntax.imports;

/** A file as one that imports only this. */
export const importingOnly = ({ path, syntax }: Scope, clause: Import): Scope => ({
  path,
  syntax: { ...syntax, declarations: [], imports: [{ ...clause, reexport: false }] },
});

/** Imports of single names before those of everything. */
const namedFirst = (imports: readonly Import[]) => [
  ...imports.filter(({ wildcard }) => !wildcard),
  ...imports.filter(({ wildcard }) => wildcard),
];

/** `import static a.B.*`, `use a::B::*`: what is in the type, not in the file. */
const isOwner = ({ module }: Import) => /^\p{Lu}/u.test(module.split(/\.|::/).at(-1) ?? "");

const styleOf = (syntax: FileSyntax): ImportStyle => languageNamed(syntax.language)?.importStyle ?? "name";

/** Declared at the top of the file, or in a namespace there. */
export function declares(syntax: FileSyntax, name: string): boolean {
  return syntax.declarations.some(
    (d) =>
      d.name === name &&
      (d.parent === -1 || syntax.declarations[d.parent]?.kind === "module") &&
      !(d.kind === "type" && d.owner && d.parent === -1) &&
      // A method of nothing is one of an object without a name.
      d.kind !== "method",
  );
}

/** Only a module here has the name: a function that an import brings may have it, too. */
function isModule(syntax: FileSyntax, name: string): boolean {
  return syntax.declarations.every((d) => d.name !== name || d.parent !== -1 || d.kind === "module");
}

/** `const x = require("./x")` declares a name, but what it means is the module. */
function isModuleAlias(syntax: FileSyntax, name: string): boolean {
  const isFunctionOrType = syntax.declarations.some(
    (d) => d.name === name && d.parent === -1 && d.kind !== "const" && d.kind !== "var",
  );
  if (isFunctionOrType) return false;
  return syntax.imports.some(
    (clause) => clause.whole === name || clause.names?.some(([, alias]) => alias === name),
  );
}
