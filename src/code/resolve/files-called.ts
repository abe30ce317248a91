import { posix } from "node:path";
import { languageNamed, languageOf } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import { findExact } from "./definitions.ts";
import type { ModuleFiles } from "./module-files.ts";
import { filesDeclaring, filesOfPath } from "./modules-named.ts";
import { filesOfNamespace } from "./namespaces.ts";

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

/** The files of a module, given as a path, as an import writes it, or by the full name of a type that it declares. */
export async function modulesCalled(
  project: Project,
  modules: ModuleFiles,
  modulePath: string,
): Promise<string[]> {
  const files = filesCalled(project, modulePath);
  if (files.some((file) => languageOf(file))) return files;
  const ofNamespace = await filesOfNamespace(project, modulePath);
  if (ofNamespace.length > 0) return ofNamespace;
  if (files.length > 0) return files;
  const found = (["path", "python", "go", "rust", "java", "include"] as const).flatMap((style) =>
    modules.resolve(style, "x.ts", modulePath),
  );
  // `require("a.b")` in Lua.
  const paths = [
    modulePath,
    ...(/^\w+(?:\.\w+)+$/.test(modulePath) ? [modulePath.replaceAll(".", "/")] : []),
  ];
  const loaded = paths.flatMap((path) => modules.resolve("load path", "x.ts", path));
  if (found.length > 0 || loaded.length > 0) return [...new Set([...found, ...loaded])];
  const inCrates = filesOfPath(project, modules, modulePath);
  if (inCrates.length > 0) return inCrates;
  const declaring = await filesDeclaring(project, modulePath);
  if (declaring.length > 0) return declaring;
  // `App\\Store`, `App::Store`
  const isTypeName = /^\\?(?:\w+(?:\\|::))*[A-Z]\w*$/.test(modulePath);
  const types = isTypeName ? await findExact(project, modulePath.replace(/^\\/, ""), "type") : [];
  return [...new Set(types.map(({ file }) => file))];
}
