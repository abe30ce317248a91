import { dirname, join, relative } from "node:path";
import { sha256 } from "../text/digest.ts";
import { isThere, readOrdinary, realPlace } from "../workspace/state-files.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Notes for agents: of the workspace, of one of its folders, or of a folder above it (`../AGENTS.md`). */
export interface NotesFile {
  path: string;
  bytes: Buffer;
  fingerprint: string;
}

/** Where projects keep what agents should know, the first that is there. */
const names = ["AGENTS.md", "CLAUDE.md"];
/** Nobody writes so much for a model to read. */
const maxBytes = 1024 * 1024;
const mostFolders = 500;

/** The notes in a folder of the workspace, by default its own. */
export async function notesFile(workspace: Workspace, folder = "."): Promise<NotesFile | undefined> {
  for (const name of names) {
    const path = join(folder, name);
    const found = await workspace.read(path, { maxBytes }).catch(() => undefined);
    if (found) return { path, bytes: Buffer.from(found.bytes), fingerprint: found.fingerprint };
  }
  return undefined;
}

/** The notes above a workspace that is a part of a repository, up to the repository's folder; outermost first. */
export function notesAbove(root: string): NotesFile[] {
  const above = foldersAbove(root);
  return above.flatMap((folder) => {
    const found = names.map((name) => join(folder, name)).find((path) => isThere(path));
    // A link may lead anywhere: nothing but the workspace itself holds one inside.
    const bytes =
      found !== undefined && realPlace(found) === found ? readOrdinary(found, maxBytes) : undefined;
    if (found === undefined || !bytes) return [];
    return [{ path: relative(root, found), bytes, fingerprint: sha256(bytes) }];
  });
}

/** Everything that trusting this workspace would let agents follow. */
export async function allNotes(workspace: Workspace): Promise<NotesFile[]> {
  const folders = new Set(["."]);
  for await (const { path, type } of workspace.walk({})) {
    if (type === "file" && names.includes(path.slice(path.lastIndexOf("/") + 1))) folders.add(dirname(path));
    if (folders.size > mostFolders) break;
  }
  const below = await Promise.all([...folders].sort().map((folder) => notesFile(workspace, folder)));
  return [...notesAbove(workspace.root), ...below.filter((found) => found !== undefined)];
}

/** From the repository's folder down to the parent of `root`; none where `root` is that folder or in no repository. */
function foldersAbove(root: string): string[] {
  const folders: string[] = [];
  for (let folder = root; !isThere(join(folder, ".git")); folder = dirname(folder)) {
    if (folder === dirname(folder)) return [];
    folders.unshift(dirname(folder));
  }
  return folders;
}
