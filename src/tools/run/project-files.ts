import { Failure } from "../../failure/failure.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Questions about what kind of project lies where; what cannot be read counts as not there. */

export async function exists(workspace: Workspace, path: string): Promise<boolean> {
  return (await undefinedOnFailure(() => workspace.stat(path))) !== undefined;
}

export async function textOf(workspace: Workspace, path: string): Promise<string> {
  return (await undefinedOnFailure(() => workspace.read(path)))?.bytes.toString("utf8") ?? "";
}

export async function namesIn(workspace: Workspace, path: string): Promise<string[]> {
  return ((await undefinedOnFailure(() => workspace.list(path))) ?? []).map(({ name }) => name);
}

/** The directories from a path up to the root, nearest first. */
export function upward(path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return [...parts.map((_, n) => parts.slice(0, parts.length - n).join("/")), "."];
}

export function inside(directory: string, name: string): string {
  return directory === "." ? name : `${directory}/${name}`;
}

/** Undefined in place of a failure. */
export async function undefinedOnFailure<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
