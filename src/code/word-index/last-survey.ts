import { isThere } from "../../workspace/state-files.ts";
import type { IndexFolder } from "../files/files.ts";
import { indexFolder } from "../files/workspace-files.ts";

/** When everything was found to be as the kept index has it, and when Wield last changed a file: in milliseconds. */
const surveyedName = "surveyed.json";
const changedName = "changed.json";

/** What was looked at: a change in place may be seen in all files, or in those of code. */
export type Scope = "all" | "code";

interface Surveyed {
  /** Names the index that the files were found to be as. */
  state: string;
  at: number;
  scope: Scope;
}

/**
 * The look that found the files as this state of the kept index has them; undefined when Wield itself, in
 * whichever process, has changed something since. So may short commands in a row share one look, and none misses a change
 * that was announced.
 */
export function lastSurvey(
  folder: Pick<IndexFolder, "read">,
  state: string,
  now = Date.now(),
): Surveyed | undefined {
  const surveyed = read<Surveyed>(folder, surveyedName);
  if (surveyed?.state !== state || !(surveyed.at <= now)) return undefined;
  const changed = read<{ at: number }>(folder, changedName);
  return changed && !(changed.at < surveyed.at) ? undefined : surveyed;
}

export function tellSurvey(folder: Pick<IndexFolder, "write">, surveyed: Surveyed): void {
  tell(folder, surveyedName, surveyed);
}

export function tellChange(folder: Pick<IndexFolder, "write">, at = Date.now()): void {
  tell(folder, changedName, { at });
}

/** For who changes files without having opened the index, which may not even be there. */
export function announceChange(indexPath: string): void {
  if (isThere(indexPath)) tellChange(indexFolder(indexPath));
}

/** Where it cannot be written (a full disk, a folder taken away), other processes are at most a second behind. */
function tell(folder: Pick<IndexFolder, "write">, name: string, value: object): void {
  try {
    folder.write(name, [Buffer.from(JSON.stringify(value))]);
  } catch {
    return;
  }
}

function read<T>(folder: Pick<IndexFolder, "read">, name: string): T | undefined {
  try {
    return JSON.parse(folder.read(name)?.toString() ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}
