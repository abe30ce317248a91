import { z } from "zod";
import type { CitedSource } from "../events/agent-events.ts";
import { fenceAt } from "../text/untrusted.ts";
import { visibleLine } from "../text/visible.ts";

/** Something that a report can cite: a page, or a file of earlier research by its path. */
export interface Source {
  url: string;
  title: string;
  /** Its text was read; left out: it was only found by a search. */
  read?: true;
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
      this.#all[number - 1] = { ...known, ...source, url: known.url, title: source.title || known.title };
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

/** The sources that a text cites, by number. */
export function citedIn(text: string, sources: readonly Source[]): CitedSource[] {
  const numbers = new Set([...text.matchAll(/\[(\d{1,3})\]/g)].map((match) => Number(match[1])));
  return sources.flatMap(({ url, title }, at) =>
    numbers.has(at + 1) ? [{ number: at + 1, url, title }] : [],
  );
}

/** How the model is told to cite what a result shows. */
export function citeLine(numbers: readonly number[]): string {
  const marks = numbers.map((number) => `[${number}]`).join(" ");
  return numbers.length === 1 ? `Cite this as ${marks}.` : `Cite these, in their order, as ${marks}.`;
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
