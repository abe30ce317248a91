import { Failure } from "../../failure/failure.ts";
import { localOrigin } from "../../text/local-origin.ts";
import type { Guard } from "../guard.ts";
import type { BrowserSettings } from "./launch.ts";
import { type ExtractType, extract, firstLines, type View } from "./look.ts";
import { type Running, startBrowser, stopBrowser } from "./running.ts";
import { type BrowserAction, interact, navigate, render } from "./visit.ts";

/** One browser with one set of windows; it starts on first use and closes after being unused for a while. */
export interface BrowserSession {
  /** The page in front, if there is one. */
  readonly url: string | undefined;
  navigate(url: string): Promise<View>;
  interact(action: BrowserAction, ref: string, value?: string): Promise<View>;
  extract(ref: string | undefined, type: ExtractType): Promise<{ url: string; content: string }>;
  /** A page after its scripts have run, in a separate browser context. */
  render(url: string): Promise<{ url: string; status: number; html: string }>;
  /** True when there was something to close. */
  close(): Promise<boolean>;
}

/** `opened` holds the local origins that it was sent to, which the guard lets through. */
export function createBrowserSession(
  guard: Guard,
  settings: BrowserSettings,
  opened: Set<string> = new Set(),
): BrowserSession {
  let running: Promise<Running> | undefined;
  let url: string | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const start = (): Promise<Running> => {
    running ??= startBrowser(guard, settings).catch((thrown) => {
      running = undefined;
      throw thrown;
    });
    return running;
  };

  const stop = async (): Promise<boolean> => {
    clearTimeout(idle);
    const stopping = running;
    running = undefined;
    url = undefined;
    opened.clear();
    if (stopping) await stopBrowser(await stopping);
    return stopping !== undefined;
  };

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };

  /** One operation at a time, each with a time limit: a page that hangs ends the browser, not the session. */
  const withBrowser = <T>(work: (running: Running) => Promise<T>): Promise<T> =>
    inTurn(async () => {
      clearTimeout(idle);
      if (running && !(await running).browser.isConnected()) await stop();
      const current = await start();
      try {
        return await withinLimit(work(current), settings.stepMs, stop);
      } catch (thrown) {
        throw inWords(thrown, current.browser.isConnected());
      } finally {
        current.failed.clear();
        if (running !== undefined) {
          url = current.tabs.front?.url();
          idle = setTimeout(() => inTurn(stop).catch(() => {}), settings.idleMs).unref();
        }
      }
    });

  /** A call was approved for this address. */
  const judge = (target: string): URL => {
    const local = localOrigin(target);
    if (local !== undefined) opened.add(local);
    return guard.judge(target);
  };

  return {
    get url() {
      return url;
    },
    navigate: (target) => withBrowser((running) => navigate(running, judge(target))),
    interact: (action, ref, value) => withBrowser((running) => interact(running, { action, ref, value })),
    extract: (ref, type) => withBrowser((running) => extract(running, ref, type)),
    render: (target) => withBrowser((running) => render(running, judge(target))),
    close: () => inTurn(stop),
  };
}

/** Converts every browser error into a message for the model. */
function inWords(thrown: unknown, alive: boolean): unknown {
  if (thrown instanceof Failure) return thrown;
  return alive
    ? new Failure(
        "EXECUTION_ERROR",
        `The browser could not do that: ${firstLines(thrown)}. Take a new snapshot and try again.`,
      )
    : new Failure("EXECUTION_ERROR", "The browser ended unexpectedly. Open the page again.");
}

async function withinLimit<T>(work: Promise<T>, limitMs: number, giveUp: () => Promise<unknown>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(
      new Failure("TIMEOUT", "The page does not respond, so the browser was closed. Open another page."),
    );
    giveUp().catch(() => {});
  }, limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}
