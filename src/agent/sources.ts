import { z } from "zod";
import { fenceAt } from "../text/untrusted.ts";
import { visibleLine } from "../text/visible.ts";

/** Something that a report can cite: a page, or a file of earlier research by its path. */
export interface Source {
  url: string;
  title: string;
  /** Its text was read; left out: it was only found by a search. */
  read?: true;
  /** Only the model named it: no search found it and nothing opened it. */
  named?: true;
}

/** The sources of a session, each once, numbered from 1 in the order in which they were found. */
export class SourceList {
  readonly #numbers = new Map<string, number>();
  readonly #all: Source[] = [];

  constructor(sources: readonly Source[] = []) {
    this.add(sources);
  }

  get all(): readonly Source[] {
    return this.#all;
  }

  /** The number of each, in the given order; a better title, or that it was read, is kept. */
  add(sources: readonly Source[]): number[] {
    return sources.map((source) => {
      const key = keyOf(source.url);
      const number = this.#numbers.get(key);
      if (number === undefined) {
        this.#numbers.set(key, this.#all.push(source));
        return this.#all.length;
      }
      const known = this.#all[number - 1] ?? source;
      const { named: _, ...both } = {
        ...known,
        ...source,
        url: known.url,
        title: source.title || known.title,
      };
      this.#all[number - 1] = known.named && source.named ? { ...both, named: true } : both;
      return number;
    });
  }

  numberOf(url: string): number | undefined {
    return this.#numbers.get(keyOf(url));
  }
}

/** Equal for addresses of the same page: without fragment, tracking parameters, `www.` and a final slash. */
export function keyOf(url: string): string {
  const parsed = /^https?:/i.test(url) ? URL.parse(url) : null;
  if (!parsed) return url;
  for (const name of [...parsed.searchParams.keys()])
    if (/^(?:utm_\w+|gclid|fbclid)$/.test(name)) parsed.searchParams.delete(name);
  return `${parsed.host.replace(/^www\./, "")}${parsed.pathname.replace(/\/$/, "")}${parsed.search}`;
}

/**
 * How a result's text gives the numbers of its sources, which join the list: a hit of a search begins with its number, and
 * one that was listed before comes without its snippet; a page is followed by a line.
 */
export function citableText(sources: readonly Source[], list: SourceList): (text: string) => string {
  const before = list.all.length;
  const numbers = list.add(sources);
  if (numbers.length === 0) return (text) => text;
  const isSearch = sources.every(({ read }) => !read);
  if (!isSearch)
    return (text) => `${text}\nCite this as ${numbers.map((number) => `[${number}]`).join(" ")}.`;
  return (text) => {
    let hits = 0;
    let isKnown = false;
    let below = 0;
    return text
      .split("\n")
      .flatMap((line) => {
        if (/^\d+\. /.test(line)) {
          const number = numbers[hits++] ?? 0;
          isKnown = number <= before;
          below = 0;
          return [`${line.replace(/^\d+\./, () => `[${number}]`)}${isKnown ? " (listed before)" : ""}`];
        }
        // Below the title: the address, then the snippet.
        const isSnippet = line.startsWith("   ") && hits > 0 && ++below > 1;
        return isSnippet && isKnown ? [] : [line];
      })
      .join("\n");
  };
}

const searchValue = z.object({
  results: z.array(z.object({ title: z.string(), url: z.string() })),
});
const pageValue = z.object({
  url: z.string(),
  title: z.string().catch(""),
  status: z.number().catch(200),
  provenance: z.object({ source: z.string() }),
});
const earlierValue = z.object({ content: z.string() });
const pathInput = z.object({ path: z.string() });

/** What a call found or read, by the shape of its value: results of a search, a page, or a file of earlier research. */
export function sourcesIn(tool: string, input: unknown, value: unknown): Source[] {
  if (typeof value === "string") return sourcesInText(value);
  const search = searchValue.safeParse(value).data;
  if (search) return search.results.flatMap(({ url, title }) => webSource(url, title));
  const page = pageValue.safeParse(value).data;
  if (page) return page.status < 400 ? webSource(page.url, page.title, true) : [];
  const earlier = earlierValue.safeParse(value).data;
  const path = pathInput.safeParse(input).data?.path;
  if (!earlier || path === undefined) return [];
  const stored = tool === "read_research" ? `ideas/${path}` : path;
  if (!stored.startsWith("ideas/")) return [];
  const heading = /^\s*(?:\d+\s*[|→\t]\s*)?#\s+(.+)$/m.exec(earlier.content)?.[1] ?? "Earlier research";
  return [{ url: stored, title: visibleLine(heading.trim()).slice(0, 200), read: true }];
}

export function webSource(url: string, title: string, read = false): Source[] {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return [];
  const line = visibleLine(title.replaceAll(/\s+/g, " ").trim()).slice(0, 200);
  return [{ url: new URL(url).href, title: line, ...(read && { read: true as const }) }];
}

/** After an interruption only the text of a result is left: a fenced page, or a fenced list of results. */
function sourcesInText(text: string): Source[] {
  const lines = text.split("\n");
  const fence = lines.map(fenceAt).find((found) => found !== undefined);
  if (!fence) return [];
  const page = webSource(fence.source, "", true);
  if (page.length > 0) return page;
  if (!fence.source.endsWith(" search")) return [];
  return lines.flatMap((line, at) => {
    const title = /^\d+\. (.*)$/.exec(line)?.[1];
    return title === undefined ? [] : webSource((lines[at + 1] ?? "").trim(), title);
  });
}
