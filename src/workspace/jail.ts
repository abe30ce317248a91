import { readlinkSync, realpathSync, type Stats } from "node:fs";
import { Failure } from "../failure/failure.ts";
import { nearestNames } from "../text/nearest.ts";
import { type Anchoring, Directory } from "./directory.ts";
import { FolderCursor } from "./folder-cursor.ts";
import { hasCode, osFailure } from "./os-failure.ts";
import {
  joinPath,
  namesOf,
  namesOfTarget,
  outsideThroughSymlink,
  outsideWorkspace,
  refused,
  symlinkLoop,
} from "./path.ts";

const maxLinks = 40;
const maxNamesCompared = 2_000;

/** Which symlinks a walk follows: all, all but the last name, or none (a link on the way is then a `CONFLICT`). */
export type Following = "all" | "parents" | "none";

/**
 * The only way from a path to the file system. A path is resolved one name at a time while every directory on the way
 * stays open, so replacing a directory with a symlink during the walk has no effect: a symlink is read and its target
 * resolved in the same way, never followed by the system.
 */
export class Jail {
  /** Real path of the root. */
  readonly root: string;
  readonly #directory: Directory;

  constructor(root: string, anchoring: Anchoring = process.platform === "linux" ? "descriptor" : "path") {
    try {
      this.root = realpathSync(root);
      this.#directory = Directory.open(this.root, anchoring);
    } catch (error) {
      throw osFailure(error, root);
    }
  }

  /** The place that a path names. With `all` it must exist; otherwise only its parents must. */
  find(path: string, following: Following = "all"): Place {
    const place = this.#walk(path, following, (last, name) => {
      throw missing(path, last, name, following);
    });
    return place as Place;
  }

  /** The same for a path that need not be there. */
  findIfThere(path: string, following: Following = "all"): Place | undefined {
    // Most often not even the first name is there, and an error of the system costs more than a look.
    const [first] = namesOf(path, this.root);
    if (first !== undefined && first !== ".." && !this.#directory.stats(first)) return undefined;
    return this.#walk(path, following, (last) => last[Symbol.dispose]());
  }

  /** `ifMissing` gets the last existing directory and the name that is missing in it. */
  #walk(
    path: string,
    following: Following,
    ifMissing: (last: Place, name: string) => void,
  ): Place | undefined {
    const pending = namesOf(path, this.root).reverse();
    const place = new Place(this.#directory);
    let links = 0;
    try {
      while (true) {
        const name = pending.pop();
        if (name === undefined) return place;
        if (name === "..") {
          if (!place.leave()) throw links > 0 ? outsideThroughSymlink(path) : outsideWorkspace(path);
          continue;
        }
        const isLast = pending.length === 0;
        if (isLast && following !== "all") return place.at(name);
        if (!isLast && place.enter(name)) continue;
        const stats = place.directory.stats(name);
        if (!stats) {
          ifMissing(place, name);
          return undefined;
        }
        const isLink = stats.isSymbolicLink();
        if (isLast && !isLink) return place.at(name, stats);
        if (!isLink && !stats.isDirectory()) {
          const file = joinPath(place.path, name);
          throw refused(`\`${file}\` is not a directory, so \`${path}\` cannot be inside it.`);
        }
        if (isLink && following === "none") throw changedOnTheWay(path, name);
        if (++links > maxLinks) throw symlinkLoop(path);
        const target = isLink ? targetOf(place.directory, name) : undefined;
        // It changed between two checks, so check again.
        if (target === undefined) {
          pending.push(name);
          continue;
        }
        const { fromRoot, names } = namesOfTarget(target, this.root, path);
        if (fromRoot) while (place.leave());
        pending.push(...names.reverse());
      }
    } catch (error) {
      place[Symbol.dispose]();
      throw osFailure(error, path);
    }
  }

  /** The place of a path without symlinks; null if its parents are not directories or no longer exist. */
  findExact(path: string): Place | null {
    try {
      return this.find(path, "none");
    } catch (error) {
      if (error instanceof Failure && ["FILE_NOT_FOUND", "INVALID_PATH", "CONFLICT"].includes(error.code))
        return null;
      throw error;
    }
  }

  /** For visiting many directories in order. Dispose it to close them. */
  cursor(): FolderCursor {
    return new FolderCursor(this.#directory, this.root);
  }

  close(): void {
    this.#directory[Symbol.dispose]();
  }
}

/** A name in an open directory. Dispose it to close every descriptor of the walk. */
export class Place implements Disposable {
  readonly #root: Directory;
  readonly #walked: { directory: Directory; name: string }[] = [];
  /** `.` when the place is the directory itself. */
  name = ".";
  /** What was found at the name, when the walk looked. */
  stats: Stats | undefined;

  constructor(root: Directory) {
    this.#root = root;
  }

  get directory(): Directory {
    return this.#walked.at(-1)?.directory ?? this.#root;
  }

  /** From the root, free of symlinks and `..`. */
  get path(): string {
    const names = this.#walked.map(({ name }) => name);
    return this.name === "." ? names.join("/") || "." : [...names, this.name].join("/");
  }

  /** False when the name is not there as a directory. */
  enter(name: string): boolean {
    try {
      this.#walked.push({ directory: this.directory.enter(name), name });
      return true;
    } catch (error) {
      if (hasCode(error, "ENOTDIR", "ELOOP", "EMLINK", "ENOENT")) return false;
      throw error;
    }
  }

  /** False at the root. */
  leave(): boolean {
    const last = this.#walked.pop();
    last?.directory[Symbol.dispose]();
    return last !== undefined;
  }

  at(name: string, stats?: Stats): this {
    this.name = name;
    this.stats = stats;
    return this;
  }

  [Symbol.dispose](): void {
    while (this.leave());
  }
}

/** Undefined when it is no symlink any more. */
function targetOf(directory: Directory, name: string): string | undefined {
  try {
    return readlinkSync(directory.at(name));
  } catch (error) {
    if (hasCode(error, "EINVAL", "ENOENT")) return undefined;
    throw error;
  }
}

function changedOnTheWay(path: string, name: string): Failure {
  return new Failure(
    "CONFLICT",
    `\`${name}\` on the way to \`${path}\` has become a symlink. List the directory and try again.`,
  );
}

/** Similar names are suggested only if a caller wrote the path. */
function missing(path: string, place: Place, name: string, following: Following): MissingPath {
  const candidates = following === "none" ? [] : namesIn(place.directory);
  const near = nearestNames(name, candidates).map((found) => joinPath(place.path, found));
  return new MissingPath(path, name, place.path, near);
}

/** Nothing is at a path. The message suggests names that are similar, as far as they may be seen. */
export class MissingPath extends Failure {
  readonly showing: (maySee: (path: string) => boolean) => MissingPath;

  constructor(path: string, name: string, folder: string, near: readonly string[]) {
    let advice = `List \`${folder}\` to see what is there.`;
    if (near.length > 0) advice = `Did you mean ${near.map((found) => `\`${found}\``).join(" or ")}?`;
    if (name.includes("\\")) advice = "Write `/` between names, not `\\`.";
    const where = `there is no \`${name}\` in \`${folder}\``;
    super("FILE_NOT_FOUND", `\`${path}\` does not exist: ${where}. ${advice}`);
    this.showing = (maySee) => new MissingPath(path, name, folder, near.filter(maySee));
  }
}

function namesIn(directory: Directory): string[] {
  try {
    return directory.names().slice(0, maxNamesCompared);
  } catch {
    return [];
  }
}
