import { chmodSync, lstatSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import type { Directory } from "./directory.ts";

/**
 * Removes a name with all below it, through open directories: one that is swapped for a link is unlinked, not entered.
 * Below the name, names are bytes, since not all of them are text.
 */
export function removeTree(directory: Directory, name: string | Buffer): void {
  const path = directory.spell(name);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return;
  if (!stats.isDirectory()) {
    unlinkSync(path);
    return;
  }
  using inner = directory.enter(name);
  if ((stats.mode & 0o700) !== 0o700) chmodSync(inner.at("."), 0o700);
  for (const child of readdirSync(inner.base, { encoding: "buffer" })) removeTree(inner, child);
  rmdirSync(path);
}
