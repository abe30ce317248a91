import { join } from "node:path";
import { ensureDirectory, namesIn, readIfThere, removeFile, writeAtomic } from "../workspace/state-files.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { IndexFolder, SourceFiles } from "./files.ts";

export function workspaceFiles(workspace: Workspace): SourceFiles {
  return {
    each: (visit, { maxBytes, signal }) =>
      workspace.readEach({ hidden: true, maxBytes, ...(signal && { signal }) }, visit),
    stat: (path) =>
      workspace.stat(path).then(
        ({ size, modified, type }) => ({ path, size, modified, isFile: type === "file" }),
        () => undefined,
      ),
    read: async (path) => (await workspace.read(path)).bytes,
  };
}

/** A folder of Wield's own, outside the workspace. */
export function indexFolder(path: string): IndexFolder {
  ensureDirectory(path);
  return {
    path,
    read: (name) => readIfThere(join(path, name)),
    write: (name, bytes) => writeAtomic(join(path, name), bytes),
    remove: (name) => removeFile(join(path, name)),
    names: () => namesIn(path),
  };
}
