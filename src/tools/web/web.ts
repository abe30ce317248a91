import type { Web } from "../../web/web.ts";

export interface WebServices {
  web(): Promise<Web>;
}

/** Tools that reach the web. Each is loaded when it is wanted: a command needs one. */
export const webTools = {
  web_fetch: async ({ web }: WebServices) => (await import("./web-fetch.ts")).webFetch(always(await web())),
  web_search: async ({ web }: WebServices) =>
    (await import("./web-search.ts")).webSearch(always(await web())),
  browseWeb: async ({ web }: WebServices) => (await import("./browse-web.ts")).browseWeb(always(await web())),
  agentBrowserNavigate: async ({ web }: WebServices) =>
    (await import("./agent-browser-navigate.ts")).agentBrowserNavigate(always(await web())),
  agentBrowserInteract: async ({ web }: WebServices) =>
    (await import("./agent-browser-interact.ts")).agentBrowserInteract(always(await web())),
  agentBrowserExtract: async ({ web }: WebServices) =>
    (await import("./agent-browser-extract.ts")).agentBrowserExtract(always(await web())),
  agentBrowserClose: async ({ web }: WebServices) =>
    (await import("./agent-browser-close.ts")).agentBrowserClose(always(await web())),
  getWeather: async ({ web }: WebServices) =>
    (await import("./get-weather.ts")).getWeather(always(await web())),
};

function always<T>(service: T): () => T {
  return () => service;
}
