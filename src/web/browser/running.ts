import type { Browser, Page } from "playwright-core";
import type { Failure } from "../../failure/failure.ts";
import type { Guard } from "../guard.ts";
import { type BrowserSettings, launchBrowser } from "./launch.ts";
import { type GuardedProxy, startProxy } from "./proxy.ts";
import { Refs } from "./refs.ts";
import { Tabs } from "./tabs.ts";

/** A started browser and what belongs to it. */
export interface Running {
  browser: Browser;
  proxy: GuardedProxy;
  tabs: Tabs;
  refs: Refs<Page>;
  guard: Guard;
  /** The page that was requested last; the approval covers its site. */
  approved: URL | undefined;
  /** Requests that failed since the last view, by URL: the proxy knows the reason, the browser does not. */
  failed: Map<string, Failure>;
}

export async function startBrowser(guard: Guard, settings: BrowserSettings): Promise<Running> {
  const failed = new Map<string, Failure>();
  const proxy = await startProxy(guard, (url, failure) => failed.set(url, failure));
  try {
    const browser = await launchBrowser(settings, proxy.server);
    return {
      browser,
      proxy,
      tabs: await Tabs.open(browser),
      refs: new Refs(),
      guard,
      approved: undefined,
      failed,
    };
  } catch (thrown) {
    await proxy.close();
    throw thrown;
  }
}

export async function stopBrowser({ browser, proxy }: Running): Promise<void> {
  await browser.close().finally(() => proxy.close());
}
