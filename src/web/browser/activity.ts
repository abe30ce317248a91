import type { BrowserContext, Request } from "playwright-core";

/** Tracks pending requests, to know when a page has finished loading. */
export class Activity {
  readonly #open = new Set<Request>();
  #changed: () => void = () => {};

  constructor(context: BrowserContext) {
    context.on("request", (request) => this.#note(() => this.#open.add(request)));
    context.on("requestfinished", (request) => this.#note(() => this.#open.delete(request)));
    context.on("requestfailed", (request) => this.#note(() => this.#open.delete(request)));
  }

  /** True if there was no request for a short time; false if the page is still loading after `maxMs`. */
  async whenIdle(maxMs: number): Promise<boolean> {
    const done = Promise.withResolvers<boolean>();
    const latest = setTimeout(() => done.resolve(false), maxMs);
    let quiet: NodeJS.Timeout | undefined;
    this.#changed = () => {
      clearTimeout(quiet);
      if (this.#open.size === 0) quiet = setTimeout(() => done.resolve(true), quietMs);
    };
    this.#changed();
    const idle = await done.promise;
    this.#changed = () => {};
    clearTimeout(quiet);
    clearTimeout(latest);
    return idle;
  }

  #note(change: () => void): void {
    change();
    this.#changed();
  }
}

const quietMs = 200;
