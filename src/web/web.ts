import { Failure } from "../failure/failure.ts";
import { localOrigin } from "../text/local-origin.ts";
import { type BrowserSession, createBrowserSession } from "./browser/browser.ts";
import type { BrowserSettings } from "./browser/launch.ts";
import { type Dial, publicGuard, type Resolve, type UrlPolicy } from "./guard.ts";
import { createMeter } from "./meter.ts";
import { fetchPage, type Page, readPage } from "./page/fetch-page.ts";
import { createPageReader } from "./page/page-reader.ts";
import { PageStore } from "./page/page-store.ts";
import type { SearchProvider } from "./search/provider.ts";
import { chooseSearch } from "./search/search.ts";
import { createSend, type Send, type WebRequest } from "./transport.ts";
import { createWeather, type Place, type Weather, type WeatherSettings } from "./weather.ts";
import type { SearchSettings } from "./web-settings.ts";

/** The web as tools see it. Everything that leaves the machine goes through one guard. */
export interface Web {
  /** The parsed form of a URL that may be fetched; `URL_NOT_ALLOWED` otherwise. */
  check(url: string): URL;
  /** Bytes of pages received so far, including those that the browser loaded. */
  received(): number;
  /** One request and its response as it is. */
  send: Send;
  fetch(request: WebRequest): Promise<KeptPage>;
  /** A page to read: as sent, or rendered by a browser if it needs scripts. `note` says when that was not possible. */
  browse(url: string, signal: AbortSignal): Promise<KeptPage & { note?: string }>;
  /** More of a page that was fetched before, without a new request. */
  readOn(cursor: string): KeptPage & { start: number };
  search(): SearchProvider;
  weather(place: Place, signal: AbortSignal): Promise<Weather>;
  readonly browser: BrowserSession;
  close(): Promise<void>;
}

export interface KeptPage {
  /** Names the page in cursors: `<id>:<offset>`. */
  id: string;
  page: Page;
}

export interface WebSettings {
  policy: UrlPolicy;
  /** Whether a rule names exactly this origin of this machine. */
  isLocalOpen(origin: string): boolean;
  resolve: Resolve;
  dial: Dial;
  search: SearchSettings;
  weather: WeatherSettings;
  browser: BrowserSettings;
}

const limits = { timeoutMs: 30_000, maxBytes: 10_000_000 };

export function createWeb(settings: WebSettings): Web {
  const { metered, received } = createMeter();
  const guardWith = (approved: (origin: string) => boolean) =>
    metered(
      publicGuard({ ...settings, opened: (origin) => approved(origin) || settings.isLocalOpen(origin) }),
    );
  /**
   * The call was approved for its address: a local address is allowed for this request, including redirects within
   * it.
   */
  const guardFor = (url: string | URL) => guardWith((origin) => origin === localOrigin(url));
  const send: Send = (request) => createSend(guardFor(request.url), limits)(request);
  /** Local origins that the browser was sent to; its pages may load from them until it is closed. */
  const visited = new Set<string>();
  const reader = createPageReader({ workMs: 8_000 });
  const browser = createBrowserSession(
    guardWith((origin) => visited.has(origin)),
    settings.browser,
    visited,
  );
  const pages = new PageStore();
  const keep = (page: Page): KeptPage => ({ id: pages.keep(page), page });

  return {
    check: (url) => guardFor(url).judge(url),
    received,
    send,
    fetch: async (request) => keep(await fetchPage(send, reader, request)),
    async browse(url, signal) {
      const page = await fetchPage(send, reader, { url, signal });
      if (!page.needsScripts) return keep(page);
      try {
        const { html, ...rendered } = await browser.render(url);
        return keep(await readPage(reader, { ...page, ...rendered, body: html }));
      } catch (thrown) {
        if (!(thrown instanceof Failure && thrown.code === "UNAVAILABLE")) throw thrown;
        return {
          ...keep(page),
          note: `The page is made by scripts, and they were not run. ${thrown.message}`,
        };
      }
    },
    readOn: (cursor) => pages.at(cursor),
    search: () => chooseSearch(settings.search),
    weather: (place, signal) => createWeather(settings.weather)(place, signal),
    browser,
    async close() {
      await browser.close();
      await reader.close();
    },
  };
}
