import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { Failure } from "../failure/failure.ts";
import { chunksOf, readSmall, writeAll } from "./file-bytes.ts";
import { stateFailure } from "./state-failure.ts";
import { ensureDirectory } from "./state-files.ts";
import { SyncBatch } from "./sync-batch.ts";

/** Contents by hash, one file each, in Wield's state folder. Guarded by the journal's lock. */
export class Blobs {
  readonly #folder: string;
  /** Written, but not under their names before `sync`. */
  readonly #unsynced = new Map<string, string>();
  readonly #durable: boolean;
  readonly #batch: SyncBatch;
  /** Tells its unfinished files from those of others. */
  readonly #mark = randomBytes(8).toString("hex");
  #made = 0;

  constructor(folder: string, durable = true) {
    this.#folder = folder;
    this.#durable = durable;
    this.#batch = new SyncBatch(durable);
    ensureDirectory(folder);
  }

  has(hash: string): boolean {
    return this.#unsynced.has(hash) || statSync(this.#path(hash), { throwIfNoEntry: false }) !== undefined;
  }

  read(hash: string): Buffer {
    const bytes = readFileSync(this.#path(hash));
    if (createHash("sha256").update(bytes).digest("hex") !== hash) throw this.#damaged(hash);
    return bytes;
  }

  /** The hash is known only after all chunks were read: a damaged content fails at the end. */
  *chunks(hash: string): Generator<Uint8Array> {
    const fd = openSync(this.#path(hash), "r");
    const digest = createHash("sha256");
    try {
      for (const chunk of piecesOf(fd)) {
        digest.update(chunk);
        yield chunk;
      }
    } finally {
      closeSync(fd);
    }
    if (digest.digest("hex") !== hash) throw this.#damaged(hash);
  }

  #damaged(hash: string): Failure {
    return new Failure(
      "EXECUTION_ERROR",
      `The content kept for undo in ${this.#path(hash)} is damaged, so nothing was changed. Restore that file from a backup, or take the content from elsewhere.`,
      { file: this.#path(hash), hash },
    );
  }

  /** There and durable after `sync`. False when the content is not what the hash says. */
  save(hash: string, source: Uint8Array | number): boolean {
    if (this.has(hash)) return true;
    try {
      return this.#write(hash, source);
    } catch (error) {
      throw stateFailure(error, this.#path(hash));
    }
  }

  #write(hash: string, source: Uint8Array | number): boolean {
    const temporary = join(this.#folder, `${this.#mark}-${++this.#made}.tmp`);
    const fd = openSync(temporary, "wx", 0o600);
    let isKept = false;
    try {
      const digest = createHash("sha256");
      for (const chunk of typeof source === "number" ? piecesOf(source) : [source]) {
        digest.update(chunk);
        writeAll(fd, chunk);
      }
      isKept = digest.digest("hex") === hash;
      return isKept;
    } finally {
      if (isKept) {
        this.#unsynced.set(hash, temporary);
        this.#batch.add(fd);
      } else {
        closeSync(fd);
        rmSync(temporary, { force: true });
      }
    }
  }

  /** For who saves many: whether it is time to await `flush`. */
  get isFull(): boolean {
    return this.#batch.isFull;
  }

  /** Writes a part to the disk, still without names. */
  async flush(): Promise<void> {
    try {
      await this.#batch.sync();
    } catch (error) {
      // What may not be on the disk never gets its name.
      this.#unsynced.clear();
      throw error;
    }
  }

  /** Makes the saved contents survive a power cut: contents first, then names. */
  async sync(): Promise<void> {
    await this.flush();
    const saved = [...this.#unsynced];
    this.#unsynced.clear();
    if (saved.length === 0) return;
    for (const [hash, temporary] of saved) renameSync(temporary, this.#path(hash));
    if (!this.#durable) return;
    const fd = openSync(this.#folder, "r");
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }

  close(): void {
    this.#batch[Symbol.dispose]();
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

function piecesOf(fd: number): Iterable<Uint8Array> {
  const small = readSmall(fd, fstatSync(fd));
  return small ? [small] : chunksOf(fd);
}
