import { type LineRange, withoutLongComments } from "../../code/search/shown-lines.ts";
import { isClosing } from "../../code/search/unfolded-lines.ts";
import { byDepth } from "../../text/depth.ts";
import { joinedLines, type NumberedLine } from "./joined-lines.ts";

/** Of a longer comment only the first lines are shown, if at least this share of the lines is left. */
const longComment = { most: 12, kept: 8 };
const mostlyCode = 0.4;

/** Blank and closing lines say nothing that the indentation does not say, nor do the empty lines and the ends of comments. */
export const isWorthReading = (line: string) =>
  line !== "" && !isClosing(line) && !/^\s*(?:#|\/\/|\*\/)$/.test(line);

/** For reading: without blank and closing lines and the rest of long comments. */
export function readingLines(lines: readonly string[], startLine: number): NumberedLine[] {
  const shallow = byDepth(lines);
  return rangesShown(lines).flatMap(([first, to]) => [
    ...numbered(shallow, startLine, [first, to]),
    ...(to < lines.length ? [{ line: "… (comment)", number: startLine + to }] : []),
  ]);
}

/** The same of some ranges; a line that others were folded below ends with `…`. */
export function foldedLines(
  lines: readonly string[],
  startLine: number,
  ranges: readonly LineRange[],
): NumberedLine[] {
  const shallow = byDepth(lines);
  return ranges.flatMap(([first, to], at) => {
    const kept = numbered(shallow, startLine, [first, to]);
    const next = ranges[at + 1]?.[0] ?? lines.length + 1;
    const isFolded = shallow.slice(to, next - 1).some(isWorthReading);
    return kept.map((one, index) =>
      isFolded && index === kept.length - 1 ? { ...one, line: `${one.line} …` } : one,
    );
  });
}

/**
 * The numbered lines as they are printed. All that is shown of files is printed in this one way, so that lines which were
 * printed before are recognized.
 */
export const printed = (lines: readonly NumberedLine[]): { number: number; text: string }[] =>
  joinedLines(lines).map(({ line, number, last }) => ({
    number,
    text: `${last ? `${number}-${last}` : number}\t${line}`,
  }));

const numbered = (shallow: readonly string[], startLine: number, [first, to]: LineRange): NumberedLine[] =>
  shallow
    .slice(first - 1, to)
    .map((line, index) => ({ line, number: startLine + first - 1 + index }))
    .filter(({ line }) => isWorthReading(line));

/** All lines but the rest of long comments, unless comments are most of what was asked for. */
function rangesShown(lines: readonly string[]): LineRange[] {
  const ranges = withoutLongComments(lines, 1, lines.length, longComment);
  const shown = ranges.reduce((count, [first, last]) => count + last - first + 1, 0);
  return shown >= lines.length * mostlyCode ? ranges : [[1, lines.length]];
}
