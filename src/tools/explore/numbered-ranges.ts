import type { LineRange } from "../../code/search/shown-lines.ts";

const widest = 240;

/** Lines with their numbers; a single `…` stands for the lines left out between, before and after the ranges. */
export function numberedRanges(
  lines: readonly string[],
  ranges: readonly LineRange[],
  { most = Number.POSITIVE_INFINITY, end }: { most?: number; end?: number | undefined } = {},
): string[] {
  const text: string[] = [];
  let at = 0;
  let next: number | undefined;
  for (const [first, last] of ranges) {
    if (next !== undefined && first > next) text.push("…");
    for (let line = first; line <= last && at < most; line++) text.push(`${line}\t${cut(lines[at++] ?? "")}`);
    next = last + 1;
    if (at >= most) break;
  }
  const shownTo = Number(/^\d+/.exec(text.at(-1) ?? "")?.[0] ?? 0);
  if (end !== undefined && shownTo < end) text.push("…");
  return text;
}

const cut = (line: string) => (line.length > widest ? `${line.slice(0, widest)}…` : line.trimEnd());
