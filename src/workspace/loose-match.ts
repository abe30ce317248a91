import { adaptLines } from "./adapt-lines.ts";
import { gap, indentOf, isBlank, paddingOf } from "./white-space.ts";

/**
 * A match of a text in a file that differs in white space only: indentation, gaps inside lines, blank lines, spaces
 * at line ends. Everything works on latin1 strings, one character per byte, so bytes that are not valid text stay
 * unchanged.
 */
export interface LooseMatch {
  start: number;
  end: number;
  /** The replacement: unchanged lines as they are in the file, new ones indented like the lines around them. */
  replacement: string | undefined;
  /** How the text differs, in words. */
  differences: string[];
}

const lineBreak = "(?:\\r?\\n|\\r(?!\\n))";
const wordCharacter = /[\w$\x80-\xff]/;
const maxMatches = 1000;

export function findLoose(bytes: Buffer, oldText: string, newText: string): LooseMatch[] {
  const wanted = wantedText(latin1(oldText), latin1(newText));
  if (!wanted) return [];
  const file = bytes.toString("latin1");
  const matches: LooseMatch[] = [];
  for (const found of file.matchAll(patternOf(wanted.old))) {
    const place = placeOf(file, found.index, found.index + found[0].length, wanted);
    if (!place || place.start < (matches.at(-1)?.end ?? 0)) continue;
    matches.push(place);
    if (matches.length === maxMatches) break;
  }
  return matches;
}

interface Wanted {
  old: string;
  new: string;
  /** The text began or ended at a line boundary, so it must not match inside another line. */
  fromLineStart: boolean;
  toLineEnd: boolean;
  /** Whole lines are removed, including the ending of the last one. */
  removesEnding: boolean;
}

/**
 * Line breaks around both texts are not part of the search. Undefined if no text is left, or if only those line
 * breaks would change.
 */
function wantedText(oldText: string, newText: string): Wanted | undefined {
  const [before = ""] = /^(?:[ \t]*(?:\r\n|\n|\r))*/.exec(oldText) ?? [];
  const [after = ""] = /(?:(?:\r\n|\n|\r)[ \t]*)*$/.exec(oldText.slice(before.length)) ?? [];
  const core = oldText.slice(before.length, oldText.length - after.length);
  const indented = indentOf(core) !== "";
  const padding = paddingOf(core);
  const old = core.slice(0, core.length - padding.length);
  if (isBlank(old)) return undefined;
  const removes = newText === "";
  if (!removes && !(newText.startsWith(before) && newText.endsWith(padding + after))) return undefined;
  return {
    old,
    new: removes ? "" : newText.slice(before.length, newText.length - after.length - padding.length),
    fromLineStart: before !== "" || indented,
    toLineEnd: after !== "" || (removes && padding !== ""),
    removesEnding: removes && after !== "",
  };
}

function patternOf(text: string): RegExp {
  const parts = text
    .slice(indentOf(text).length)
    .split(new RegExp(`((?:${gap}|[\\r\\n])+)`))
    .map((part, at) => {
      if (at % 2 === 0) return part.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
      return /[\r\n]/.test(part) ? `(?:${gap}*${lineBreak})+${gap}*` : `${gap}+`;
    });
  return new RegExp(parts.join(""), "g");
}

function placeOf(file: string, from: number, to: number, wanted: Wanted): LooseMatch | undefined {
  const lineStart = Math.max(file.lastIndexOf("\n", from - 1), file.lastIndexOf("\r", from - 1)) + 1;
  const before = from === 0 ? "" : file.slice(lineStart, from);
  const rest = new RegExp(`${gap}*(${lineBreak}|$)`, "y");
  rest.lastIndex = to;
  const ending = rest.exec(file);
  const atLineStart = isBlank(before);
  if (wanted.fromLineStart && !atLineStart) return undefined;
  if (wanted.toLineEnd && !ending) return undefined;
  if (cutsWord(file, from) || cutsWord(file, to)) return undefined;
  const start = atLineStart ? lineStart : from;
  const lineEnd = ending ? to + ending[0].length - (ending[1]?.length ?? 0) : to;
  const end = wanted.removesEnding && ending ? to + ending[0].length : lineEnd;
  const region = file.slice(start, lineEnd);
  return {
    start,
    end,
    replacement:
      wanted.new === ""
        ? ""
        : adaptLines({
            region,
            old: wanted.old,
            next: wanted.new,
            wholeFirstLine: atLineStart,
            ending: endingIn(file, end),
          }),
    differences: differencesOf(region, wanted.old),
  };
}

function cutsWord(file: string, at: number): boolean {
  return wordCharacter.test(file[at - 1] ?? "") && wordCharacter.test(file[at] ?? "");
}

/** The line ending used around a position, for new lines. */
function endingIn(file: string, at: number): string {
  const next = /\r\n|\n|\r/g;
  next.lastIndex = at;
  return next.exec(file)?.[0] ?? /\r\n|\n|\r/.exec(file)?.[0] ?? "\n";
}

function differencesOf(region: string, old: string): string[] {
  const [there, given] = [region, old].map((text) => text.split(/\r\n|\n|\r/));
  const full = (lines: string[] | undefined) => (lines ?? []).filter((line) => !isBlank(line));
  const pairs = full(there).map((line, at) => [line, full(given)[at] ?? ""] as const);
  const differ = (part: (line: string) => string) => pairs.some(([a, b]) => part(a) !== part(b));
  const inside = (line: string) => line.slice(indentOf(line).length, line.length - paddingOf(line).length);
  return [
    ...(differ(indentOf) ? ["indentation"] : []),
    ...(differ(paddingOf) ? ["spaces at line ends"] : []),
    ...(differ(inside) ? ["spaces inside lines"] : []),
    ...(there?.length !== given?.length ? ["blank lines"] : []),
  ];
}

export function latin1(text: string): string {
  return Buffer.from(text).toString("latin1");
}
