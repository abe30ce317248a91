export interface SearchResult {
  title: string;
  url: string;
  snippet: string;
}

/** An empty result means that nothing was found; any problem with the search is a `Failure`. */
export interface SearchProvider {
  readonly name: string;
  /** Where queries go. */
  readonly url: string;
  search(query: string, count: number, signal: AbortSignal): Promise<SearchResult[]>;
}

/** For messages: what a person can set to search with a provider of their own. */
export const searchVariables = "TAVILY_API_KEY, EXA_API_KEY, BRAVE_API_KEY or SEARXNG_URL";

/** At most `count` results that lead somewhere, each once, in plain text. */
export function tidyResults(results: readonly SearchResult[], count: number): SearchResult[] {
  const byUrl = new Map<string, SearchResult>();
  for (const { title, url, snippet } of results) {
    const target = URL.parse(url);
    if (!target || !/^https?:$/.test(target.protocol) || byUrl.has(target.href)) continue;
    byUrl.set(target.href, {
      title: plain(title) || target.hostname,
      url: target.href,
      snippet: plain(snippet),
    });
  }
  return [...byUrl.values()].slice(0, count);
}

/** Providers mark the words they found with tags, and escape the rest. */
function plain(html: string): string {
  return html
    .replaceAll(/<\/?[a-z][^>]*>/gi, "")
    .replaceAll(/&(#x[0-9a-f]+|#\d+|[a-z]+);/gi, (whole, name: string) => entity(name) ?? whole)
    .replaceAll(/\s+/g, " ")
    .trim();
}

function entity(name: string): string | undefined {
  if (name.startsWith("#")) {
    const code = Number(name.slice(1).replace(/^x/i, "0x"));
    return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
  }
  return { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " }[name.toLowerCase()];
}
