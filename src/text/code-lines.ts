import { visibleText } from "./visible.ts";

// What is shown of a file is the file. Every tool that shows code prints its lines here: `number⇥line`, in order, each as it
// stands in the file. What is left out has a line of its own, without a number.

export interface NumberedLine {
  number: number;
  line: string;
}

/** What is printed for a line of the file, or for those that are left out from this number on. */
export interface ShownLine {
  number: number;
  text: string;
}

export const widestLine = 2_000;

/** A line with its number, of which only what cannot be seen is written otherwise, and then says so. */
export function codeLine({ number, line }: NumberedLine, widest = widestLine): string {
  const text = line.slice(number === 1 && line.startsWith("\u{feff}") ? 1 : 0).replace(/\r$/, "");
  const shown = visibleText(text);
  return `${number}\t${cutLine(shown, widest)}${shown === text ? "" : " … (\\u{…}: characters that are not seen)"}`;
}

/** A line up to so many characters; one that is cut, or was cut before, says how many follow. */
export function cutLine(line: string, widest: number): string {
  if (line.length <= widest) return line;
  const [mark = "", before = "0"] = /… \(\+(\d+) characters\)$/.exec(line) ?? [];
  // A character of two units is not cut in half.
  const kept = line.slice(0, Math.min(widest, line.length - mark.length)).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept}… (+${line.length - mark.length - kept.length + Number(before)} characters)`;
}

export const leftOut = (count: number) => `… ${count} ${count === 1 ? "line" : "lines"}`;

/** The lines, and where some are left out between them, or from `first` on and up to `last`, how many. */
export function codeLines(
  lines: Iterable<NumberedLine>,
  { first, last, widest }: { first?: number; last?: number; widest?: number } = {},
): ShownLine[] {
  const shown: ShownLine[] = [];
  let next = first;
  const gap = (to: number) => {
    if (next !== undefined && to > next) shown.push({ number: next, text: leftOut(to - next) });
  };
  for (const one of lines) {
    gap(one.number);
    shown.push({ number: one.number, text: codeLine(one, widest) });
    next = one.number + 1;
  }
  if (last !== undefined) gap(last + 1);
  return shown;
}

/** Lines with their numbers: all, or those of some ranges, which are counted from the first line on. */
export const numbered = (
  lines: readonly string[],
  startLine = 1,
  ranges: readonly (readonly [first: number, last: number])[] = [[1, lines.length]],
): NumberedLine[] =>
  ranges.flatMap(([first, last]) =>
    lines.slice(first - 1, last).map((line, index) => ({ line, number: startLine + first - 1 + index })),
  );
