import { closeSync } from "node:fs";
import { Failure } from "../failure/failure.ts";
import type { Blobs } from "./blobs.ts";
import { readFileAt, writeAll } from "./file-bytes.ts";
import type { Jail } from "./jail.ts";
import type { FileNode } from "./node.ts";

/** The bytes behind the hashes of one change: given with it, kept in the journal, or still on disk. */
export class Contents {
  readonly #jail: Jail;
  readonly #blobs: Blobs;
  readonly #given: ReadonlyMap<string, Uint8Array>;
  /** Paths on disk by hash, true until the change begins. */
  readonly #sources: ReadonlyMap<string, string>;

  constructor(
    jail: Jail,
    blobs: Blobs,
    given: ReadonlyMap<string, Uint8Array>,
    sources: ReadonlyMap<string, string>,
  ) {
    this.#jail = jail;
    this.#blobs = blobs;
    this.#given = given;
    this.#sources = sources;
  }

  /** Null when they are nowhere any more. */
  bytesOf(file: FileNode): Buffer | null {
    const given = this.#given.get(file.hash);
    if (given) return Buffer.from(given);
    if (this.#blobs.has(file.hash)) return this.#blobs.read(file.hash);
    const path = this.#sources.get(file.hash);
    if (path === undefined) return null;
    using place = this.#jail.find(path, "none");
    return readFileAt(place.directory, place.name, path, file.size).bytes;
  }

  /** Writes them to an open file. Not from disk: by then the disk may be changing. */
  writeTo(fd: number, file: FileNode): void {
    const given = this.#given.get(file.hash);
    for (const chunk of given ? [given] : this.#blobs.chunks(file.hash)) writeAll(fd, chunk);
  }

  isGiven(file: FileNode): boolean {
    return this.#given.has(file.hash);
  }

  /** Puts them into the journal. */
  keep(file: FileNode): void {
    const given = this.#given.get(file.hash);
    if (given) {
      this.#blobs.save(file.hash, given);
      return;
    }
    const path = this.#sources.get(file.hash);
    if (path === undefined) {
      if (this.#blobs.has(file.hash)) return;
      throw new Failure("INTERNAL_ERROR", `The content ${file.hash} is not in the journal any more.`);
    }
    using place = this.#jail.find(path, "none");
    const { fd } = place.directory.openFile(place.name, path);
    try {
      if (!this.#blobs.save(file.hash, fd)) {
        throw new Failure(
          "CONFLICT",
          `\`${path}\` changed while it was being saved for undo. Read it again and retry.`,
        );
      }
    } finally {
      closeSync(fd);
    }
  }
}
