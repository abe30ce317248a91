import { availableParallelism } from "node:os";
import type { Project } from "./project/project.ts";

/** How long after an answer the rest is parsed in the background. */
const delayMs = 500;
/** So many files every question parses in any case; so few are parsed without threads. */
const leastFiles = 30;
const fewFiles = 150;
const mostThreads = 4;
/** What is parsed for many is waited for longer than what is parsed for one. */
const sharedPatienceMs = 20_000;

/** Work on the index: how many files it is about, and the work itself. */
export type Watched = <T>(files: number, work: () => Promise<T>) => Promise<T>;

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

  /** Parses a share of what is pending here, and of many files more in threads, as long as patience lasts. */
  async now(signal: AbortSignal | undefined, patienceMs: number): Promise<void> {
    await this.#project.sharedParsed(sharedPatienceMs);
    const { size } = this.#project.ownPending();
    if (size === 0) return;
    await this.#watched(size, () => this.#parsePending(size, signal, patienceMs));
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

  async #parsePending(size: number, signal: AbortSignal | undefined, patienceMs: number): Promise<void> {
    const share = this.#project.parseShare({ until: Date.now() + patienceMs, least: leastFiles, signal });
    if (size <= fewFiles) return share;
    this.stop();
    const patience = AbortSignal.timeout(patienceMs);
    const threads = Math.min(mostThreads, availableParallelism() - 1);
    const stopped = signal ? AbortSignal.any([signal, patience]) : patience;
    await Promise.all([share, threads > 0 ? this.#project.fill({ threads, signal: stopped }) : undefined]);
  }
}
