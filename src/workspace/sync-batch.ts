import { closeSync, fsync, fsyncSync } from "node:fs";
import { promisify } from "node:util";

/** More open files than this are not kept waiting. */
const most = 256;
const toDisk = promisify(fsync);

/**
 * Files that must be on disk before the next thing happens, synced together: the file system does hundreds at once in
 * the time that a few take one after the other. It owns the descriptors.
 */
export class SyncBatch {
  #open: number[] = [];

  /** Takes over an open file; a file too many is synced at once. */
  add(fd: number): void {
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

  /** Everything given so far is on disk when it returns. */
  async sync(): Promise<void> {
    const open = this.#open;
    this.#open = [];
    const ends = await Promise.allSettled(open.map((fd) => toDisk(fd)));
    for (const fd of open) closeSync(fd);
    const failed = ends.find((end) => end.status === "rejected");
    if (failed) throw failed.reason;
  }

  /** Closes what is left without syncing it: after a failure. */
  [Symbol.dispose](): void {
    for (const fd of this.#open.splice(0)) closeSync(fd);
  }
}
