import { closeSync, fsync, fsyncSync } from "node:fs";
import { promisify } from "node:util";

/** More open files than this are not kept waiting. */
const most = 256;
const toDisk = promisify(fsync);

/**
 * Syncs files together before the next operation: the file system syncs hundreds at once in the time that a few take
 * one by one. It owns the descriptors.
 */
export class SyncBatch {
  readonly #durable: boolean;
  #open: number[] = [];

  /** Not durable: files are only closed. */
  constructor(durable: boolean) {
    this.#durable = durable;
  }

  /** Takes over an open file; a file too many is synced at once. */
  add(fd: number): void {
    if (!this.#durable) {
      closeSync(fd);
      return;
    }
    if (this.#open.length < most) {
      this.#open.push(fd);
      return;
    }
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }

  get isFull(): boolean {
    return this.#open.length >= most;
  }

  /** When it returns, all files added so far are on disk. */
  async sync(): Promise<void> {
    const open = this.#open;
    this.#open = [];
    const ends = await Promise.allSettled(open.map((fd) => toDisk(fd)));
    for (const fd of open) closeSync(fd);
    const failed = ends.find((end) => end.status === "rejected");
    if (failed) throw failed.reason;
  }

  /** After a failure: closes the remaining files without syncing them. */
  [Symbol.dispose](): void {
    for (const fd of this.#open.splice(0)) closeSync(fd);
  }
}
