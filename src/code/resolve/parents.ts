// The types directly above and below one, under the names they have where they are declared.
import { posix } from "node:path";
import { familyOfLanguage } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import { defaultOf, type Relative, stemOf } from "../syntax/parent-types.ts";

export async function parentsOf(project: Project, type: string): Promise<Set<string>> {
  const found = new Set<string>();
  for (const { name, paths } of project.relatives(type, "up")) {
    const stem = /^default (.*)$/.exec(name)?.[1];
    if (stem === undefined) found.add(name);
    else for (const path of paths) for (const one of await defaultsOf(project, path, stem)) found.add(one);
  }
  return found;
}

export async function childrenOf(project: Project, type: string): Promise<Set<string>> {
  const found = new Set(project.relatives(type, "down").map(({ name }) => name));
  for (const file of project.declaring(type)) {
    if (familyOfLanguage(file.language) !== "script") continue;
    if ((await project.syntax(file))?.default !== type) continue;
    for (const child of project.relatives(defaultOf(file.path), "down"))
      if (await leadsTo(project, child, file.path)) found.add(child.name);
  }
  return found;
}

/** What the modules give as a whole that a file imports by a path with this end. */
async function defaultsOf(project: Project, path: string, stem: string): Promise<string[]> {
  const found: string[] = [];
  for (const target of await modulesOf(project, path, stem))
    for (const extension of extensions) {
      const file = project.words.file(`${target}${extension}`);
      const name = file && (await project.syntax(file))?.default;
      if (name !== undefined) found.push(name);
    }
  return found;
}

/** Whether a file that names a parent by a module means this one. Paths that are not relative are not followed. */
async function leadsTo(project: Project, { paths }: Relative, target: string): Promise<boolean> {
  const ends = extensions.filter((one) => target.endsWith(one)).map((one) => target.slice(0, -one.length));
  for (const path of paths) {
    const modules = await modulesOf(project, path, stemOf(target));
    if (modules.length === 0 || modules.some((one) => one === target || ends.includes(one))) return true;
  }
  return false;
}

const extensions = [".ts", ".tsx", ".js", ".jsx", ".mts", ".mjs", ".cts", ".cjs"].flatMap((one) => [
  one,
  `/index${one}`,
]);

/** Where the relative imports of a file lead that have this end, without their extension. */
async function modulesOf(project: Project, path: string, stem: string): Promise<string[]> {
  const file = project.words.file(path);
  const imports = (file && (await project.syntax(file))?.imports) ?? [];
  return imports
    .filter(({ module }) => module.startsWith(".") && stemOf(posix.join(path, "..", module)) === stem)
    .map(({ module }) => posix.join(posix.dirname(path), module).replace(/\.[cm]?[jt]sx?$/, ""));
}
