import { Failure } from "../../failure/failure.ts";
import type { DomDocument } from "../page/dom.ts";
import { createService } from "../service.ts";
import { type SearchProvider, type SearchResult, searchVariables, tidyResults } from "./provider.ts";

/**
 * Searches DuckDuckGo's HTML page, which needs no key. It is not meant for programs: after too many requests it sends
 * a captcha with a 2xx status, so a page counts as "no results" only if it says so.
 */
export function duckDuckGoSearch(settings: { url?: string | undefined }): SearchProvider {
  const service = createService("DuckDuckGo", settings.url ?? "https://html.duckduckgo.com");
  return {
    name: "duckduckgo",
    url: service.url,
    async search(query, count, signal) {
      const response = await service.request(`html/?${new URLSearchParams({ q: query })}`, {
        headers: { accept: "text/html" },
        signal,
      });
      const html = response.bytes.toString("utf8");
      const { parseHTML } = await import("linkedom");
      const { document } = parseHTML(html) as unknown as { document: DomDocument };
      const results = resultsIn(document);
      if (results.length > 0) return tidyResults(results, count);
      if (response.status === 200 && document.querySelector(".no-results")) return [];
      throw blocked(response.status, /anomaly|challenge|captcha|unusual traffic/i.test(html));
    },
  };
}

function resultsIn(document: DomDocument): SearchResult[] {
  const results: SearchResult[] = [];
  for (const entry of document.querySelectorAll(".result:not(.result--ad)")) {
    const link = entry.querySelector("a.result__a");
    const url = targetOf(link?.getAttribute("href") ?? "");
    if (!link || !url) continue;
    const snippet = entry.querySelector(".result__snippet")?.textContent ?? "";
    results.push({ title: link.textContent ?? "", url, snippet });
  }
  return results;
}

/** Links lead through a counter: `//duckduckgo.com/l/?uddg=<target>`. */
function targetOf(href: string): string | undefined {
  const url = URL.parse(href, "https://duckduckgo.com");
  if (url?.hostname.endsWith("duckduckgo.com")) return url.searchParams.get("uddg") ?? undefined;
  return url?.href;
}

function blocked(status: number, captcha: boolean): Failure {
  const what = captcha
    ? "DuckDuckGo asks for a captcha instead of searching"
    : `DuckDuckGo sent a page that is no list of results (status ${status})`;
  return new Failure(
    "LIMIT_EXCEEDED",
    `${what}: it is blocking searches from this machine for a while. That is not the same as no results. ` +
      `Try again later, or set ${searchVariables} to search with another provider (see: wield doctor).`,
  );
}
