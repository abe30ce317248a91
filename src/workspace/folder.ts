import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../failure/failure.ts";
import { hasCode } from "./os-failure.ts";
import type { Workspace } from "./workspace.ts";

const maxBytes = 1_000_000;

/** Files below one place, read only. Paths are relative to it, with `/`. */
export interface Folder {
  /** The name to show to people. */
  label: string;
  /** Regular files, sorted; empty if the folder does not exist. */
  list(): Promise<FolderFile[]>;
  read(path: string): Promise<string>;
}

export interface FolderFile {
  path: string;
  /** Changes when the file does. */
  stamp: string;
}

/** A folder of Wield's state or of the user's settings, by absolute path. Never for paths from a model. */
export function ownFolder(root: string): Folder {
  return {
    label: root,
    list: async () => {
      const entries = readdirIfThere(root).filter((entry) => entry.isFile());
      return entries
        .map((entry) => {
          const file = join(entry.parentPath, entry.name);
          const { mtimeMs, size, ino } = statSync(file);
          return { path: file.slice(root.length + 1), stamp: `${mtimeMs}:${size}:${ino}` };
        })
        .sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    read: async (path) => readFileSync(join(root, path), "utf8"),
  };
}

/** A folder of the workspace: everything goes through its jail. */
export function workspaceFolder(workspace: Workspace, under: string): Folder {
  return {
    label: under,
    list: async () => {
      const files: FolderFile[] = [];
      try {
        for await (const entry of workspace.walk({ under, ifThere: true, hidden: true, ignored: true })) {
          if (entry.type !== "file") continue;
          files.push({ path: entry.path.slice(under.length + 1), stamp: `${entry.modified}:${entry.size}` });
        }
      } catch (error) {
        // Something else has its name.
        if (!(error instanceof Failure && error.code === "INVALID_PATH")) throw error;
      }
      return files;
    },
    read: async (path) => (await workspace.read(`${under}/${path}`, { maxBytes })).bytes.toString(),
  };
}

function readdirIfThere(root: string) {
  // Checked with each call: a check is cheaper than an error.
  if (!existsSync(root)) return [];
  try {
    return readdirSync(root, { recursive: true, withFileTypes: true });
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return [];
    throw error;
  }
}
