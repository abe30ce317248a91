import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  type Dirent,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, parse } from "node:path";
import { writeAll } from "./file-bytes.ts";
import { hasCode } from "./os-failure.ts";
import { isFull } from "./state-failure.ts";

/** For Wield's own folders (settings, state), by absolute path. Never for paths from a model. */

/**
 * Creates the folder for its owner only, whatever the umask; an existing folder that others may enter is restricted.
 */
export function ensureDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  closeToOthers(path, 0o700);
}

/**
 * Creates the file, empty, for its owner only before anything is written to it; an existing file that others may read
 * is restricted.
 */
export function ensurePrivateFile(path: string): void {
  ensureDirectory(dirname(path));
  // Only when it is missing: closing any descriptor of a file drops the locks that SQLite holds on it in this process.
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  // SQLite gives its companion files the mode of the database, but only when it creates them.
  for (const companion of ["", "-wal", "-shm"]) closeToOthers(`${path}${companion}`, 0o600);
}

function closeToOthers(path: string, mode: number): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats && (stats.mode & 0o077) !== 0 && stats.uid === process.getuid?.()) chmodSync(path, mode);
}

/** The folder or, if it is not writable, a temporary one for this process, which `remove` deletes. */
export function writableFolder(path: string): { path: string; remove(): void } {
  try {
    ensureDirectory(path);
    accessSync(path, constants.W_OK);
    if (!isFull(path)) return { path, remove: () => undefined };
  } catch {
    // As good as full.
  }
  const temporary = mkdtempSync(join(tmpdir(), "wield-"));
  return { path: temporary, remove: () => rmSync(temporary, { recursive: true, force: true }) };
}

/** The real path, resolved as far as it exists. */
export function realPlace(path: string): string {
  const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
  if (isThere || dirname(path) === path) return realpathSync.native(path);
  return join(realPlace(dirname(path)), basename(path));
}

export function isThere(path: string): boolean {
  return existsSync(path);
}

/** A string that changes whenever the file is written, replaced, created or removed; the file itself is not opened. */
export function fileState(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found ? `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}` : "not there";
  } catch (error) {
    return `not readable: ${(error as NodeJS.ErrnoException).code}`;
  }
}

/** Identifies the file, to notice when another takes its place; undefined if there is none. */
export function fileNumber(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

export function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}

/**
 * Reads a file from a place where others can write: a regular file of at most `maxBytes`; undefined for anything
 * else.
 */
export function readOrdinary(path: string, maxBytes: number): Buffer | undefined {
  let fd: number;
  try {
    // Opening a pipe would wait for a writer.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(fd);
    return stats.isFile() && stats.size <= maxBytes ? readFileSync(fd).subarray(0, maxBytes) : undefined;
  } finally {
    closeSync(fd);
  }
}

/** Replaces the file atomically; durable when it returns, unless turned off. Readable by the owner only. */
export function writeAtomic(
  path: string,
  content: string | Uint8Array | readonly Uint8Array[],
  { durable = true } = {},
): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Unique per thread and moment. Random bytes would load the whole crypto module.
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

/**
 * Writes a file that the person requested into their folder without replacing anything: a taken name gets a number.
 * The name must not contain `/`. Returns the final name.
 */
export function writeNew(folder: string, name: string, bytes: Uint8Array): string {
  const { name: stem, ext } = parse(name);
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${stem}-${number}${ext}`;
    try {
      // Fails if the name exists, even as a link.
      const fd = openSync(join(folder, free), "wx", 0o666);
      try {
        writeAll(fd, bytes);
      } finally {
        closeSync(fd);
      }
      return free;
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
    }
  }
}

/** Moves one of Wield's own files or folders, with what SQLite keeps beside it. */
export function moveAside(path: string, to: string): void {
  for (const companion of ["", "-wal", "-shm"])
    if (existsSync(path + companion)) renameSync(path + companion, to + companion);
}

/** Copies a database with its write-ahead log. */
export function copyDatabase(path: string, to: string): void {
  for (const companion of ["", "-wal"])
    if (existsSync(path + companion)) copyFileSync(path + companion, to + companion);
}

/** Removes a database with its companions. */
export function removeDatabase(path: string): void {
  for (const companion of ["", "-wal", "-shm"]) rmSync(path + companion, { force: true });
}

/** Writes over the beginning of a file. */
export function overwriteStart(path: string, bytes: Uint8Array): void {
  const fd = openSync(path, "r+");
  try {
    writeAll(fd, bytes);
  } finally {
    closeSync(fd);
  }
}

export function removeFile(path: string): void {
  rmSync(path, { force: true });
}

/** Removes the folder with its contents, if it exists. */
export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** Every entry of this name in a folder and in those below, with everything in it; no link is followed. */
export function removeNamed(name: string, folder: string | Buffer): void {
  for (const entry of readableEntries(folder)) {
    // Names need not be text.
    const path = Buffer.concat([Buffer.from(folder), Buffer.from("/"), entry.name]);
    if (entry.name.equals(Buffer.from(name))) rmSync(path, { recursive: true, force: true });
    else if (entry.isDirectory()) removeNamed(name, path);
  }
}

/** A folder that is inaccessible here is inaccessible to programs that Wield starts, too. */
function readableEntries(folder: string | Buffer): Dirent<Buffer>[] {
  try {
    return readdirSync(folder, { withFileTypes: true, encoding: "buffer" });
  } catch (error) {
    if (hasCode(error, "EACCES")) return [];
    throw error;
  }
}

export function namesIn(path: string): string[] {
  return readdirSync(path);
}
