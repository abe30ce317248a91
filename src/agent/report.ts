import type { CitedSource } from "../events/agent-events.ts";
import { type Cited, mapCitations, mapProse } from "./cite-marks.ts";
import { withoutOwnSources } from "./own-sources.ts";
import { type Source, SourceList } from "./sources.ts";

export interface FinishedReport {
  /** Markdown: numbers in the text, and the list that they refer to at the end. */
  text: string;
  /** The list, in order. */
  sources: readonly Source[];
  /** What a reader should know about the citations, a sentence each. */
  problems: string[];
}

/**
 * Makes the citations of a report whole: every way of citing becomes a number, numbers count from 1 in the order of the
 * text, and the list at the end holds exactly the sources that are cited. `known` is what was really found and read, in
 * the order of the numbers that the model was given.
 */
export function finishReport(draft: string, known: readonly Source[]): FinishedReport {
  const cited = new SourceList();
  const { text, problems } = citeInto(cited, draft, known, "the report");
  const sources = cited.all;
  for (const { url, named } of sources)
    if (named) problems.push(`${url} is cited, but was neither found nor opened in this research.`);
  if (sources.length === 0) problems.push("The report cites no source.");
  return { text: `${text}\n${listOf(sources, known)}`, sources, problems };
}

/**
 * The text without a list of sources, its numbers those of `cited`, to which its sources are added. A bare address that was
 * not retrieved is no source: it stays in the text and is marked. `where` names the text in what is said about it.
 */
export function citeInto(
  cited: SourceList,
  draft: string,
  known: readonly Source[],
  where: string,
): { text: string; problems: string[] } {
  const { body, own } = withoutOwnSources(draft);
  const found = new SourceList(known);
  const problems = new Set<string>();
  const markOf = (source: Source): string => {
    const best: Source = sourceIn(found, source.url) ?? { ...source, named: true };
    return `[${cited.add([{ ...best, title: best.title || source.title }])[0]}]`;
  };
  const markOfNumber = (number: number): string => {
    const source = own.get(number) ?? known[number - 1];
    if (source) return markOf(source);
    problems.add(`[${number}] in ${where} refers to no source; it is marked [no source].`);
    return "[no source]";
  };
  const textFor = (citation: Cited): string => {
    if (citation.kind === "numbers") return citation.numbers.map(markOfNumber).join("");
    if (citation.kind === "link") return `${citation.words}${markOf(citation.source)}`;
    if (isRetrieved(found, citation.source)) return markOf(citation.source);
    const { url } = citation.source;
    problems.add(`${url} is named in ${where}, but was neither found nor opened in this research.`);
    return `<${url}>${citation.isMarked ? "" : " (not retrieved)"}`;
  };
  return { text: mapProse(body, (prose) => mapCitations(prose, textFor)).trim(), problems: [...problems] };
}

/** The sources that an answer cites, with its own numbers. A list that the model wrote itself says what they refer to. */
export function citedIn(text: string, known: readonly Source[]): CitedSource[] {
  const { numbers, own } = citationsOf(text);
  const found = new SourceList(known);
  return numbers.flatMap((number) => {
    const meant = own.get(number) ?? known[number - 1];
    const { url, title } = (meant && sourceIn(found, meant.url)) ?? meant ?? {};
    return url === undefined ? [] : [{ number, url, title: title || (meant?.title ?? "") }];
  });
}

/**
 * What an answer ends with: the list that its numbers refer to, and a note on numbers and addresses that no result gave.
 * Empty when there is nothing to say, or when the model wrote a whole list itself.
 */
export function sourceSection(text: string, known: readonly Source[]): string {
  const { numbers, own, addresses } = citationsOf(text);
  const found = new SourceList(known);
  const cited = citedIn(text, known).filter(({ number }) => !own.has(number));
  const withoutSource = numbers.filter((number) => !own.has(number) && !known[number - 1]);
  const named = [...addresses, ...own.values()].filter((source) => !isRetrieved(found, source));
  const notes = [
    ...(withoutSource.length > 0
      ? [`> No result has the number ${withoutSource.map((number) => `[${number}]`).join(", ")}.`]
      : []),
    ...(named.length > 0
      ? [`> Not retrieved here: ${[...new Set(named.map(({ url }) => `<${url}>`))].join(", ")}.`]
      : []),
  ];
  const entries = cited.map(({ number, ...source }) => `- [${number}] ${entryOf(source)}`);
  const list = entries.length === 0 ? [] : [`## Sources\n\n${entries.join("\n")}`];
  const parts = [...(notes.length === 0 ? [] : [notes.join("\n")]), ...list];
  return parts.length === 0 ? "" : `\n\n${parts.join("\n\n")}\n`;
}

/** Each number in the text that has no entry in the list, and each entry that nothing refers to. */
export function unmatchedCitations(report: string): { numbers: number[]; entries: number[] } {
  const at = report.lastIndexOf("\n## Sources\n");
  const [body, list] = at < 0 ? [report, ""] : [report.slice(0, at), report.slice(at)];
  const entries = new Set([...list.matchAll(/^(\d+)\. /gm)].map((match) => Number(match[1])));
  const numbers = new Set<number>();
  mapProse(body, (prose) => {
    for (const match of prose.matchAll(/\[(\d{1,3})\]/g)) numbers.add(Number(match[1]));
    return prose;
  });
  return {
    numbers: [...numbers].filter((number) => !entries.has(number)),
    entries: [...entries].filter((number) => !numbers.has(number)),
  };
}

/** What a text cites: numbers in ascending order, addresses in prose, and the meaning of numbers that it gives itself. */
function citationsOf(text: string): { numbers: number[]; addresses: Source[]; own: Map<number, Source> } {
  const { body, own } = withoutOwnSources(text);
  const numbers = new Set<number>();
  const addresses: Source[] = [];
  mapProse(body, (prose) =>
    mapCitations(prose, (citation) => {
      if (citation.kind === "numbers") for (const number of citation.numbers) numbers.add(number);
      else addresses.push(citation.source);
      return "";
    }),
  );
  return { numbers: [...numbers].sort((a, b) => a - b), addresses, own };
}

function sourceIn(found: SourceList, url: string): Source | undefined {
  const number = found.numberOf(url);
  return number === undefined ? undefined : found.all[number - 1];
}

function isRetrieved(found: SourceList, { url }: Source): boolean {
  const source = sourceIn(found, url);
  return source !== undefined && !source.named;
}

function listOf(cited: readonly Source[], known: readonly Source[]): string {
  if (cited.length > 0) {
    const entries = cited.map((source, at) => {
      const note = source.named ? " (named by the model; not opened in this research)" : "";
      return `${at + 1}. ${entryOf(source)}${note}`;
    });
    return `\n## Sources\n\n${entries.join("\n")}\n`;
  }
  const consulted = known.filter(({ named }) => !named);
  if (consulted.length === 0) return "";
  return `\n## Sources consulted\n\n${consulted.map((source) => `- ${entryOf(source)}`).join("\n")}\n`;
}

function entryOf({ url, title }: Source): string {
  const address = url.startsWith("ideas/")
    ? `\`${url}\``
    : `<${url.replaceAll(/[<>\s]/g, encodeURIComponent)}>`;
  return title === "" ? address : `${plain(title)}. ${address}`;
}

/** A title is a stranger's text: nothing in it formats the report or links elsewhere. */
function plain(title: string): string {
  return title.replace(/[.\s]+$/, "").replace(/[\\`*_[\]<>#|~!]/g, "\\$&");
}
