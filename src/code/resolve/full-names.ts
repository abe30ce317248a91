// Names by the package that their file declares, whatever the file is called: in Java, Kotlin and Scala.
import { posix } from "node:path";
import { familyOfLanguage, languageNamed } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import type { Declaration, FileSyntax, Import } from "../syntax/syntax.ts";
import { isOfFileOnly } from "./visibility.ts";

/** A name at the top of a file. */
export interface Target {
  file: string;
  name: string;
  /** The type that it is a member of, where that is known. */
  owner?: string;
  isOfFileOnly?: boolean;
}

interface Scope {
  path: string;
  syntax: FileSyntax;
}

/** Whether names are known by the package that their file declares. */
export const hasFullNames = (language: string) => languageNamed(language)?.packageIs === "declared";

export class FullNames {
  readonly #project: Project;
  readonly #found = new Map<string, Promise<Map<string, Target[]>>>();

  constructor(project: Project) {
    this.#project = project;
  }

  /** What an import of a full name means, or one of everything in a package or type: `module` is that with the name. */
  async imported(scope: Scope, module: string, name: string): Promise<Target[]> {
    if (!hasFullNames(scope.syntax.language)) return [];
    const all = await this.#declared(name, scope.syntax.language);
    for (const path of pathsOf(scope.syntax, module.replaceAll("`", ""))) {
      const found = all.get(path)?.filter((target) => !target.isOfFileOnly || target.file === scope.path);
      if (found?.length) return found;
    }
    return [];
  }

  /** What a name means that comes with the package, without an import. */
  async ofPackage(scope: Scope, name: string): Promise<Target[]> {
    const own = scope.syntax.package;
    if (!hasFullNames(scope.syntax.language)) return [];
    const all = await this.#declared(name, scope.syntax.language);
    // What extends a type is called on a value of it.
    const isSeen = ({ file, isOfFileOnly, owner }: Target) =>
      !isOfFileOnly &&
      owner === undefined &&
      (own !== undefined || posix.dirname(file) === posix.dirname(scope.path));
    return all.get(own === undefined ? name : `${own}.${name}`)?.filter(isSeen) ?? [];
  }

  #declared(name: string, language: string): Promise<Map<string, Target[]>> {
    const family = familyOfLanguage(language);
    const key = `${family} ${name}`;
    let found = this.#found.get(key);
    if (!found) {
      found = this.#find(name, family);
      this.#found.set(key, found);
    }
    return found;
  }

  async #find(name: string, family: string): Promise<Map<string, Target[]>> {
    const found = new Map<string, Target[]>();
    for (const { path, language } of this.#project.declaring(name)) {
      const file = familyOfLanguage(language) === family ? this.#project.words.file(path) : undefined;
      const syntax = file && (await this.#project.syntax(file));
      const fileClass = syntax && (await classOfFile(this.#project, path, syntax.language));
      for (const d of syntax?.declarations ?? []) {
        if (d.name !== name || !syntax) continue;
        const target = {
          file: path,
          name,
          ...(d.owner !== undefined && { owner: d.owner }),
          ...(isOfFileOnly({ declaration: d, syntax }) && { isOfFileOnly: true }),
        };
        for (const full of fullNamesOf(syntax, d, fileClass))
          found.set(full, [...(found.get(full) ?? []), target]);
      }
    }
    return found;
  }
}

/** The class that holds what stands at the top of a file, for other languages of the family. */
export async function classOfFile(
  project: Project,
  path: string,
  language: string,
): Promise<string | undefined> {
  const { classOfFile: byPath, classInFile } = languageNamed(language) ?? {};
  if (!byPath) return undefined;
  const source = classInFile ? await project.source(path).catch(() => "") : "";
  return classInFile?.exec(source)?.[1] ?? byPath(path);
}

/** The names under which an import may write a declaration. */
export function fullNamesOf(syntax: FileSyntax, declaration: Declaration, fileClass?: string): string[] {
  const { name, owner, parent, kind } = declaration;
  const inPackage = (...parts: (string | undefined)[]) =>
    [syntax.package?.replaceAll("`", ""), ...parts].filter(Boolean).join(".");
  const isOfFile = parent === -1 && owner === undefined && /^(?:func|var|const)$/.test(kind);
  // What extends a type is imported without that.
  const isExtension = parent === -1 && owner !== undefined;
  return [
    inPackage(owner, name),
    ...(isExtension ? [inPackage(name)] : []),
    ...(fileClass !== undefined && (isOfFile || isExtension) ? [inPackage(fileClass, name)] : []),
  ];
}

/** A path as it is written, or seen from the packages around where imports may be relative. */
export function pathsOf({ language, package: own = "" }: FileSyntax, written: string): string[] {
  if (!languageNamed(language)?.importsAreRelative) return [written];
  const parts = own.split(".");
  const around = parts.map((_, i) => parts.slice(0, parts.length - i).join("."));
  return [written.replace(/^_root_\./, ""), ...around.filter(Boolean).map((space) => `${space}.${written}`)];
}

/** The targets of which every name is known in full, and all those names: an import must write one of them, or its package. */
export class ImportableNames {
  readonly #files = new Map<string, { own: string; names: ReadonlySet<string> }>();

  static async of(project: Project, targets: readonly string[]): Promise<ImportableNames> {
    const found = new ImportableNames();
    for (const path of targets) {
      const file = project.words.file(path);
      const syntax = file && hasFullNames(file.language) ? await project.syntax(file) : undefined;
      if (!syntax) continue;
      const fileClass = await classOfFile(project, path, syntax.language);
      const names = new Set(syntax.declarations.flatMap((d) => fullNamesOf(syntax, d, fileClass)));
      if (fileClass) names.add([syntax.package, fileClass].filter(Boolean).join("."));
      found.#files.set(path, { own: syntax.package ?? "", names });
    }
    return found;
  }

  has(target: string): boolean {
    return this.#files.has(target);
  }

  /** Whether a clause of a file brings something that one of the targets declares. */
  isImported({ path, syntax }: Scope, { module, wildcard }: Pick<Import, "module" | "wildcard">): boolean {
    const written = pathsOf(syntax, module.replaceAll("`", ""));
    for (const [target, { own, names }] of this.#files) {
      if (target === path) continue;
      // `import static a.Type.inherited`
      const isNamed = (full: string) => names.has(full) || names.has(full.slice(0, full.lastIndexOf(".")));
      if (written.some((full) => (wildcard ? full === own || names.has(full) : isNamed(full)))) return true;
    }
    return false;
  }

  /** Words of which an import of a target must write one. */
  wordsOf(target: string): string[] {
    const { own = "", names = [] } = this.#files.get(target) ?? {};
    const depth = own === "" ? 0 : own.split(".").length;
    const words = [...names].flatMap((full) => full.split(".")[depth] ?? []);
    return [...new Set([...words, ...own.split(".").slice(-1)])].filter(Boolean);
  }
}
