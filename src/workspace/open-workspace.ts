import { join } from "node:path";
import { rememberSuccess } from "../failure/remember-success.ts";
import { ChangeSets } from "./change-sets.ts";
import { listPath, readPath, resolvePath, statIfThere, statPath } from "./files.ts";
import { Jail } from "./jail.ts";
import { Journal } from "./journal.ts";
import { hashOf } from "./node.ts";
import { isThere } from "./state-files.ts";
import { surveyTree } from "./survey.ts";
import { ignoringBelow, readEach, walk } from "./walk.ts";
import type { WholeWorkspace } from "./workspace.ts";

const defaults = { capBytes: 64_000_000, quotaBytes: 1_000_000_000 };

export interface WorkspaceOptions {
  /** Wield's state folder, outside the workspace; each workspace has a folder in it. */
  stateDir: string;
  /** Bytes kept to undo one change, and of all changes together. */
  journal?: { capBytes: number; quotaBytes: number };
  /** False for a folder that nobody uses after a crash: changes and journal are not synced to the disk. */
  durable?: boolean;
}

/**
 * Opens a directory as a workspace. If a journal exists, incomplete changes of a process that died are rolled back
 * first. If there is none yet, the first change creates it, so reading needs no journal.
 */
export async function openWorkspace(root: string, options: WorkspaceOptions): Promise<WholeWorkspace> {
  const { capBytes, quotaBytes } = options.journal ?? defaults;
  const jail = new Jail(root);
  const folder = journalFolder(options.stateDir, jail.root);
  let opened: Promise<{ journal: Journal; changeSets: ChangeSets }> | undefined;
  const open = async () => {
    const journal = await Journal.open(folder, quotaBytes, options.durable);
    const changeSets = new ChangeSets(jail, journal, capBytes);
    try {
      await changeSets.recover();
    } catch (error) {
      journal.close();
      throw error;
    }
    return { journal, changeSets };
  };
  const changing = rememberSuccess(async () => {
    opened = open();
    return (await opened).changeSets;
  });
  // A journal that cannot be opened prevents changes but not reading; the next change tries again and reports the
  // reason.
  if (isThere(folder)) await changing().catch(() => undefined);
  return {
    root: jail.root,
    stat: async (path) => statPath(jail, path),
    statIfThere: async (path) => statIfThere(jail, path),
    resolve: async (path) => resolvePath(jail, path),
    read: async (path, { maxBytes } = {}) => readPath(jail, path, maxBytes),
    list: async (path) => listPath(jail, path),
    walk: (walkOptions) => walk(jail, walkOptions),
    readEach: (readOptions, visit) => readEach(jail, readOptions, visit),
    ignoring: async (under, ruleNames) => ignoringBelow(jail, under, ruleNames),
    survey: (before, options) => surveyTree(jail, before, options),
    plan: async (operations, options) => (await changing()).plan(operations, options),
    apply: async (operations, by) => (await changing()).apply(operations, by),
    changes: async (query) => (await changing()).changes(query),
    change: async (id) => (await changing()).change(id),
    planReversal: async (direction, which) => (await changing()).planReversal(direction, which),
    reverse: async (direction, which, by) => (await changing()).reverse(direction, which, by),
    position: async () => (isThere(folder) ? (await changing()).position() : 0),
    planRewind: async (point) => (await changing()).planRewind(point),
    rewind: async (point, by) => (await changing()).rewind(point, by),
    close: () => {
      opened?.then(
        ({ journal }) => journal.close(),
        () => undefined,
      );
      jail.close();
    },
  };
}

/** Where the journal of a workspace is kept. Named after the workspace, so that a person finds it; a path too long for a name is told apart by its hash. */
export function journalFolder(stateDir: string, root: string): string {
  const name = encodeURIComponent(root);
  const short = name.length <= 200 ? name : `${name.slice(0, 150)}-${hashOf(Buffer.from(root)).slice(0, 32)}`;
  return join(stateDir, "journals", short);
}
