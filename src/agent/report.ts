import { codeLines, withoutOwnSources } from "./own-sources.ts";
import { type Source, SourceList, webSource } from "./sources.ts";

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
 * the order of the numbers that the model was told.
 */
export function finishReport(draft: string, known: readonly Source[]): FinishedReport {
  const cited = new SourceList();
  const { text, problems } = citeInto(cited, draft, known);
  const found = new SourceList(known);
  const isFound = ({ url }: Source) => found.numberOf(url) !== undefined;
  const sources = cited.all;
  for (const source of sources)
    if (!isFound(source))
      problems.push(`${source.url} is cited, but was neither found nor opened in this research.`);
  if (sources.length === 0) problems.push("The report cites no source.");
  return { text: `${text}\n${listOf(sources, known, isFound)}`, sources, problems };
}

/** The text without a list of sources, its numbers those of `cited`, to which its sources are added. */
export function citeInto(
  cited: SourceList,
  draft: string,
  known: readonly Source[],
): { text: string; problems: string[] } {
  const { body, own } = withoutOwnSources(draft);
  const found = new SourceList(known);
  const problems: string[] = [];
  const markOf = (source: Source): string => {
    const number = found.numberOf(source.url);
    const best = number === undefined ? source : (found.all[number - 1] ?? source);
    return `[${cited.add([{ ...best, title: best.title || source.title }])[0]}]`;
  };
  const markOfNumber = (number: number): string => {
    const source = own.get(number) ?? known[number - 1];
    if (source) return markOf(source);
    problems.push(`[${number}] in the report stands for no source; it is marked [no source].`);
    return "[no source]";
  };
  return { text: mapProse(body, (prose) => withNumbers(prose, markOf, markOfNumber)).trim(), problems };
}

/** Each number in the text that has no entry in the list, and each entry that nothing refers to. */
export function orphansIn(report: string): { numbers: number[]; entries: number[] } {
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

/** Applies `change` to everything but code. */
function mapProse(markdown: string, change: (prose: string) => string): string {
  const lines = markdown.split("\n");
  const inCode = codeLines(lines);
  return lines
    .map((line, at) =>
      inCode[at]
        ? line
        : line
            .split(/(`+[^`]*`+)/)
            .map((piece) => (piece.startsWith("`") ? piece : change(piece)))
            .join(""),
    )
    .join("\n");
}

const citation = new RegExp(
  [
    String.raw`(?<image>!\[[^\]]*\]\([^)]*\))`,
    String.raw`\(?(?<!\!)\[(?<label>[^\]]*)\]\(<?(?<target>https?:\/\/[^\s)>]+|ideas\/[^\s)>]+)>?(?:\s+"[^"]*")?\)`,
    String.raw`\(?<?(?<address>https?:\/\/[^\s)>\]"|]+[^\s)>\]"|.,;:!?'*_])>?\)?`,
    String.raw`\[\^?(?<numbers>\d{1,3}(?:\s*[,;–-]\s*\^?\d{1,3})*)\](?:\([^)\s]*\))?`,
    String.raw`【(?<openai>\d{1,3})[^】]*】`,
  ].join("|"),
  "g",
);

function withNumbers(
  prose: string,
  markOf: (source: Source) => string,
  markOfNumber: (number: number) => string,
): string {
  const marked = prose.replace(citation, (whole, ...rest) => {
    const groups = rest.at(-1) as Record<string, string | undefined>;
    const { image, label, target, address, numbers, openai } = groups;
    if (image !== undefined) return whole;
    const number = numbers ?? openai;
    if (number !== undefined) return numbersIn(number).map(markOfNumber).join("");
    const url = target ?? address ?? "";
    const [source] = url.startsWith("ideas/") ? [{ url, title: label ?? "" }] : webSource(url, label ?? "");
    if (!source) return whole;
    // "(see [x](url))": a parenthesis that was opened before the link is not ours to close.
    const opened = target !== undefined && whole.startsWith("(") ? "(" : "";
    const words = isOnlyReference(label ?? "", url) ? "" : `${label} `;
    return `${opened}${words}${markOf(source)}`;
  });
  // The same source twice in a row is one citation; "([1])" is "[1]".
  return marked
    .replace(/\((\s*(?:\[\d{1,3}\]\s*)+)\)/g, (_, inside: string) => inside.trim())
    .replace(/(\[\d{1,3}\])(?:\s*\1)+/g, "$1")
    .replace(/\](\s+)(?=\[\d{1,3}\])/g, "]");
}

/** "1, 3–5" as numbers. A range that is wider than any list of sources is taken as its ends. */
function numbersIn(text: string): number[] {
  return text.split(/[,;]/).flatMap((part) => {
    const [from = 0, to = from] = (part.match(/\d+/g) ?? []).map(Number);
    if (to < from || to - from > 20) return [from, to];
    return Array.from({ length: to - from + 1 }, (_, at) => from + at);
  });
}

/** Whether the words of a link say nothing but where it leads. */
function isOnlyReference(label: string, url: string): boolean {
  const words = label.trim().toLowerCase();
  const host = URL.parse(url)?.hostname.replace(/^www\./, "");
  return (
    words === "" ||
    /^\^?\d{1,3}$|^(?:source|link|here|ref|quelle)$/.test(words) ||
    words.startsWith("http") ||
    words.replace(/^www\./, "") === host
  );
}

function listOf(
  cited: readonly Source[],
  known: readonly Source[],
  isFound: (source: Source) => boolean,
): string {
  if (cited.length > 0) {
    const entries = cited.map((source, at) => {
      const note = isFound(source) ? "" : " (named by the model; not opened in this research)";
      return `${at + 1}. ${entryOf(source)}${note}`;
    });
    return `\n## Sources\n\n${entries.join("\n")}\n`;
  }
  if (known.length === 0) return "";
  return `\n## Sources consulted\n\n${known.map((source) => `- ${entryOf(source)}`).join("\n")}\n`;
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
