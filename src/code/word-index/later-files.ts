import type { SurveyedFolder, SurveyedFolders } from "../../workspace/workspace.ts";
import { doubles } from "./packed.ts";

/** How the folders of a survey differ from those of an earlier one. */
export interface FolderChanges {
  /** New, or not as they were. */
  changed: SurveyedFolder[];
  gone: string[];
}

/** Records that are the very same count as unchanged: a survey gives back what it knew. */
export function folderChanges(before: SurveyedFolders, after: SurveyedFolders): FolderChanges {
  return {
    changed: [...after.values()].filter((folder) => before.get(folder.path) !== folder),
    gone: [...before.keys()].filter((path) => !after.has(path)),
  };
}

export function withChanges(before: SurveyedFolders, { changed, gone }: FolderChanges): SurveyedFolders {
  const after = new Map(before);
  for (const path of gone) after.delete(path);
  for (const folder of changed) after.set(folder.path, folder);
  return after;
}

/** Names for a JSON text, and numbers apart: JSON has no NaN. */
type NamesOfFolder = Pick<SurveyedFolder, "path" | "rules" | "folders" | "files" | "others">;

export function packFolders(all: readonly SurveyedFolder[]): {
  names: NamesOfFolder[];
  numbers: Float64Array;
} {
  return {
    names: all.map(({ path, rules, folders, files, others }) => ({ path, rules, folders, files, others })),
    numbers: Float64Array.from(
      all.flatMap(({ time, rulesState, files, first, sizes, times, modified }) => [
        time,
        rulesState,
        ...[sizes, times, modified].flatMap((numbers) => files.map((_, i) => numbers[first + i] as number)),
      ]),
    ),
  };
}

export function unpackFolders(names: readonly NamesOfFolder[], bytes: Uint8Array): SurveyedFolder[] {
  const numbers = doubles(bytes);
  let at = 0;
  const take = (count: number) => {
    at += count;
    return numbers.subarray(at - count, at);
  };
  return names.map((folder) => {
    const [time = Number.NaN, rulesState = Number.NaN] = take(2);
    const count = folder.files.length;
    return {
      ...folder,
      time,
      rulesState,
      first: 0,
      sizes: take(count),
      times: take(count),
      modified: take(count),
    };
  });
}
