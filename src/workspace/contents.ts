import { closeSync } from "node:fs";
import { Failure } from "../failure/failure.ts";
import type { Blobs } from "./blobs.ts";
import { readFileAt, writeAll } from "./file-bytes.ts";
import type { ExactPlace, ExactPlaces } from "./folder-cursor.ts";
import type { FileNode } from "./node.ts";

/** The contents of one change by hash: passed with it, stored in the journal, or still on disk. */
export class Contents {
  readonly #places: ExactPlaces;
  readonly #blobs: Blobs;
  readonly #given: ReadonlyMap<string, Uint8Array>;
  /** Paths on disk by hash, true until the change begins. */
  readonly #sources: ReadonlyMap<string, string>;
  /** What was read from disk to be shown; the bytes of a change that can be shown are few. */
  readonly #read = new Map<string, Buffer>();

  constructor(
    places: ExactPlaces,
    blobs: Blobs,
    given: ReadonlyMap<string, Uint8Array>,
    sources: ReadonlyMap<string, string>,
  ) {
    this.#places = places;
    this.#blobs = blobs;
    this.#given = given;
    this.#sources = sources;
  }

  /** Null if the content no longer exists anywhere. */
  bytesOf(file: FileNode): Buffer | null {
    const given = this.#given.get(file.hash);
    if (given) return Buffer.from(given);
    if (this.#blobs.has(file.hash)) return this.#blobs.read(file.hash);
    const path = this.#sources.get(file.hash);
    if (path === undefined) return null;
    using place = this.#placeOf(path);
    const { bytes } = readFileAt(place.directory, place.name, path, file.size);
    this.#read.set(file.hash, bytes);
    return bytes;
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
      throw new Failure("INTERNAL_ERROR", `The content ${file.hash} is no longer in the journal.`);
    }
    const read = this.#read.get(file.hash);
    if (read) {
      if (!this.#blobs.save(file.hash, read)) throw changedSince(path);
      return;
    }
    using place = this.#placeOf(path);
    const { fd } = place.directory.openFile(place.name, path);
    try {
      if (!this.#blobs.save(file.hash, fd)) throw changedSince(path);
    } finally {
      closeSync(fd);
    }
  }

  #placeOf(path: string): ExactPlace {
    const place = this.#places.findExact(path);
    if (!place) throw changedSince(path);
    return place;
  }
}

function changedSince(path: string): Failure {
  const message = `\`${path}\` changed while it was being saved for undo. Read it again and retry.`;
  return new Failure("CONFLICT", message);
}
