import { readlinkSync, type Stats } from "node:fs";
import type { Directory } from "./directory.ts";
import { readFileAt } from "./file-bytes.ts";
import type { Jail } from "./jail.ts";
import { fileFingerprint, hashOf, modeOf, typeOf } from "./node.ts";
import { nonUtf8Entry, nonUtf8Names } from "./non-utf8-names.ts";
import { osFailure } from "./os-failure.ts";
import { joinPath, nameOf, refused } from "./path.ts";
import type { Entry, FileContent, Identity } from "./workspace.ts";

const defaultMaxBytes = 10_000_000;

export function statPath(jail: Jail, path: string): Entry {
  using place = jail.find(path, "parents");
  try {
    const entry = entryOf(place.directory, place.name, place.path);
    if (entry) return entry;
  } catch (error) {
    throw osFailure(error, path);
  }
  // Resolved again as a path that must exist, for the error that suggests similar names.
  using found = jail.find(path);
  return statPath(jail, found.path);
}

/** The same; null where nothing is. */
export function statIfThere(jail: Jail, path: string): Entry | null {
  using place = jail.findIfThere(path, "parents");
  try {
    return (place && entryOf(place.directory, place.name, place.path)) ?? null;
  } catch (error) {
    throw osFailure(error, path);
  }
}

/** What a path leads to in the end: its own path is free of symlinks and `..`. */
export function resolvePath(jail: Jail, path: string): Entry {
  using place = jail.find(path);
  const { stats, directory, name } = place;
  const entry = stats && entryFrom(stats, directory, name, place.path);
  return entry ?? statPath(jail, place.path);
}

export function readPath(jail: Jail, path: string, maxBytes = defaultMaxBytes): FileContent {
  using place = jail.find(path);
  try {
    const { bytes, stats } = readFileAt(place.directory, place.name, path, maxBytes);
    const mode = modeOf(stats);
    return {
      bytes,
      size: bytes.length,
      modified: stats.mtime.toISOString(),
      mode,
      place: place.path,
      identity: identityOf(stats),
      // Computed on demand: most readers do not need the hash, and it is the most expensive part of a read.
      get fingerprint() {
        return fileFingerprint(mode, hashOf(bytes));
      },
    };
  } catch (error) {
    throw osFailure(error, path);
  }
}

export function listPath(jail: Jail, path: string): Entry[] {
  using place = jail.find(path);
  try {
    if (place.name === ".") return entriesIn(place.directory, place.path);
    if (!place.stats?.isDirectory())
      throw refused(`\`${path}\` is not a directory. Read it as a file, or list the directory it is in.`);
    using directory = place.directory.enter(place.name);
    return entriesIn(directory, place.path);
  } catch (error) {
    throw osFailure(error, path);
  }
}

/** Undefined when the name is gone. */
export function entryOf(
  directory: Directory,
  name: string,
  path: string,
  withIdentity = false,
): Entry | undefined {
  const stats = directory.stats(name);
  const entry = stats && entryFrom(stats, directory, name, path);
  return entry && withIdentity ? { ...entry, identity: identityOf(stats) } : entry;
}

export function identityOf({ dev, ino, nlink, ctimeMs }: Stats): Identity {
  return { id: `${dev}:${ino}`, links: nlink, changed: ctimeMs };
}

function entryFrom(stats: Stats, directory: Directory, name: string, path: string): Entry {
  const type = typeOf(stats);
  const entry = {
    path,
    name: nameOf(path),
    type,
    size: stats.size,
    modified: stats.mtime.toISOString(),
    mode: modeOf(stats),
  };
  return type === "symlink" ? { ...entry, target: targetOf(directory, name) } : entry;
}

function entriesIn(directory: Directory, path: string): Entry[] {
  const names = directory.names();
  const entries = names.map((name) => entryOf(directory, name, joinPath(path, name)));
  return [
    ...entries.filter((entry) => entry !== undefined),
    ...nonUtf8Names(directory, names).map((raw) => nonUtf8Entry(raw, path)),
  ];
}

function targetOf(directory: Directory, name: string): string {
  try {
    return readlinkSync(directory.at(name));
  } catch {
    return "";
  }
}
