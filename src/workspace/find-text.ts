import { type IndentStyle, indentStyle, shiftOf } from "./indent-shift.ts";
import {
  endingAt,
  endingBefore,
  endingNear,
  indentOf,
  isBlank,
  type Line,
  linesOf,
  splitAtBreaks,
} from "./line-table.ts";

/** A place where a text occurs, and what replaces it. */
export interface Place {
  start: number;
  end: number;
  /** Undefined where it cannot be told how the new lines are to be indented; `doubt` says why. */
  text: string | undefined;
  doubt?: string;
  /** All lines are indented otherwise in the file: how the first one is given, and how it stands. */
  shifted?: readonly [given: string, actual: string];
}

const maxPlaces = 10_000;

/**
 * The places of a text: a fragment of a line wherever it stands; lines, and what begins with white space, from the beginning
 * of a line. Line breaks match any. If there is none, whole lines that one shift of their indentation explains.
 */
export function findPlaces(
  text: string,
  oldText: string,
  newText: string,
  { wholeLines = false } = {},
): Place[] {
  const lines = splitAtBreaks(oldText);
  const found = lines.length === 1 ? findFragment(text, oldText, newText) : findLines(text, lines, newText);
  const exact = wholeLines ? found.filter(({ start }) => beforeOnLine(text, start) === "") : found;
  if (exact.length > 0) return exact;
  return wholeLines || lines.length > 1 || /^[ \t]/.test(oldText) ? findShifted(text, lines, newText) : [];
}

function findFragment(text: string, wanted: string, newText: string): Place[] {
  const isIndented = /^[ \t]/.test(wanted) && !isBlank(wanted);
  const places: Place[] = [];
  for (let at = text.indexOf(wanted); at >= 0 && places.length < maxPlaces; ) {
    const before = beforeOnLine(text, at);
    // Within the indentation of a line, it may be the line with less of it.
    const isMeant = !isIndented || before === "" || (!isBlank(before) && !/[\r\n]/.test(newText));
    if (isMeant)
      places.push(placeAt(text, { start: at, end: at + wanted.length, endings: [] }, newText, true));
    at = text.indexOf(wanted, at + (isMeant ? wanted.length : 1));
  }
  return places;
}

interface Match {
  start: number;
  end: number;
  /** The line breaks inside. */
  endings: string[];
}

/** Looks for the longest line, then for the others around it. */
function findLines(text: string, lines: readonly string[], newText: string): Place[] {
  const anchor = lines.reduce((best, line, i) => (line.length > (lines[best]?.length ?? 0) ? i : best), 0);
  const first = lines[0] ?? "";
  const isAlone = lines.slice(1).every(isBlank);
  const places: Place[] = [];
  let end = 0;
  for (const at of positionsOf(text, lines[anchor] ?? "")) {
    const match = matchAround(text, lines, anchor, at);
    if (!match || match.start < end) continue;
    if (/^[ \t]/.test(first) && beforeOnLine(text, match.start) !== "") continue;
    end = match.end;
    places.push(placeAt(text, match, newText, isAlone && !isBlank(first)));
    if (places.length === maxPlaces) break;
  }
  return places;
}

/** An empty line matches before every line ending. */
function* positionsOf(text: string, line: string): Generator<number> {
  if (line !== "") {
    for (let at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + 1)) yield at;
  } else for (const { index } of text.matchAll(/\r\n|\n|\r/g)) yield index;
}

function matchAround(text: string, lines: readonly string[], anchor: number, at: number): Match | undefined {
  const endings: string[] = [];
  let start = at;
  for (const line of lines.slice(0, anchor).reverse()) {
    const ending = endingBefore(text, start);
    start -= ending.length + line.length;
    if (ending === "" || start < 0 || !text.startsWith(line, start)) return undefined;
    endings.unshift(ending);
  }
  let end = at + (lines[anchor]?.length ?? 0);
  for (const line of lines.slice(anchor + 1)) {
    const ending = endingAt(text, end);
    end += ending.length + line.length;
    if (ending === "" || !text.startsWith(line, end - line.length)) return undefined;
    endings.push(ending);
  }
  return { start, end, endings };
}

function placeAt(text: string, { start, end, endings }: Match, newText: string, isOneLine: boolean): Place {
  const lines = splitAtBreaks(newText);
  const before = beforeOnLine(text, start);
  const indent = indentOf(before);
  const doubt = isOneLine && before !== "" && indent !== "" ? doubtOf(lines, indent) : undefined;
  const fallback = endings.at(-1) ?? endingNear(text, start, end);
  const made = fallback === undefined ? newText : joined(lines, endings, fallback);
  return { start, end, ...(doubt === undefined ? { text: made } : { text: undefined, doubt }) };
}

/** New lines that begin behind the indentation of one line: those after the first may count from the margin or from there. */
function doubtOf([first = "", ...others]: readonly string[], indent: string): string | undefined {
  const rest = others.filter((line) => !isBlank(line)).map(indentOf);
  const [next] = rest;
  if (next === undefined) return undefined;
  const opens = /(?:[:{([=]|=>|->|\bthen|\bdo)\s*$/.test(first);
  const isDeeper = next.startsWith(indent) && next.length > indent.length;
  if (rest.every((one) => one !== "") && (!opens || isDeeper)) return undefined;
  return `newText has several lines, and from where they are indented cannot be told. Begin oldText and newText with the indentation of the line, ${JSON.stringify(indent)}.`;
}

/** Whole lines whose indentation alone differs, by one shift. */
function findShifted(text: string, given: readonly string[], newText: string): Place[] {
  const next = splitAtBreaks(newText);
  const old = [...given];
  if (old.length > 1 && old[0] === "" && next.length > 1 && next[0] === "")
    [old, next].map((lines) => lines.shift());
  const toEnd = old.length > 1 && old.at(-1) === "";
  if (toEnd) old.pop();
  const bodies = old.map((line) => (isBlank(line) ? "" : line.slice(indentOf(line).length)));
  const anchor = bodies.reduce(
    (best, body, at) => (body.length > (bodies[best]?.length ?? 0) ? at : best),
    0,
  );
  if (bodies[anchor] === "" || !text.includes(bodies[anchor] ?? "")) return [];
  const lines = linesOf(text);
  const style = indentStyle(lines.filter((line) => !isBlank(line.text)).map((line) => indentOf(line.text)));
  const places: Place[] = [];
  for (let at = 0; at + old.length <= lines.length && places.length < maxPlaces; at++) {
    if (bodyOf(lines[at + anchor]) !== bodies[anchor]) continue;
    const region = lines.slice(at, at + old.length);
    if (region.some((line, i) => bodyOf(line) !== bodies[i])) continue;
    const place = shiftedPlace(text, region, { old, next, toEnd, style });
    if (!place) continue;
    places.push(place);
    at += old.length - 1;
  }
  return places;
}

const bodyOf = (line: Line | undefined) =>
  line === undefined || isBlank(line.text) ? "" : line.text.slice(indentOf(line.text).length);

interface Wanted {
  old: readonly string[];
  next: readonly string[];
  /** With the break behind the last line. */
  toEnd: boolean;
  style: IndentStyle;
}

function shiftedPlace(
  text: string,
  region: readonly Line[],
  { old, next, toEnd, style }: Wanted,
): Place | undefined {
  const pairs = region.flatMap((line, i): [string, string][] => {
    const one = old[i] ?? "";
    return isBlank(one) ? [] : [[indentOf(one), indentOf(line.text)]];
  });
  const shift = shiftOf(pairs, style);
  const [first, last] = [region[0], region.at(-1)];
  if (!shift || !first || !last) return undefined;
  const at = { start: first.start, end: last.start + last.text.length + (toEnd ? last.ending.length : 0) };
  const made = next.map((line) => {
    const indent = isBlank(line) ? "" : shift(indentOf(line));
    return indent === undefined ? undefined : isBlank(line) ? "" : indent + line.slice(indentOf(line).length);
  });
  // The last line of a file may lack its break.
  if (toEnd && last.ending === "" && made.at(-1) === "") made.pop();
  const shifted = pairs[0] ?? (["", ""] as const);
  if (!made.every((line) => line !== undefined)) {
    const doubt = "It stands there with another indentation, which cannot be carried over to all new lines.";
    return { ...at, text: undefined, doubt, shifted };
  }
  const endings = region.map(({ ending }) => ending).filter((ending) => ending !== "");
  return {
    ...at,
    text: joined(made, endings, endings.at(-1) ?? endingNear(text, at.start, at.end) ?? "\n"),
    shifted,
  };
}

/** Lines with the breaks that stand there, and that of the last one for further lines. */
function joined(lines: readonly string[], endings: readonly string[], fallback: string): string {
  return lines.map((line, i) => line + (i === lines.length - 1 ? "" : (endings[i] ?? fallback))).join("");
}

function beforeOnLine(text: string, at: number): string {
  let start = at;
  while (start > 0 && text[start - 1] !== "\n" && text[start - 1] !== "\r") start--;
  return text.slice(start, at);
}
