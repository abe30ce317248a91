import type { Source, SourceList } from "./sources.ts";
import { webSource } from "./sources.ts";

/** A part of an answer, with the sources that the provider itself named for it. */
export interface Passage {
  text: string;
  citations: Citation[];
}

/** `end` is where in the passage the cited words end; left out: at its end. */
export interface Citation {
  source: Source;
  start?: number;
  end?: number;
}

interface ProviderCitation {
  source: { sourceType: string; url?: string; title?: string | undefined };
  startIndex?: number | undefined;
  endIndex?: number | undefined;
}

/** What the AI SDK passes on of Anthropic's `web_search_result_location`, OpenAI's `url_citation` and their like. */
export function citationsFrom(given: readonly ProviderCitation[] | undefined): Citation[] {
  return (given ?? []).flatMap(({ source: { url = "", title = "" }, startIndex, endIndex }) => {
    const [source] = webSource(url, title);
    if (!source) return [];
    return [
      {
        source,
        ...(startIndex !== undefined && { start: startIndex }),
        ...(endIndex !== undefined && { end: endIndex }),
      },
    ];
  });
}

/** `[1][2]` for these sources, each once. */
export function marksFor(citations: readonly Citation[], list: SourceList): string {
  const numbers = new Set(list.add(citations.map(({ source }) => source)));
  return [...numbers].map((number) => `[${number}]`).join("");
}

/** The answer with a number wherever the provider named a source; undefined when it named none. */
export function citedText(passages: readonly Passage[], list: SourceList): string | undefined {
  if (passages.every(({ citations }) => citations.length === 0)) return undefined;
  return passages.map((passage) => withMarks(passage, list)).join("");
}

function withMarks({ text, citations }: Passage, list: SourceList): string {
  const atEnd = citations.filter(({ end }) => end === undefined);
  let marked = text;
  // From the back, so that the places before stay right.
  const placed = citations.filter(({ end }) => end !== undefined);
  list.add(citations.map(({ source }) => source));
  for (const citation of placed.toSorted((a, b) => (b.end ?? 0) - (a.end ?? 0))) {
    const { start = citation.end ?? 0, end = 0 } = citation;
    const words = marked.slice(start, end);
    // OpenAI's models write the source as a link into the text: the number replaces it.
    const kept = /^\(?\[[^\]]*\]\(\S+\)\)?$/.test(words.trim()) ? "" : words;
    const before = marked.slice(0, start) + kept;
    marked = `${kept === "" ? before.trimEnd() : before} ${marksFor([citation], list)}${marked.slice(end)}`;
  }
  if (atEnd.length === 0) return marked;
  const words = marked.trimEnd();
  return `${words} ${marksFor(atEnd, list)}${marked.slice(words.length)}`;
}
