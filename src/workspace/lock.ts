import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../failure/failure.ts";
import { stateFailure } from "./state-failure.ts";
import { ensurePrivateFile } from "./state-files.ts";

const waitMs = 60_000;
const briefMs = 10_000;
const busy = 5;

/** `alone`: one holder among all processes. `shared`: any number of holders, while nobody holds it alone. */
type Hold = "alone" | "shared";
const taking: Record<Hold, string> = {
  alone: "BEGIN EXCLUSIVE",
  // The first read takes the lock and keeps it until the transaction ends.
  shared: "BEGIN; SELECT 1 FROM sqlite_schema",
};

/**
 * A lock between processes: an operating-system lock held by an open transaction on an empty database, so it is
 * released however its holder ends.
 */
export class Lock {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #doing: string;
  #queue: Promise<unknown> = Promise.resolve();

  /** `doing` describes what a holder does, for the error after waiting too long. */
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

  /** One task at a time through the same object. */
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

/** Does short work while no other process does it under the same lock; the thread waits for its turn. */
export function holdBriefly<T>(path: string, work: () => T): T {
  ensurePrivateFile(path);
  const database = new DatabaseSync(path, { timeout: briefMs });
  try {
    database.exec(taking.alone);
    return work();
  } catch (error) {
    throw error instanceof Error && "errcode" in error ? stateFailure(error, path) : error;
  } finally {
    database.close();
  }
}
