import { join } from "node:path";
import { Failure } from "../events/failure.ts";
import { ChangeSets } from "./change-sets.ts";
import { listPath, readPath, resolvePath, statPath } from "./files.ts";
import { Jail } from "./jail.ts";
import { Journal } from "./journal.ts";
import { hashOf } from "./node.ts";
import { readEach, walk } from "./walk.ts";
import type { Workspace } from "./workspace.ts";

const defaults = { capBytes: 64_000_000, quotaBytes: 1_000_000_000 };

export interface WorkspaceOptions {
  /** Wield's own folder for state, outside the workspace; each workspace has a folder in it. */
  stateDir: string;
  /** Bytes kept to undo one change, and of all changes together. */
  journal?: { capBytes: number; quotaBytes: number };
}

/** Opens a directory as a workspace, and first takes back what a process that died in the middle of a change left. */
export async function openWorkspace(root: string, options: WorkspaceOptions): Promise<Workspace> {
  const { capBytes, quotaBytes } = options.journal ?? defaults;
  const jail = new Jail(root);
  const journal = openJournal(
    join(options.stateDir, "journals", hashOf(Buffer.from(jail.root)).slice(0, 16)),
    quotaBytes,
  );
  const changeSets = new ChangeSets(jail, journal, capBytes);
  await changeSets.recover();
  return {
    root: jail.root,
    stat: async (path) => statPath(jail, path),
    resolve: async (path) => resolvePath(jail, path),
    read: async (path, { maxBytes } = {}) => readPath(jail, path, maxBytes),
    list: async (path) => listPath(jail, path),
    walk: (walkOptions) => walk(jail, walkOptions),
    readEach: (readOptions, visit) => readEach(jail, readOptions, visit),
    plan: (operations) => changeSets.plan(operations),
    apply: (operations, by) => changeSets.apply(operations, by),
    changes: (query) => changeSets.changes(query),
    change: (id) => changeSets.change(id),
    planReversal: (direction, which) => changeSets.planReversal(direction, which),
    reverse: (direction, which, by) => changeSets.reverse(direction, which, by),
    close: () => {
      journal.close();
      jail.close();
    },
  };
}

function openJournal(folder: string, quotaBytes: number): Journal {
  try {
    return new Journal(folder, quotaBytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(
      "UNAVAILABLE",
      `The journal in ${folder} cannot be opened: ${reason}. Make the folder writable, or move it away to start a new one.`,
    );
  }
}
