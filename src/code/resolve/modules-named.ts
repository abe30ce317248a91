// Modules by the name that code gives them: packages and types that files declare, and Rust's paths from the crate.
import { posix } from "node:path";
import { familyOfLanguage } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import { classOfFile, fullNamesOf, hasFullNames } from "./full-names.ts";
import type { ModuleFiles } from "./module-files.ts";

/** `a.b`, `a.b.Type`: the files that declare it, wherever they stand. */
export async function filesDeclaring(project: Project, name: string): Promise<string[]> {
  const last = name.split(".").at(-1) ?? name;
  if (!/^[\p{L}\p{N}_$.]+$/u.test(name) || last === "") return [];
  const declaring: string[] = [];
  const ofPackage: string[] = [];
  for (const { file } of project.words.withWord(last)) {
    const syntax = hasFullNames(file.language) ? await project.syntax(file) : undefined;
    if (!syntax) continue;
    if (syntax.package?.replaceAll("`", "") === name) ofPackage.push(file.path);
    const fileClass = await classOfFile(project, file.path, syntax.language);
    const names = syntax.declarations.flatMap((d) =>
      d.name === last ? fullNamesOf(syntax, d, fileClass) : [],
    );
    const isOfClass = fileClass === last && name === [syntax.package, fileClass].filter(Boolean).join(".");
    if (names.includes(name) || isOfClass) declaring.push(file.path);
  }
  return declaring.length > 0 ? declaring : ofPackage;
}

/** `crate::a::b`, `a::b`: the modules of that path in any crate here. */
export function filesOfPath(project: Project, modules: ModuleFiles, path: string): string[] {
  const parts = path.split("::").filter((part) => part !== "crate");
  if (parts.length === 0 || !parts.every((part) => /^\w+$/.test(part))) return [];
  const found = new Set<string>();
  for (const { path: root, language } of project.words.files()) {
    if (familyOfLanguage(language) !== "Rust" || !/(?:^|\/)(?:lib|main)\.rs$/.test(root)) continue;
    for (const file of modules.resolve("rust", root, `crate::${parts.join("::")}`))
      if (!isRootBeside(file, root) && isNamedIn(parts, file)) found.add(file);
  }
  return [...found];
}

const isRootBeside = (file: string, root: string) =>
  posix.dirname(file) === posix.dirname(root) && /(?:^|\/)(?:lib|main)\.rs$/.test(file);

/** The module itself, or that of a type in it. */
const isNamedIn = (parts: readonly string[], file: string) => {
  const name = posix.basename(file.replace(/\/mod\.rs$|\.rs$/, ""));
  return parts.slice(-2).includes(name);
};
