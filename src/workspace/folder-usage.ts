import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

export interface FolderUsage {
  files: number;
  bytes: number;
  /** When something in it was last written, in milliseconds. */
  newest: number;
}

/** The disk usage of one of Wield's own files or folders; zero if it does not exist. */
export function folderUsage(path: string): FolderUsage {
  // A link is not followed: in a worktree it may lead anywhere.
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return { files: 0, bytes: 0, newest: 0 };
  if (!found.isDirectory()) return { files: 1, bytes: found.blocks * 512, newest: found.mtimeMs };
  const usage: FolderUsage = { files: 0, bytes: 0, newest: 0 };
  for (const name of readdirSync(path)) {
    const inside = folderUsage(join(path, name));
    usage.files += inside.files;
    usage.bytes += inside.bytes;
    usage.newest = Math.max(usage.newest, inside.newest);
  }
  return { ...usage, newest: usage.newest || found.mtimeMs };
}

/** Removes one of Wield's own files or folders. */
export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
}
