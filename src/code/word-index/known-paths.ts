import { joinPath } from "../../workspace/path.ts";
import type { SurveyedFolders } from "../../workspace/workspace.ts";

export interface KnownPath {
  path: string;
  /** In milliseconds, when everything was last looked at; undefined for links and the like, which are not. */
  modified?: number;
}

/** Files, links and the like below a directory, in the order of a walk. */
export function* pathsBelow(surveyed: SurveyedFolders, path: string): Iterable<KnownPath> {
  const folder = surveyed.get(path);
  if (!folder) return;
  const { files, folders, others, first, modified } = folder;
  const place = new Map(files.map((name, i) => [name, first + i]));
  const inner = new Set(folders);
  for (const name of [...files, ...folders, ...others].sort()) {
    const own = joinPath(path, name);
    const at = place.get(name);
    if (inner.has(name)) yield* pathsBelow(surveyed, own);
    else if (at === undefined) yield { path: own };
    // As a Date has it: in whole milliseconds.
    else yield { path: own, modified: Math.round(modified[at] as number) };
  }
}
