import { dirname, join } from "node:path";
import { repairStore } from "../store/repair-store.ts";
import { databaseProblem, type SavedTable, salvage } from "../store/salvage.ts";
import { journalFile, journalSchema } from "../workspace/journal.ts";
import { restoreContents } from "../workspace/journal-repair.ts";
import { Lock } from "../workspace/lock.ts";
import { damagedFile } from "../workspace/state-failure.ts";
import { isThere, moveAside, namesIn, removeDatabase } from "../workspace/state-files.ts";
import type { Places } from "./places.ts";

/** One of Wield's own databases that cannot be used as it is. */
export interface StateProblem {
  file: string;
  message: string;
  /** `wield doctor --repair` can do something about it. */
  damaged: boolean;
}

/** A database that was made anew. */
export interface Repaired {
  file: string;
  /** Where the damaged one is now. */
  aside: string;
  saved: SavedTable[];
}

/** Looks at the store and at the journals of all folders. */
export function stateProblems(places: Places): StateProblem[] {
  return databases(places).flatMap((file) => {
    const problem = databaseProblem(file);
    if (!problem) return [];
    return [{ file, message: problem.message, damaged: damagedFile(problem) !== undefined }];
  });
}

/**
 * Moves damaged databases aside and creates new ones from what can be read. Intact ones are not changed. Records
 * without a known folder are assigned to `here`.
 */
export async function repairState(places: Places, here: string): Promise<Repaired[]> {
  const damaged = () => stateProblems(places).filter((problem) => problem.damaged);
  if (damaged().length === 0) return [];
  const lock = new Lock(join(places.stateDir, "repair.db"), "repairing its state");
  try {
    // Another process may have repaired it by now.
    return await lock.hold(async () => damaged().map(({ file }) => repair(file, places, here)));
  } finally {
    lock.close();
  }
}

function repair(file: string, places: Places, here: string): Repaired {
  const stamp = new Date().toISOString().replaceAll(/[-:]|\..*/g, "");
  const aside = `${file}.damaged-${stamp}`;
  moveAside(file, aside);
  const made = `${file}.new`;
  removeDatabase(made);
  if (file.endsWith("lock.db")) return { file, aside, saved: [] };
  const saved =
    file === places.storeFile
      ? repairStore(aside, made, here)
      : salvage(aside, made, { schema: journalSchema });
  moveAside(made, file);
  if (file !== places.storeFile) restoreContents(dirname(file), `blobs.damaged-${stamp}`);
  return { file, aside, saved };
}

function databases({ stateDir, storeFile }: Places): string[] {
  const journals = join(stateDir, "journals");
  const folders = isThere(journals) ? namesIn(journals).map((name) => join(journals, name)) : [];
  return [storeFile, ...folders.flatMap((folder) => [join(folder, "lock.db"), join(folder, journalFile)])];
}
