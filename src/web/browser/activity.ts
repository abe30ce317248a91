import type { BrowserContext, Request } from "playwright-core";

/** Knows which requests are under way, to tell when a page has come to rest. */
export class Activity {
  readonly #open = new Set<Request>();
  #changed: () => void = () => {};

  constructor(context: BrowserContext) {
    context.on("request", (request) => this.#note(() => this.#open.add(request)));
    context.on("requestfinished", (request) => this.#note(() => this.#open.delete(request)));
    context.on("requestfailed", (request) => this.#note(() => this.#open.delete(request)));
  }

  /** True when nothing was asked for during a short while; false when the page still works after `maxMs`. */
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
