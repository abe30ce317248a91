import { Failure } from "../../failure/failure.ts";
import { nearestNames } from "../../text/nearest.ts";
import { visibleLine } from "../../text/visible.ts";
import type { Workspace } from "../../workspace/workspace.ts";

const mostPaths = 3;
/** Files looked at for a similar path. */
const mostFiles = 50_000;

/** Runs `work`; when it fails because the file is not there, the failure names the files that may be meant. */
export async function orNearestPath<T>(
  workspace: Workspace,
  path: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "FILE_NOT_FOUND") throw error;
    const near = await nearestPaths(workspace, path);
    if (near.length === 0) throw error;
    throw new Failure(
      "FILE_NOT_FOUND",
      `${visibleLine(path)} does not exist. Did you mean ${near.map(visibleLine).join(" or ")}?`,
    );
  }
}

/** Files whose path differs in upper and lower case only; else those whose path ends as the wrong one does; else those with the same name, else with a similar one. */
async function nearestPaths(workspace: Workspace, path: string): Promise<string[]> {
  const paths = await allPaths(workspace);
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const inLowerCase = parts.join("/").toLowerCase();
  const sameLetters = paths.filter((one) => one.toLowerCase() === inLowerCase);
  if (sameLetters.length > 0) return sameLetters.slice(0, mostPaths);
  for (let from = 0; from < parts.length; from++) {
    const suffix = `/${parts.slice(from).join("/")}`;
    const found = paths.filter((one) => `/${one}`.endsWith(suffix));
    if (found.length > 0) return found.slice(0, mostPaths);
  }
  const byName = Map.groupBy(paths, (one) => one.slice(one.lastIndexOf("/") + 1));
  const near = nearestNames(parts.at(-1) ?? path, byName.keys());
  return near.flatMap((name) => byName.get(name) ?? []).slice(0, mostPaths);
}

async function allPaths(workspace: Workspace): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of workspace.walk()) if (paths.push(path) >= mostFiles) break;
  return paths;
}

/** Files whose path ends with all of the given one. */
export async function pathsEndingWith(workspace: Workspace, path: string): Promise<string[]> {
  const suffix = `/${path.replace(/^(?:\.?\/)+/, "")}`;
  return (await allPaths(workspace)).filter((one) => `/${one}`.endsWith(suffix));
}
