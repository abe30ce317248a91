import { posix } from "node:path";
import { languageNamed, languageOf } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import type { ModuleFiles } from "./module-files.ts";
import { filesDeclaring, filesOfPath } from "./modules-named.ts";

/** Files by path, with or without extension, from the root or as an import writes it; a folder stands for its index. */
export function filesCalled(project: Project, path: string): string[] {
  const wanted = posix.normalize(path.replace(/^(?:\.{1,2}\/)+|^\//, "")).replace(/\/$/, "");
  if (project.words.file(wanted)) return [wanted];
  const bare = languageOf(wanted) ? wanted.replace(/\.\w+$/, "") : wanted;
  const ends = [...project.words.files()]
    .map((file) => file.path)
    .filter((file) => {
      const stem = file.replace(/\.d\.\w+$|\.\w+$/, "").replace(/\/(?:index|__init__|mod)$/, "");
      return stem === bare || (stem.endsWith(`/${bare}`) && path.startsWith("."));
    });
  if (ends.length > 0) return ends;
  const folder = [...project.words.files()].filter(
    (file) => posix.dirname(file.path) === bare && languageNamed(file.language)?.packageIs === "folder",
  );
  return folder.map((file) => file.path);
}

/** The files of a module, given as a path or as an import writes it. */
export async function modulesCalled(
  project: Project,
  modules: ModuleFiles,
  modulePath: string,
): Promise<string[]> {
  const files = filesCalled(project, modulePath);
  if (files.length > 0) return files;
  const resolved = (["path", "python", "go", "rust", "java", "include"] as const).flatMap((style) =>
    modules.resolve(style, "x.ts", modulePath),
  );
  if (resolved.length > 0) return resolved;
  const inCrates = filesOfPath(project, modules, modulePath);
  return inCrates.length > 0 ? inCrates : filesDeclaring(project, modulePath);
}
