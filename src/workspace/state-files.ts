import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeAll } from "./file-bytes.ts";
import { hasCode } from "./os-failure.ts";

/** For Wield's own folders (settings, state), by absolute path. Never for paths that a model gave. */

/** Makes the folder for its owner alone, whatever the umask; one that others may enter is closed to them. */
export function ensureDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  closeToOthers(path, 0o700);
}

/** Makes the file, empty, for its owner alone before anything is written to it; one that others may read is closed to them. */
export function ensurePrivateFile(path: string): void {
  ensureDirectory(dirname(path));
  closeSync(openSync(path, "a", 0o600));
  // SQLite gives its companions the mode of the database, but only when it makes them.
  for (const companion of ["", "-wal", "-shm"]) closeToOthers(`${path}${companion}`, 0o600);
}

function closeToOthers(path: string, mode: number): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats && (stats.mode & 0o077) !== 0 && stats.uid === process.getuid?.()) chmodSync(path, mode);
}

/** Where a path really leads, as far as it is there. */
export function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTDIR") || dirname(path) === path) throw error;
    return join(realPlace(dirname(path)), basename(path));
  }
}

export function isThere(path: string): boolean {
  return existsSync(path);
}

/** A word that changes whenever the file is written, replaced, made or removed; the file itself is not opened. */
export function fileState(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found ? `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}` : "not there";
  } catch (error) {
    return `not readable: ${(error as NodeJS.ErrnoException).code}`;
  }
}

export function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}

/** Old or new, never half; durable when it returns, unless that is not asked for. Readable by the owner alone. */
export function writeAtomic(
  path: string,
  content: string | Uint8Array | readonly Uint8Array[],
  { durable = true } = {},
): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Nobody else's: no two threads of one process have the same moment. Random bytes would load all of cryptography.
  const temporary = `${path}.${process.pid}-${process.hrtime.bigint().toString(36)}.tmp`;
  const fd = openSync(temporary, "wx", 0o600);
  try {
    const chunks = typeof content === "string" ? [Buffer.from(content)] : [content].flat();
    for (const chunk of chunks) writeAll(fd, chunk);
    if (durable) fsyncSync(fd);
    renameSync(temporary, path);
  } finally {
    closeSync(fd);
    rmSync(temporary, { force: true });
  }
}

export function removeFile(path: string): void {
  rmSync(path, { force: true });
}

export function namesIn(path: string): string[] {
  return readdirSync(path);
}
