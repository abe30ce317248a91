import { posix } from "node:path";
import type { ImportStyle } from "../languages/language.ts";
import { languageNamed } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import type { FileSyntax, Import } from "../syntax/syntax.ts";
import type { ModuleFiles } from "./module-files.ts";

/** A name at the top of a file. */
export interface Target {
  file: string;
  name: string;
}

interface Scope {
  path: string;
  syntax: FileSyntax;
}

/** What a bare name means in a file: its own declaration, an imported one, or one of its package. */
export class Bindings {
  readonly #project: Project;
  readonly #modules: ModuleFiles;

  constructor(project: Project, modules: ModuleFiles) {
    this.#project = project;
    this.#modules = modules;
  }

  /** Names must be imported (or be of the same package) to be seen; elsewhere every name is seen everywhere. */
  static isStrict(syntax: FileSyntax): boolean {
    return /^(?:TypeScript|TSX|JavaScript|Python|Go|Java|Kotlin|Scala|Rust)$/.test(syntax.language);
  }

  /** The names under which `scope` knows the target, its own name included where it does. */
  async namesFor(scope: Scope, target: Target): Promise<Set<string>> {
    const names = new Set<string>();
    const candidates = new Set([target.name]);
    for (const clause of scope.syntax.imports) {
      for (const [name, alias] of clause.names ?? []) {
        if (name === target.name || alias === target.name || name === "default") candidates.add(alias);
      }
      if (clause.whole && (clause.module.startsWith(".") || clause.module.startsWith("/")))
        candidates.add(clause.whole);
    }
    for (const name of candidates) if (await this.means(scope, name, target)) names.add(name);
    return names;
  }

  async means(scope: Scope, name: string, target: Target): Promise<boolean> {
    if (scope.path === target.file && declares(scope.syntax, name)) return name === target.name;
    if (declares(scope.syntax, name) && !isModuleAlias(scope.syntax, name)) return false;
    if (await this.#imports(scope, name, target)) return true;
    return this.#sharesPackage(scope, target) && name === target.name;
  }

  /** `whole.name`: whether the module known as `whole` in this file offers the target under that name. */
  async meansMember(scope: Scope, whole: string, name: string, target: Target): Promise<boolean> {
    for (const clause of scope.syntax.imports) {
      if (clause.whole === whole || (clause.whole?.endsWith(`.${whole}`) ?? false)) {
        for (const file of this.files(scope, clause))
          if (await this.#offers(file, name, target, 0)) return true;
      }
      for (const [imported, alias] of clause.names ?? []) {
        if (alias !== whole) continue;
        // A module imported by name from its package, or a namespace passed on by another module.
        for (const file of this.#modules.pythonSubmodule(scope.path, clause.module, imported)) {
          if (await this.#offers(file, name, target, 0)) return true;
        }
        for (const file of this.files(scope, clause))
          if (await this.#offersWhole(file, imported, name, target)) return true;
      }
    }
    return false;
  }

  files(scope: Scope, clause: Pick<Import, "module">): string[] {
    return this.#modules.resolve(styleOf(scope.syntax), scope.path, clause.module);
  }

  /** Every file an import statement leads to, modules that are imported by name included. */
  filesOfImport(scope: Scope, clause: Import): string[] {
    const files = this.files(scope, clause);
    if (styleOf(scope.syntax) !== "python") return files;
    const modules = (clause.names ?? []).flatMap(([name]) =>
      this.#modules.pythonSubmodule(scope.path, clause.module, name),
    );
    return [...new Set([...files, ...modules])];
  }

  async #imports(scope: Scope, name: string, target: Target): Promise<boolean> {
    for (const clause of scope.syntax.imports) {
      const imported = clause.names?.find(([, alias]) => alias === name)?.[0];
      const wanted = imported ?? (clause.wildcard ? name : undefined);
      if (wanted !== undefined) {
        for (const file of this.files(scope, clause))
          if (await this.#offers(file, wanted, target, 0)) return true;
      }
      if (clause.whole === name) {
        for (const file of this.files(scope, clause))
          if (await this.#offers(file, "default", target, 0)) return true;
      }
    }
    return false;
  }

  /** Whether a file, asked for a name, gives the target: by declaring it or by passing it on. */
  async #offers(file: string, name: string, target: Target, depth: number): Promise<boolean> {
    const syntax = await this.#syntax(file);
    if (!syntax || depth > 8) return false;
    const own = name === "default" ? (syntax.default ?? "default") : name;
    if (file === target.file && own === target.name) return true;
    if (declares(syntax, own) && !isModuleAlias(syntax, own)) return false;
    const scope = { path: file, syntax };
    for (const clause of syntax.imports) {
      const imported = clause.names?.find(([, alias]) => alias === own)?.[0];
      const wanted = imported ?? (clause.wildcard && name !== "default" ? own : undefined);
      if (wanted === undefined) continue;
      for (const next of this.files(scope, clause)) {
        if (next !== file && (await this.#offers(next, wanted, target, depth + 1))) return true;
      }
    }
    return false;
  }

  /** `export * as whole from "m"` in `file`, or a whole import passed on. */
  async #offersWhole(file: string, whole: string, name: string, target: Target): Promise<boolean> {
    const syntax = await this.#syntax(file);
    for (const clause of syntax?.imports ?? []) {
      if (!syntax || clause.whole !== whole) continue;
      for (const next of this.files({ path: file, syntax }, clause))
        if (await this.#offers(next, name, target, 0)) return true;
    }
    return false;
  }

  #sharesPackage(scope: Scope, target: Target): boolean {
    switch (styleOf(scope.syntax)) {
      case "go":
        return posix.dirname(scope.path) === posix.dirname(target.file);
      case "java":
        return posix.dirname(scope.path) === posix.dirname(target.file);
      default:
        return false;
    }
  }

  async #syntax(path: string): Promise<FileSyntax | undefined> {
    const file = this.#project.words.file(path);
    return file && this.#project.syntax(file);
  }
}

const styleOf = (syntax: FileSyntax): ImportStyle => languageNamed(syntax.language)?.importStyle ?? "name";

/** Declared at the top of the file, or in a namespace there. */
function declares(syntax: FileSyntax, name: string): boolean {
  return syntax.declarations.some(
    (d) =>
      d.name === name &&
      (d.parent === -1 || syntax.declarations[d.parent]?.kind === "module") &&
      !(d.owner && d.kind === "method"),
  );
}

/** `const x = require("./x")` declares a name, but what it means is the module. */
function isModuleAlias(syntax: FileSyntax, name: string): boolean {
  return syntax.imports.some(
    (clause) => clause.whole === name || clause.names?.some(([, alias]) => alias === name),
  );
}
