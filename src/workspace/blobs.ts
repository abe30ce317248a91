import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { chunksOf, writeAll } from "./file-bytes.ts";
import { ensureDirectory } from "./state-files.ts";

/** Contents by hash, one file each, in a folder of Wield's own. Guarded by the journal's lock. */
export class Blobs {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    ensureDirectory(folder);
  }

  has(hash: string): boolean {
    return statSync(this.#path(hash), { throwIfNoEntry: false }) !== undefined;
  }

  read(hash: string): Buffer {
    return readFileSync(this.#path(hash));
  }

  *chunks(hash: string): Generator<Uint8Array> {
    const fd = openSync(this.#path(hash), "r");
    try {
      yield* chunksOf(fd);
    } finally {
      closeSync(fd);
    }
  }

  /** Durable after `sync`. False when the content is not what the hash says. */
  save(hash: string, source: Uint8Array | number): boolean {
    if (this.has(hash)) return true;
    const temporary = join(this.#folder, `${randomBytes(8).toString("hex")}.tmp`);
    const fd = openSync(temporary, "wx", 0o600);
    try {
      const digest = createHash("sha256");
      for (const chunk of typeof source === "number" ? chunksOf(source) : [source]) {
        digest.update(chunk);
        writeAll(fd, chunk);
      }
      if (digest.digest("hex") !== hash) return false;
      fsyncSync(fd);
      renameSync(temporary, this.#path(hash));
      return true;
    } finally {
      closeSync(fd);
      rmSync(temporary, { force: true });
    }
  }

  /** Makes the names of what was saved survive a power cut. */
  sync(): void {
    const fd = openSync(this.#folder, "r");
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }

  remove(hash: string): void {
    rmSync(this.#path(hash), { force: true });
  }

  /** Everything in the folder, unfinished files included. */
  *names(): Generator<string> {
    yield* readdirSync(this.#folder);
  }

  #path(hash: string): string {
    return join(this.#folder, hash);
  }
}
