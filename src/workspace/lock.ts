import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../failure/failure.ts";
import { stateFailure } from "./state-failure.ts";
import { ensurePrivateFile } from "./state-files.ts";

const waitMs = 60_000;
const busy = 5;

/** Alone: one holder among all processes. Shared: any number, while nobody holds it alone. */
type Hold = "alone" | "shared";
const taking: Record<Hold, string> = {
  alone: "BEGIN EXCLUSIVE",
  // What is read first takes the lock, and keeps it until the transaction ends.
  shared: "BEGIN; SELECT 1 FROM sqlite_schema",
};

/**
 * A lock among all processes. It is one of the operating system, held by an open transaction on an empty database, so it
 * goes with its holder however that ends.
 */
export class Lock {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #doing: string;
  #queue: Promise<unknown> = Promise.resolve();

  /** `doing` says what a holder does, for whoever waits in vain. */
  constructor(path: string, doing: string) {
    ensurePrivateFile(path);
    this.#path = path;
    this.#database = new DatabaseSync(path, { timeout: 0 });
    this.#doing = doing;
  }

  async hold<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn("alone", work);
  }

  async share<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn("shared", work);
  }

  async holdIfFree(work: () => Promise<void>): Promise<void> {
    if (this.#taken("alone")) await this.#holding(work);
  }

  close(): void {
    this.#database.close();
  }

  /** One work at a time through this very object. */
  async #inTurn<T>(hold: Hold, work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(() => this.#holdNow(hold, work));
    this.#queue = turn.catch(() => {});
    return turn;
  }

  async #holdNow<T>(hold: Hold, work: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + waitMs;
    while (!this.#taken(hold)) {
      if (performance.now() > deadline) {
        throw new Failure(
          "TIMEOUT",
          `Another Wield process has been ${this.#doing} for a minute. Wait for it, or stop it, and try again.`,
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

  #taken(hold: Hold): boolean {
    try {
      this.#database.exec(taking[hold]);
      return true;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      if (error instanceof Error && "errcode" in error && error.errcode === busy) return false;
      throw stateFailure(error, this.#path);
    }
  }
}
