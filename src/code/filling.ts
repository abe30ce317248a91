import { availableParallelism } from "node:os";
import { PendingQueue } from "./project/pending-queue.ts";
import type { Project } from "./project/project.ts";
import type { PendingFile } from "./syntax/parse-worker.ts";

/** How long after an answer the rest is parsed in the background. */
const delayMs = 500;
/**
 * So many bytes a question waits for, however long that takes on a busy machine: all files of a small workspace, else those
 * that it needs, the likeliest first.
 */
const neededBytes = 8_000_000;
/** So many files every question parses in any case, so that separate commands finish the index between them. */
const leastFiles = 30;
/** So few are parsed without threads. */
const fewFiles = 150;
const mostThreads = 4;
/** What is parsed for many is waited for longer than what is parsed for one. */
const sharedPatienceMs = 20_000;

/** Work on the index: how many files it is about, and the work itself. */
export type Watched = <T>(files: number, work: () => Promise<T>) => Promise<T>;

export interface Waiting {
  signal?: AbortSignal | undefined;
  /** So long it waits for files that it may not need. */
  patienceMs: number;
  /** Paths of files that the answer depends on, the likeliest first. */
  needed?: (() => Iterable<string> | Promise<Iterable<string>>) | undefined;
}

/** Parses files that are not parsed yet: some before an answer, the rest in the background. */
export class Filling {
  readonly #project: Project;
  readonly #watched: Watched;
  #background: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(project: Project, watched: Watched) {
    this.#project = project;
    this.#watched = watched;
  }

  /** Parses what a question needs, and then others as long as its patience lasts. */
  async now({ signal, patienceMs, needed = () => [] }: Waiting): Promise<void> {
    await this.#project.sharedParsed(sharedPatienceMs);
    if (this.#project.ownPending().size === 0) return;
    const queue = await this.#queueFor(needed, patienceMs);
    const { size } = queue;
    if (size === 0) return;
    const threads = size <= fewFiles ? 0 : Math.min(mostThreads, availableParallelism() - 1);
    if (threads > 0) this.stop();
    await this.#watched(size, async () => {
      await this.#project.parsePending(queue, { threads, signal });
      await this.#project.parseSlow(signal);
    });
  }

  later(): void {
    if (this.#background || this.#timer || this.#project.ownPending().size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const stop = new AbortController();
      this.#background = stop;
      this.#project
        .fill({ signal: stop.signal })
        .finally(() => {
          if (this.#background === stop) this.#background = undefined;
        })
        // The next question tries again; nobody waits for this one.
        .catch(() => undefined);
    }, delayMs).unref();
  }

  /** Stops the work in the background. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#background?.abort();
  }

  async #queueFor(needed: NonNullable<Waiting["needed"]>, patienceMs: number): Promise<PendingQueue> {
    const pending = this.#project.ownPending();
    const all = [...pending.values()];
    if (bytesOf(all) <= neededBytes) return new PendingQueue(all);
    const first: PendingFile[] = [];
    let bytes = 0;
    for (const path of new Set(await needed())) {
      const file = pending.get(path);
      if (!file) continue;
      bytes += file.size;
      if (bytes > neededBytes && first.length > 0) break;
      first.push(file);
    }
    if (patienceMs === 0) return new PendingQueue(first);
    const isFirst = new Set(first);
    const rest = all.filter((file) => !isFirst.has(file));
    first.push(...rest.splice(0, Math.max(0, leastFiles - first.length)));
    return new PendingQueue(first, rest, Date.now() + patienceMs);
  }
}

const bytesOf = (files: readonly PendingFile[]) => files.reduce((sum, { size }) => sum + size, 0);
