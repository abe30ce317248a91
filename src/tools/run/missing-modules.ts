import { workspaceInside } from "../../sandbox/confine.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { exists, inside, textOf } from "./project-files.ts";

interface Manifest {
  scripts?: Record<string, string>;
}

/** A file that package.json names and that is not there: the build has not been run. */
export async function missingBuild(
  printed: string,
  directory: string,
  workspace: Workspace,
): Promise<string[]> {
  const text = await textOf(workspace, inside(directory, "package.json"));
  if (text === "") return [];
  const named = [...printed.matchAll(/Cannot find (?:module|package) '(?:file:\/\/)?([^']+)'/g)]
    .map(([, path = ""]) => path.replace(`${workspaceInside}/`, ""))
    .map((path) => (directory === "." ? path : path.replace(`${directory}/`, "")))
    .filter((path) => !path.startsWith("/") && !path.includes("node_modules"));
  const [missing] = [...new Set(named)].filter((path) => text.includes(`${path.replace(/^\.\//, "")}"`));
  if (missing === undefined || (await exists(workspace, inside(directory, missing)))) return [];
  const scripts = Object.keys(scriptsIn(text)).filter((name) =>
    /^(build|compile|prepare|prepack)\b/.test(name),
  );
  const how =
    scripts.length > 0
      ? `Build it first, with the script ${scripts.slice(0, 3).join(" or ")} of package.json.`
      : "Build it first.";
  const packages = (await exists(workspace, inside(directory, "node_modules")))
    ? ""
    : ' node_modules is not there either: install_package({"manager":"npm","packages":[]}).';
  return [`${missing}, which package.json names, is not there: it is made by the build. ${how}${packages}`];
}

function scriptsIn(text: string): Record<string, string> {
  try {
    return (JSON.parse(text) as Manifest).scripts ?? {};
  } catch {
    return {};
  }
}

/** The package in `src/` that Python did not find, because nobody has installed it. */
export async function packageInSrc(
  printed: string,
  directory: string,
  workspace: Workspace,
): Promise<string | undefined> {
  const name = /ModuleNotFoundError: No module named '(\w+)/.exec(printed)?.[1];
  if (name === undefined) return undefined;
  return (await exists(workspace, inside(directory, `src/${name}/__init__.py`))) ? name : undefined;
}
