import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../events/failure.ts";

const waitMs = 60_000;
const busy = 5;

/**
 * One holder at a time among all processes. It is a lock of the operating system, held by an open transaction on an
 * empty database, so it goes with its holder however that ends.
 */
export class Lock {
  readonly #database: DatabaseSync;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#database = new DatabaseSync(path, { timeout: 0 });
  }

  async hold<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(() => this.#holdNow(work));
    this.#queue = turn.catch(() => {});
    return turn;
  }

  async holdIfFree(work: () => Promise<void>): Promise<void> {
    if (this.#taken()) await this.#holding(work);
  }

  close(): void {
    this.#database.close();
  }

  async #holdNow<T>(work: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + waitMs;
    while (!this.#taken()) {
      if (performance.now() > deadline) {
        throw new Failure(
          "TIMEOUT",
          "Another Wield process has been changing this workspace for a minute. Wait for it, or stop it, and try again.",
        );
      }
      await sleep(1 + Math.random() * 10);
    }
    return this.#holding(work);
  }

  async #holding<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.#database.exec("ROLLBACK");
    }
  }

  #taken(): boolean {
    try {
      this.#database.exec("BEGIN EXCLUSIVE");
      return true;
    } catch (error) {
      if (error instanceof Error && "errcode" in error && error.errcode === busy) return false;
      throw error;
    }
  }
}
