import type { PendingFile } from "../syntax/parse-worker.ts";

interface Part {
  files: readonly PendingFile[];
  first: number;
  last: number;
}

/**
 * Files to parse, most wanted first: those that are needed in any case, and others until the time is up. Threads take from
 * the front, the process itself from the back, so that nothing is parsed twice.
 */
export class PendingQueue {
  readonly #needed: Part;
  readonly #others: Part;
  readonly #until: number;
  readonly #unfinished: Set<string>;
  readonly #neededIsDone = Promise.withResolvers<void>();

  constructor(
    needed: readonly PendingFile[],
    others: readonly PendingFile[] = [],
    until = Number.POSITIVE_INFINITY,
  ) {
    this.#needed = { files: needed, first: 0, last: needed.length };
    this.#others = { files: others, first: 0, last: others.length };
    this.#until = until;
    this.#unfinished = new Set(needed.map(({ key }) => key));
    this.finished([]);
  }

  /** How many are still to be taken, as long as there is time. */
  get size(): number {
    return [this.#needed, this.#others].reduce((sum, { first, last }) => sum + last - first, 0);
  }

  takeFirst(count: number): PendingFile[] {
    const part = this.#part();
    if (!part) return [];
    const { files, first } = part;
    part.first = Math.min(part.last, first + count);
    return files.slice(first, part.first);
  }

  takeLast(): PendingFile | undefined {
    const part = this.#part();
    return part?.files[--part.last];
  }

  /** Says which are parsed. */
  finished(keys: readonly string[]): void {
    for (const key of keys) this.#unfinished.delete(key);
    if (this.#unfinished.size === 0) this.#neededIsDone.resolve();
  }

  /** When everything that is needed is parsed and the time is up. */
  async isEnough(): Promise<void> {
    await this.#neededIsDone.promise;
    const left = this.#until - Date.now();
    if (left > 0 && this.size > 0) await new Promise((resolve) => setTimeout(resolve, left).unref());
  }

  /** Where the next file comes from; nowhere when all are taken or the time is up. */
  #part(): Part | undefined {
    if (this.#needed.first < this.#needed.last) return this.#needed;
    return this.#others.first < this.#others.last && Date.now() < this.#until ? this.#others : undefined;
  }
}
