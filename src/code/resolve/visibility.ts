import { typeKinds, unknownPath } from "../languages/language.ts";
import { familyOfLanguage, languageNamed } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import { isAdding } from "../syntax/assignments.ts";
import type { FileSyntax } from "../syntax/syntax.ts";
import type { Definition } from "./definitions.ts";
import type { ModuleFiles } from "./module-files.ts";

/** Whether a bare name in a file means a definition elsewhere: surely, perhaps (only the name agrees), or not. */
export type Sight = "sure" | "by name" | "no";

interface Scope {
  path: string;
  syntax: FileSyntax;
}

/**
 * What a file sees of what others declare at their top, in languages that need no import of single names: C and C++ by
 * includes and linkage, Bash by what is sourced, C# and PHP by namespaces, the rest by what is said to be private.
 */
export class Visibility {
  readonly #project: Project;
  readonly #modules: ModuleFiles;
  readonly #reached = new Map<string, Promise<Set<string>>>();
  readonly #includers = new Map<string, Promise<string[]>>();
  readonly #declaring = new Map<string, Promise<string[]>>();

  constructor(project: Project, modules: ModuleFiles) {
    this.#project = project;
    this.#modules = modules;
  }

  async sight(scope: Scope, target: Definition): Promise<Sight> {
    if (familyOf(scope.syntax) !== familyOf(target.syntax)) return "no";
    if (scope.path === target.file) return "sure";
    switch (languageNamed(scope.syntax.language)?.scoping) {
      case "included":
        return this.#linked(scope, target);
      case "sourced":
        return this.#sourced(scope, target);
      case "namespaced":
        return inNamespace(scope, target);
      default:
        return isPrivate(target) ? "no" : this.#alone(target);
    }
  }

  /** C: what is static, a type or a macro is seen where its file is included; the rest wherever a header declares it. */
  async #linked(scope: Scope, target: Definition): Promise<Sight> {
    const { name, kind, signature } = target.declaration;
    const seen = await this.#reach(scope);
    if (seen.has(target.file)) return "sure";
    const own = topLevel(scope.syntax, name);
    if (own.some((d) => !d.bodiless && !/^extern\b/.test(d.signature))) return "no";
    const known = await this.#reach({ path: target.file, syntax: target.syntax });
    if (known.has(scope.path)) return "sure";
    const isInHeader = headerName.test(target.file);
    // What is only declared here, `struct node;`, may be any type of that name.
    if (typeKinds.has(kind)) return "by name";
    // A file that is included by others sees what they included before it.
    if (/\bstatic\b/.test(signature) || (kind !== "func" && kind !== "var"))
      return isInHeader || (await this.#areIncludedTogether(scope.path, target.file)) ? "by name" : "no";
    const heads: string[] = own.length > 0 ? [scope.path] : [];
    for (const path of seen) {
      const syntax = await this.#syntax(path);
      if (syntax && topLevel(syntax, name).length > 0) heads.push(path);
    }
    // Without a declaration that both sides know, only the linker can tell.
    return heads.some((path) => known.has(path)) ? "sure" : "by name";
  }

  /** Whether some file includes both of two sources. */
  async #areIncludedTogether(one: string, other: string): Promise<boolean> {
    for (const includer of await this.#includersOf(other)) {
      const syntax = await this.#syntax(includer);
      if (syntax && (await this.#reach({ path: includer, syntax })).has(one)) return true;
    }
    return false;
  }

  #includersOf(path: string): Promise<string[]> {
    let found = this.#includers.get(path);
    if (!found) {
      found = this.#findIncluders(path);
      this.#includers.set(path, found);
    }
    return found;
  }

  async #findIncluders(path: string): Promise<string[]> {
    const stem = /([\w$]+)\.\w+$/.exec(path)?.[1];
    const found: string[] = [];
    for (const { file } of stem ? this.#project.words.withWord(stem) : []) {
      const syntax = file.language ? await this.#project.syntax(file) : undefined;
      const style = languageNamed(syntax?.language ?? "")?.importStyle;
      if (style !== "include") continue;
      const isIncluded = syntax?.imports.some(({ module }) =>
        this.#modules.resolve(style, file.path, module).includes(path),
      );
      if (isIncluded) found.push(file.path);
    }
    return found;
  }

  /** A function is known to whoever sources its file; a script may also rely on who sources it. */
  async #sourced(scope: Scope, target: Definition): Promise<Sight> {
    if (topLevel(scope.syntax, target.declaration.name).some((d) => !isAdding(d))) return "no";
    if ((await this.#reach(scope)).has(target.file)) return "sure";
    return (await this.#reach({ path: target.file, syntax: target.syntax })).has(scope.path)
      ? "sure"
      : "by name";
  }

  /** Where nothing limits what is seen: sure when nothing else in the language has the name. */
  async #alone({ file, declaration: { name }, syntax }: Definition): Promise<Sight> {
    const key = `${familyOf(syntax)} ${name}`;
    // Asked for every declaration of the name in every file: a module may be opened in hundreds of them.
    let declaring = this.#declaring.get(key);
    if (!declaring) {
      declaring = this.#filesDeclaring(name, familyOf(syntax));
      this.#declaring.set(key, declaring);
    }
    return (await declaring).some((path) => path !== file) ? "by name" : "sure";
  }

  /** The files that declare a name at their top. */
  async #filesDeclaring(name: string, family: string): Promise<string[]> {
    const found: string[] = [];
    for (const { path } of this.#project.declaring(name)) {
      const syntax = await this.#syntax(path);
      const isTop = (one: FileSyntax) =>
        topLevel(one, name).some((d) => !d.bodiless && !/^extern\b/.test(d.signature));
      if (syntax && familyOf(syntax) === family && isTop(syntax)) found.push(path);
    }
    return found;
  }

  /** All files that a file includes or sources, directly or not. */
  #reach(scope: Scope): Promise<Set<string>> {
    let reached = this.#reached.get(scope.path);
    if (!reached) {
      reached = this.#follow(scope);
      this.#reached.set(scope.path, reached);
    }
    return reached;
  }

  async #follow(start: Scope): Promise<Set<string>> {
    const found = new Set<string>();
    const queue: Scope[] = [start];
    for (const { path, syntax } of queue) {
      const style = languageNamed(syntax.language)?.importStyle ?? "name";
      for (const { module } of syntax.imports) {
        const files = this.#modules.resolve(style, path, module);
        // Which of several a script reads is known only when it runs.
        if (files.length > 1 && module.startsWith(unknownPath)) continue;
        for (const file of files) {
          if (file === start.path || found.has(file)) continue;
          found.add(file);
          const next = await this.#syntax(file);
          if (next) queue.push({ path: file, syntax: next });
        }
      }
    }
    return found;
  }

  async #syntax(path: string): Promise<FileSyntax | undefined> {
    const file = this.#project.words.file(path);
    return file && this.#project.syntax(file);
  }
}

const headerName = /\.(?:h|hh|hpp|hxx|inc|inl|ipp)$/;

const familyOf = ({ language }: FileSyntax) => familyOfLanguage(language);

function topLevel(syntax: FileSyntax, name: string) {
  return syntax.declarations.filter(
    (d) => d.name === name && (d.parent === -1 || syntax.declarations[d.parent]?.kind === "module"),
  );
}

export const isPrivate = ({ declaration: { signature } }: Pick<Definition, "declaration">) =>
  /^(?:local|private|fileprivate)\b/.test(signature);

/** Seen in its own file only, though it stands at the top. */
export const isOfFileOnly = (d: Pick<Definition, "declaration" | "syntax">) =>
  languageNamed(d.syntax.language)?.privateIsOfFile === true && d.declaration.parent === -1 && isPrivate(d);

/** The namespace that something at the top of a file is in, with dots. */
export function namespaceOf({ declaration: { kind, owner, signature }, syntax }: Definition): string {
  // `define("NAME", 1)` in PHP is of no namespace, wherever it stands.
  if (kind === "const" && /^\\?define\s*\(/.test(signature)) return "";
  return [syntax.package, owner].filter(Boolean).join(".").replaceAll("\\", ".");
}

function inNamespace({ syntax }: Scope, target: Definition): Sight {
  const wanted = namespaceOf(target);
  const here = [
    (syntax.package ?? "").replaceAll("\\", "."),
    ...syntax.declarations
      .filter((d) => d.kind === "module")
      .map((d) => [d.owner, d.name].filter(Boolean).join(".").replaceAll("\\", ".")),
  ];
  const { name, kind } = target.declaration;
  const full = [wanted, name].filter(Boolean).join(".");
  if (syntax.imports.some(({ module, wildcard }) => !wildcard && module.replaceAll("\\", ".") === full))
    return "sure";
  if (languageNamed(syntax.language)?.globalFunctions) {
    const isGlobal = wanted === "" && !typeKinds.has(kind);
    return isGlobal || here.includes(wanted) ? "sure" : "no";
  }
  if (wanted === "" || here.some((space) => space === wanted || space.startsWith(`${wanted}.`)))
    return "sure";
  // A `global using` may stand in any file.
  return syntax.imports.some(({ module, wildcard }) => wildcard && module === wanted) ? "sure" : "by name";
}
