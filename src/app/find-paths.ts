import type { Workspace } from "../workspace/workspace.ts";

/** Enough for completion, and a bound for huge folders. */
const maxLooked = 50_000;

export interface FindPathsOptions {
  limit?: number;
  signal?: AbortSignal;
}

/** The files that match the beginning of a path as a person types it: by name, then by path, then by letters in order. */
export async function findPaths(
  workspace: Workspace,
  wanted: string,
  mayRead: (path: string) => boolean,
  { limit = 8, signal }: FindPathsOptions = {},
): Promise<string[]> {
  const letters = wanted.toLowerCase();
  const found: { path: string; rank: number }[] = [];
  let looked = 0;
  for await (const { path } of workspace.walk(signal ? { signal } : {})) {
    if (++looked > maxLooked) break;
    const rank = rankOf(path.toLowerCase(), letters);
    if (rank !== undefined) found.push({ path, rank });
  }
  found.sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
  const shown: string[] = [];
  for (const { path } of found) {
    if (shown.length === limit) break;
    if (mayRead(path)) shown.push(path);
  }
  return shown;
}

function rankOf(path: string, letters: string): number | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name.startsWith(letters)) return 0;
  if (name.includes(letters)) return 1;
  if (path.includes(letters)) return 2;
  let at = 0;
  for (const letter of letters) {
    at = path.indexOf(letter, at) + 1;
    if (at === 0) return undefined;
  }
  return 3;
}
