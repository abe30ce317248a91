// Lists of places in code, as every tool tells them: the line's own text with its number, below the name of its file; what is
// no code of the project itself comes behind, under its own heading.
import { pathKind } from "../../code/files/path-kind.ts";
import { estimateTokens } from "../../text/tokens.ts";
import { visibleText } from "../../text/visible.ts";
import type { Rendering } from "../../tool/tool.ts";
import { nameAround } from "./code-answers.ts";
import { listLimits } from "./list-limits.ts";
import { writeMatchCursor } from "./match-cursor.ts";

export interface ListedPlace {
  file: string;
  line: number;
  text: string;
  /** The function or type around it. */
  within?: string | undefined;
  /** Nothing proves or excludes it: `?`. */
  isPossible?: boolean | undefined;
  isImport?: boolean | undefined;
  /** What is said behind the text. */
  note?: string | undefined;
  /** The line that binds what stands before the dot. */
  binding?: { line: number; text: string } | undefined;
  before?: string[] | undefined;
  after?: string[] | undefined;
  section?: string | undefined;
}

/** Files whose places come behind those of the project's own code. */
export function sectionOf(file: string): "In tests" | "In generated files" | undefined {
  const kind = pathKind(file);
  if (kind === "test") return "In tests";
  return kind === "generated" || kind === "vendored" ? "In generated files" : undefined;
}

export const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

interface Counted {
  file: string;
  section?: string | undefined;
  count?: number;
}

/** `In tests: 12 in 3 files`, for each section with a name. */
export function headingsOf(places: readonly Counted[]): ReadonlyMap<string, string> {
  const headings = new Map<string, string>();
  for (const [section, some] of Map.groupBy(places, (one) => one.section)) {
    if (section === undefined) continue;
    const files = new Set(some.map(({ file }) => file)).size;
    const total = some.reduce((sum, { count = 1 }) => sum + count, 0);
    headings.set(section, `${section}: ${total} in ${counted(files, "file")}`);
  }
  return headings;
}

interface ListParts<P extends ListedPlace> {
  places: readonly P[];
  head: readonly string[];
  /** What follows when so many places are shown: the rest, and how to see it. */
  rest(shown: number, budget: number): readonly string[];
  /** What follows the places of a file. */
  behind?(file: string, shown: readonly P[], isLast: boolean): readonly string[];
  headings: ReadonlyMap<string, string>;
}

/** All places as long as they fit; then cut to shorter lines; then as many as fit. */
export function placeList<P extends ListedPlace>(parts: ListParts<P>): Rendering {
  const { places, head, rest } = parts;
  const { usual, narrow } = listLimits.width;
  const text = (shown: number, width: number, budget: number) =>
    [...head, ...placeLines(places.slice(0, shown), width, parts), ...rest(shown, budget)].join("\n");
  return [
    text(places.length, usual, Number.POSITIVE_INFINITY),
    () => text(places.length, narrow, Number.POSITIVE_INFINITY),
    (budget) => {
      const fits = (shown: number) => estimateTokens(text(shown, narrow, budget)) <= budget;
      return text(mostThatFit(places.length, fits), narrow, budget);
    },
  ];
}

/** The places below their files and headings. */
export function placeLines<P extends ListedPlace>(
  places: readonly P[],
  width: number,
  { behind, headings }: Partial<Pick<ListParts<P>, "behind" | "headings">> = {},
): string[] {
  let last: string | undefined;
  const groups = Map.groupBy(places, ({ file, section = "" }) => `${section}\0${file}`);
  return [...groups.values()].flatMap((all, at) => {
    const [first] = all;
    if (!first) return [];
    const isNew = at > 0 && first.section !== last;
    const heading = isNew ? headings?.get(first.section ?? "") : undefined;
    last = first.section;
    const hasContext = all.some(({ before = [], after = [] }) => before.length + after.length > 0);
    return [
      ...(heading === undefined ? [] : [heading]),
      visibleText(first.file),
      ...(hasContext ? linesWithContext(all, width) : rowsOf(all, width)),
      ...(behind?.(first.file, all, at === groups.size - 1) ?? []),
    ];
  });
}

/** `  12?: [name] text`; `["]` stands for the name of the row before. Places one after the other that read the same are one row. */
function rowsOf(places: readonly ListedPlace[], width: number): string[] {
  const rows: { lines: string[]; text: string }[] = [];
  let last: ListedPlace | undefined;
  const bound = new Set<number>();
  for (const place of places) {
    const { line, text, within, isPossible, note = "", binding } = place;
    const number = `${line}${isPossible ? "?" : ""}`;
    const isSame = last?.text === text && last.within === within && last.note === place.note;
    if (isSame && !binding) rows.at(-1)?.lines.push(number);
    else {
      const name =
        within === undefined
          ? ""
          : rows.length > 0 && within === last?.within
            ? ' ["]'
            : ` [${nameAround(within)}]`;
      rows.push({ lines: [number], text: `${name} ${cut(text.trim(), width)}${note}` });
    }
    last = place;
    if (!binding || bound.has(binding.line)) continue;
    bound.add(binding.line);
    rows.push({ lines: [`  from ${binding.line}`], text: ` ${cut(binding.text.trim(), width)}` });
  }
  return rows.map(({ lines, text }) => `  ${lines.join(", ")}:${text}`);
}

/** A line no longer than `width`; a cut is marked. */
export function cut(text: string, width: number): string {
  return visibleText(text.length > width ? `${text.slice(0, width - 1)}…` : text);
}

/** `  12:⇥text` and `  13-⇥text` with the file's own indentation; `  …` where lines are left out, with the name around what follows. */
function linesWithContext(places: readonly ListedPlace[], width: number): string[] {
  const lines = new Map<number, { text: string; isMatch: boolean }>();
  const names = new Map(places.map(({ line, within }) => [line, within]));
  for (const { line, text, before = [], after = [] } of places) {
    for (const [i, one] of before.entries()) {
      const at = line - before.length + i;
      if (!lines.has(at)) lines.set(at, { text: one, isMatch: false });
    }
    lines.set(line, { text, isMatch: true });
    for (const [i, one] of after.entries())
      if (!lines.has(line + 1 + i)) lines.set(line + 1 + i, { text: one, isMatch: false });
  }
  const sorted = [...lines].sort(([a], [b]) => a - b);
  return sorted.flatMap(([line, { text, isMatch }], at) => {
    const row = `  ${line}${isMatch ? ":" : "-"}\t${cut(text.trimEnd(), width)}`;
    if (at > 0 && sorted[at - 1]?.[0] === line - 1) return [row];
    const next = sorted.slice(at).find(([, { isMatch: is }]) => is)?.[0];
    const within = next === undefined ? undefined : names.get(next);
    const marks = [...(at > 0 ? ["…"] : []), ...(within ? [`[${nameAround(within)}]`] : [])];
    return marks.length > 0 ? [`  ${marks.join(" ")}`, row] : [row];
  });
}

/** How many places are beyond the page, the call that shows them with their text, and the lines alone of as many as fit. */
export function beyondPage(places: readonly ListedPlace[], shown: number, budget: number): string[] {
  const left = places.slice(shown);
  if (left.length === 0) return [];
  const last = places[shown - 1];
  const call = last
    ? `: same call with cursor ${JSON.stringify(writeMatchCursor(last))} shows their text`
    : "";
  return [`...and ${left.length} more${call}`, ...placesByLine(left, budget)];
}

function nameOf({ within, isImport }: ListedPlace): string {
  if (isImport) return "import";
  return within ? nameAround(within) : "top level";
}

/** As many blocks as fit, each whole, behind those that earlier pages have shown: the cursor is their number. */
export function pageOf(
  blocks: readonly (readonly string[])[],
  head: readonly string[],
  notes: readonly string[],
  cursor: string | undefined,
): Rendering {
  const start = Number(cursor ?? 0);
  const page = blocks.slice(start);
  const text = (shown: number) => {
    const left = page.length - shown;
    const rest = left > 0 ? [`...and ${left} more: same call with cursor "${start + shown}"`] : [];
    return [...head, ...page.slice(0, shown).flat(), ...rest, ...notes].join("\n");
  };
  return [
    text(page.length),
    (budget) => text(mostThatFit(page.length, (n) => estimateTokens(text(n)) <= budget)),
  ];
}

/** The largest number below `count` that fits; a smaller one always does when a larger one does. */
function mostThatFit(count: number, fits: (number: number) => boolean): number {
  let [low, high] = [0, Math.max(0, count - 1)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Of places beyond the page, the lines alone: `a.ts: load 3, 7?; top level 12`; as many files as fit. */
function placesByLine(places: readonly ListedPlace[], budget: number): string[] {
  const groups = [...Map.groupBy(places, ({ file }) => file)];
  const told: string[] = [];
  let left = budget * listLimits.beyond;
  for (const [file, all] of groups) {
    const around = [...Map.groupBy(all, nameOf)];
    const text = `${visibleText(file)}: ${around
      .map(
        ([name, some]) =>
          `${name} ${some.map(({ line, isPossible }) => `${line}${isPossible ? "?" : ""}`).join(", ")}`,
      )
      .join("; ")}`;
    left -= estimateTokens(text) + 1;
    if (left < 0) break;
    told.push(text);
  }
  const files = groups.length - told.length;
  return files > 0 ? [...told, `… ${counted(files, "more file")}`] : told;
}
