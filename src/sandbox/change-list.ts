import { Failure } from "../failure/failure.ts";
import type { Entry, FileOperation, Plan, Workspace } from "../workspace/workspace.ts";
import type { HarvestedEntry } from "./sandbox.ts";

export interface Refusal {
  path: string;
  reason: string;
}

/** The operations that turn the workspace into what the run left, in a valid order. */
export async function operationsFor(
  entries: readonly HarvestedEntry[],
  workspace: Workspace,
): Promise<{ operations: FileOperation[]; refused: Refusal[] }> {
  const deletions: FileOperation[] = [];
  const directories: FileOperation[] = [];
  const files: FileOperation[] = [];
  const links: FileOperation[] = [];
  const refused: Refusal[] = [];
  const listed = new Set(entries.map(({ path }) => path));
  const gone = new Set(entries.filter(({ kind }) => kind === "deleted").map(({ path }) => path));

  for (const entry of entries) {
    const { path } = entry;
    if (hasAncestorIn(gone, path)) continue;
    const present = await typeAt(workspace, path);
    const clear = () => deletions.push({ op: "delete", path, recursive: true });
    switch (entry.kind) {
      case "deleted":
        if (present !== null) clear();
        break;
      case "directory":
        if (present === "directory" && entry.replaced) {
          deletions.push(...(await leftovers(workspace, path, listed)));
        }
        if (present === "directory") break;
        if (present !== null) clear();
        directories.push({ op: "mkdir", path });
        break;
      case "file":
        if (present !== null && present !== "file") clear();
        files.push({ op: "write", path, bytes: entry.bytes, mode: entry.mode, createDirs: true });
        break;
      case "link": {
        const objection = objectionToTarget(path, entry.target);
        if (objection !== undefined) {
          refused.push({ path, reason: objection });
          break;
        }
        if (present !== null && present !== "symlink") clear();
        links.push({ op: "link", path, target: entry.target, createDirs: true });
        break;
      }
      case "special":
        refused.push({
          path,
          reason: entry.notText
            ? "its name, or where it leads, is not UTF-8"
            : "pipes, sockets and devices are not carried over",
        });
    }
  }
  // Links come last: where they lead is judged in the tree that the run left.
  return { operations: [...deletions, ...directories, ...files, ...links], refused };
}

/** As many of the operations as the workspace accepts, and the plan of these; the others with its reason. */
export async function acceptable(
  operations: readonly FileOperation[],
  workspace: Workspace,
): Promise<{ accepted: FileOperation[]; plan: Plan; refused: Refusal[] }> {
  const refused: Refusal[] = [];
  let failures = 0;
  let plan: Plan | undefined;
  const sift = async (
    before: FileOperation[],
    candidates: readonly FileOperation[],
  ): Promise<FileOperation[]> => {
    if (candidates.length === 0) return [];
    try {
      plan = await workspace.plan([...before, ...candidates], { contents: false });
      return [...candidates];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures++;
      // A run that leaves nothing but traps does not get to keep us busy.
      if (candidates.length === 1 || failures > maxFailures) {
        refused.push(...candidates.map((operation) => ({ path: pathOf(operation), reason: error.message })));
        return [];
      }
      const middle = Math.ceil(candidates.length / 2);
      const first = await sift(before, candidates.slice(0, middle));
      return [...first, ...(await sift([...before, ...first], candidates.slice(middle)))];
    }
  };
  const accepted = await sift([], operations);
  // Where all are accepted, it was made of all: thousands of files are not read a second time.
  const whole = plan && failures === 0 ? plan : await workspace.plan(accepted, { contents: false });
  return { accepted, plan: whole, refused };
}

const maxFailures = 100;

export function pathOf(operation: FileOperation): string {
  return operation.op === "move" ? operation.to : operation.path;
}

async function typeAt(workspace: Workspace, path: string): Promise<Entry["type"] | null> {
  try {
    return (await workspace.statIfThere(path))?.type ?? null;
  } catch (error) {
    // A path that is no path of a workspace is refused later, with the reason.
    if (error instanceof Failure) return null;
    throw error;
  }
}

/** The previous contents of a directory that was removed and recreated. */
async function leftovers(
  workspace: Workspace,
  path: string,
  listed: ReadonlySet<string>,
): Promise<FileOperation[]> {
  const removed = new Set<string>();
  for await (const entry of workspace.walk({ under: path, hidden: true, ignored: true, directories: true })) {
    if (!listed.has(entry.path) && !hasAncestorIn(removed, entry.path)) removed.add(entry.path);
  }
  return [...removed].map((gone) => ({ op: "delete", path: gone, recursive: true }));
}

function hasAncestorIn(paths: ReadonlySet<string>, path: string): boolean {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (paths.has(path.slice(0, end))) return true;
  }
  return false;
}

/**
 * What can be told from the words alone; the workspace judges the rest by walking. Going back (`..`) is for the start
 * of a target: after a name, it would depend on where another link leads, now or later.
 */
function objectionToTarget(path: string, target: string): string | undefined {
  if (target.startsWith("/"))
    return `it points to ${target}, which only the sandbox has; use a relative target`;
  const parts = target.split("/").filter((part) => part !== "" && part !== ".");
  const back = parts.findIndex((part) => part !== "..");
  const steps = back === -1 ? parts.length : back;
  if (steps > path.split("/").length - 1) return `it points to ${target}, outside the workspace`;
  if (parts.slice(steps).includes("..")) return `it points to ${target}, back through another place`;
  return undefined;
}
