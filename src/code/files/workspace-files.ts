import { join } from "node:path";
import {
  ensureDirectory,
  ensurePrivateFile,
  namesIn,
  readIfThere,
  removeFile,
  writeAtomic,
} from "../../workspace/state-files.ts";
import type { WholeWorkspace } from "../../workspace/workspace.ts";
import type { IndexFolder, ReadCommits, SourceFiles } from "./files.ts";

export function workspaceFiles(
  workspace: Pick<WholeWorkspace, "root" | "survey" | "stat" | "read">,
  pastCommits?: ReadCommits,
): SourceFiles {
  return {
    root: workspace.root,
    survey: (before, options) => workspace.survey(before, options),
    stat: (path) =>
      workspace.stat(path).then(
        ({ size, type }) => ({ size, isFile: type === "file" }),
        () => undefined,
      ),
    read: async (path, maxBytes) =>
      (await workspace.read(path, maxBytes === undefined ? {} : { maxBytes })).bytes,
    pastCommits,
  };
}

/** A folder of Wield's own, outside the workspace. */
export function indexFolder(path: string): IndexFolder {
  ensureDirectory(path);
  return {
    path,
    read: (name) => readIfThere(join(path, name)),
    // What a crash of the machine costs is built again: every part has its checksum.
    write: (name, chunks) => writeAtomic(join(path, name), chunks, { durable: false }),
    remove: (name) => removeFile(join(path, name)),
    names: () => namesIn(path),
    ensurePrivate: (name) => ensurePrivateFile(join(path, name)),
  };
}
