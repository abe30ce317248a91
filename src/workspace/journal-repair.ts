import { readdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { journalFile } from "./journal.ts";
import { ensureDirectory } from "./state-files.ts";

/**
 * Runs after the rows of a damaged journal were recovered: registers the contents that recovered changes need, and
 * moves the contents of lost changes aside, since nothing refers to them any more.
 */
export function restoreContents(folder: string, aside: string): void {
  const blobs = join(folder, "blobs");
  const names = readdirSync(blobs);
  using db = new DatabaseSync(join(folder, journalFile));
  const needed = neededIn(db, blobs, new Set(names));
  const orphans = names.filter((name) => !needed.has(name));
  if (orphans.length === 0) return;
  ensureDirectory(join(folder, aside));
  for (const name of orphans) renameSync(join(blobs, name), join(folder, aside, name));
}

function neededIn(db: DatabaseSync, blobs: string, there: ReadonlySet<string>): Set<string> {
  const changes = db.prepare("SELECT seq, steps FROM change").all();
  const add = db.prepare("INSERT OR IGNORE INTO blob (seq, hash, size) VALUES (?, ?, ?)");
  for (const { seq, steps } of changes)
    for (const [hash] of String(steps).matchAll(/\b[0-9a-f]{64}\b/g))
      if (there.has(hash)) add.run(Number(seq), hash, statSync(join(blobs, hash)).size);
  return new Set(
    db
      .prepare("SELECT hash FROM blob")
      .all()
      .map(({ hash }) => String(hash)),
  );
}
