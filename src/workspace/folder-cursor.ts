import type { Directory } from "./directory.ts";
import { readFileAt } from "./file-bytes.ts";
import { hasCode, osFailure } from "./os-failure.ts";
import { namesOf } from "./path.ts";

/** A name in an open directory. */
export interface ExactPlace extends Disposable {
  directory: Directory;
  name: string;
}

/** Finds places of paths without symlinks; null when their parents are not there as directories. */
export interface ExactPlaces {
  findExact(path: string): ExactPlace | null;
}

/**
 * Keeps the directories of one path open, for visiting many paths in order: only the parts that differ from the
 * previous path are opened. Paths come from a survey and contain no symlinks; a name that has become one fails to
 * open.
 */
export class FolderCursor implements ExactPlaces, Disposable {
  readonly #root: Directory;
  readonly #rootPath: string;
  readonly #open: { name: string; directory: Directory }[] = [];
  #scratch: Buffer | undefined;

  constructor(root: Directory, rootPath: string) {
    this.#root = root;
    this.#rootPath = rootPath;
  }

  /** The directory at a path; valid until the next call. */
  at(path: string): Directory {
    return this.#enter(path === "." ? [] : path.split("/"));
  }

  #enter(names: readonly string[]): Directory {
    let same = 0;
    while (same < this.#open.length && this.#open[same]?.name === names[same]) same++;
    this.#close(same);
    for (const name of names.slice(same)) this.#open.push({ name, directory: this.#here.enter(name) });
    return this.#here;
  }

  /** As the jail's, but good until the next call only. */
  findExact(path: string): ExactPlace | null {
    let names: string[];
    try {
      names = namesOf(path, this.#rootPath);
    } catch {
      return null;
    }
    if (names.includes("..")) return null;
    const name = names.pop() ?? ".";
    try {
      return { directory: this.#enter(names), name, [Symbol.dispose]: () => undefined };
    } catch (error) {
      if (hasCode(error, "ENOTDIR", "ELOOP", "EMLINK", "ENOENT", "ENAMETOOLONG")) return null;
      throw osFailure(error, path);
    }
  }

  /** Bytes of a regular file, good until the next call; null when it is larger, gone, or not to be read. */
  read(folder: string, name: string, maxBytes: number): Buffer | null {
    this.#scratch ??= Buffer.allocUnsafeSlow(maxBytes + 1);
    try {
      return readFileAt(this.at(folder), name, name, maxBytes, this.#scratch).bytes;
    } catch {
      return null;
    }
  }

  get #here(): Directory {
    return this.#open.at(-1)?.directory ?? this.#root;
  }

  #close(from: number): void {
    for (const { directory } of this.#open.splice(from).reverse()) directory[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.#close(0);
  }
}
