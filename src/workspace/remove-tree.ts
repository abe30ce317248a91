import { chmodSync, readdirSync, rmdirSync, type Stats, unlinkSync } from "node:fs";
import type { Directory } from "./directory.ts";

/** Removes a name with all below it, through open directories: a directory swapped for a link is unlinked, not entered. */
export function removeTree(directory: Directory, name: string): void {
  const stats = directory.stats(name);
  if (!stats) return;
  if (stats.isDirectory()) {
    emptyDirectory(directory, name, stats);
    rmdirSync(directory.at(name));
  } else {
    unlinkSync(directory.at(name));
  }
}

function emptyDirectory(directory: Directory, name: string, stats: Stats): void {
  using inner = directory.enter(name);
  if ((stats.mode & 0o700) !== 0o700) chmodSync(inner.at("."), 0o700);
  for (const entry of readdirSync(inner.base, { withFileTypes: true, encoding: "buffer" })) {
    const child = entry.name.toString();
    // Names that are not UTF-8 have no spelling as text; they are reached by their bytes, one level of them.
    if (child.includes("\uFFFD") && !entry.isDirectory())
      unlinkSync(Buffer.concat([Buffer.from(`${inner.base}/`), entry.name]));
    else removeTree(inner, child);
  }
}
