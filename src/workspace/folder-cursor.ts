import type { Directory } from "./directory.ts";
import { readFileAt } from "./file-bytes.ts";

/**
 * Directories held open along one path, for who visits many places in order: from one to the next, only what differs is
 * opened. Paths are those of a survey, free of symlinks; a name that has become one fails to open.
 */
export class FolderCursor implements Disposable {
  readonly #root: Directory;
  readonly #open: { name: string; directory: Directory }[] = [];
  #scratch: Buffer | undefined;

  constructor(root: Directory) {
    this.#root = root;
  }

  /** The directory at a path; good until the next call. */
  at(path: string): Directory {
    const names = path === "." ? [] : path.split("/");
    let same = 0;
    while (same < this.#open.length && this.#open[same]?.name === names[same]) same++;
    this.#close(same);
    for (const name of names.slice(same)) this.#open.push({ name, directory: this.#here.enter(name) });
    return this.#here;
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
