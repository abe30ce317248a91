import { type Source, webSource } from "./sources.ts";

/** A report without the list of sources that the model wrote itself, and what its numbers refer to. */
export interface WithoutOwnSources {
  body: string;
  own: Map<number, Source>;
}

const sectionNames =
  /^(?:sources?(?: (?:cited|used|consulted))?|references?|bibliography|works cited|citations?|notes and references|links|quellen(?:verzeichnis)?|literatur(?:verzeichnis)?|fuentes|referencias|références|bibliographie|riferimenti|fonti|bronnen|источники|出典|参考文献|参考资料|来源)$/iu;

/**
 * Models write lists of sources in many ways, with their own numbers. The list is removed, since it is written anew
 * from what was really found, and kept as the meaning of the numbers in the text.
 */
export function withoutOwnSources(report: string): WithoutOwnSources {
  const own = new Map<number, Source>();
  const lines = report.split("\n");
  const inCode = codeLines(lines);
  const keep = lines.map(() => true);
  for (const { from, to } of sourceSections(lines, inCode)) {
    for (let at = from; at < to; at++) {
      keep[at] = false;
      takeEntry(lines[at] ?? "", own);
    }
  }
  lines.forEach((line, at) => {
    // A definition: [1]: https://…, [^1]: https://…
    if (!keep[at] || inCode[at] || !/^\s{0,3}\[\^?\d{1,3}\]:\s/.test(line)) return;
    keep[at] = false;
    takeEntry(line, own);
  });
  const body = lines.filter((_, at) => keep[at]).join("\n");
  return { body: body.replace(/\n{3,}/g, "\n\n").trimEnd(), own };
}

/** Which lines are in a fenced block of code, the fences with them. */
export function codeLines(lines: readonly string[]): boolean[] {
  let fence = "";
  return lines.map((line) => {
    const [, mark = ""] = /^\s{0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === "") {
      fence = mark;
      return mark !== "";
    }
    if (mark.startsWith(fence) && line.trim() === mark) fence = "";
    return true;
  });
}

/** Sections that are named as a list of sources, or are at the end and hold nothing but addresses. */
function sourceSections(
  lines: readonly string[],
  inCode: readonly boolean[],
): { from: number; to: number }[] {
  const headings = lines.flatMap((line, at) => {
    const heading = inCode[at] ? undefined : headingIn(line);
    return heading ? [{ at, ...heading }] : [];
  });
  return headings.flatMap(({ at, level, title }, index) => {
    const next = headings.slice(index + 1).find((other) => other.level <= level);
    const to = next?.at ?? lines.length;
    const isNamed = sectionNames.test(title);
    const entries = lines.slice(at + 1, to).filter((line) => line.trim() !== "");
    const isList = entries.length > 0 && entries.every(isEntry);
    const isLast = next === undefined && index === headings.length - 1;
    return (isNamed && (isList || entries.length === 0)) || (isLast && isList) ? [{ from: at, to }] : [];
  });
}

function headingIn(line: string): { level: number; title: string } | undefined {
  const [, marks, written] = /^\s{0,3}(#{1,6})\s+(.+?)\s*#*$/.exec(line) ?? [];
  const bold = /^\s*\*\*(.+?):?\*\*:?\s*$/.exec(line)?.[1];
  const words = written ?? (bold !== undefined && sectionNames.test(bold) ? bold : undefined);
  if (words === undefined) return undefined;
  return { level: marks?.length ?? 6, title: words.replace(/^[\d.\s]+|[*_:]+/g, "").trim() };
}

const entryStart = /^\s*(?:[-*+]\s+)?(?:\[\^?(\d{1,3})\][:.]?|(\d{1,3})[.)]|[-*+])\s+/;
const address = /https?:\/\/[^\s)>\]"]+|\bideas\/[\w./-]+/;

function isEntry(line: string): boolean {
  return (entryStart.test(line) || /^\s+\S/.test(line)) && (address.test(line) || /^\s*\[\^?\d/.test(line));
}

function takeEntry(line: string, own: Map<number, Source>): void {
  const start = entryStart.exec(line);
  const number = Number(start?.[1] ?? start?.[2] ?? Number.NaN);
  const url = address.exec(line)?.[0]?.replace(/[.,;]+$/, "");
  if (!start || Number.isNaN(number) || url === undefined) return;
  const title = line
    .slice(start[0].length)
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<?(?:https?:\/\/[^\s)>\]"]+|\bideas\/[\w./-]+)>?/g, "")
    .replace(/[*_`"“”]/g, "")
    .replace(/\(\s*\)/g, "")
    .replace(/^[\s:–—-]+|[\s:–—.,-]+$/g, "");
  const [source] = url.startsWith("ideas/") ? [{ url, title }] : webSource(url, title);
  if (source) own.set(number, source);
}
