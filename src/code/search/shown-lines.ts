/** Lines from the first to the last, both included, counted from 1. */
export type LineRange = [first: number, last: number];

/** Of a comment longer than this, only the first lines are worth their tokens. */
const longComment = 8;
const keptOfComment = 4;
/** Of what is too long to show whole: its first lines, then the stretch that fits the question best. */
const headShare = 0.1;
const mostHeadLines = 4;
/** It is shown in so many stretches at most, none shorter than this. */
const mostWindows = 3;
const fewestInWindow = 10;
/** So few lines in between or at the end are not worth leaving out. */
const fewLeft = 2;

/**
 * Which lines of a declaration to show: all of them but the rest of long comments; of one with more than `most` lines, its
 * head and the stretches with the greatest weight.
 */
export function shownLines(
  lines: readonly string[],
  [first, last]: LineRange,
  most: number,
  weightOf: (line: string) => number = () => 0,
): LineRange[] {
  const folded = withoutLongComments(lines, first, last);
  const count = folded.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  if (count <= most) return folded;
  const start = firstOfCode(folded, lines);
  const headLines = Math.min(mostHeadLines, Math.ceil(most * headShare));
  const head: LineRange = [start, Math.min(last, start + headLines - 1)];
  return joined([head, ...heaviestWindows(lines, [head[1] + 1, last], most - headLines, weightOf)], last).map(
    (range) => withoutBlanks(lines, range),
  );
}

/** The stretches with the greatest weight, in order. */
function heaviestWindows(
  lines: readonly string[],
  [first, last]: LineRange,
  count: number,
  weightOf: (line: string) => number,
): LineRange[] {
  const size = Math.max(fewestInWindow, Math.ceil(count / mostWindows));
  const free: LineRange[] = [[first, last]];
  const found: LineRange[] = [];
  for (let left = count; left > 0 && free.length > 0; left -= size) {
    const windows = free.map(([from, to]) => heaviest(lines, from, to, Math.min(size, left), weightOf));
    const sums = windows.map(([from, to]) =>
      lines.slice(from - 1, to).reduce((sum, line) => sum + weightOf(line), 0),
    );
    const best = sums.indexOf(Math.max(...sums));
    const window = windows[best];
    const [around] = free.splice(best, 1);
    if (!window || !around) break;
    found.push(window);
    if (window[0] > around[0]) free.push([around[0], window[0] - 1]);
    if (window[1] < around[1]) free.push([window[1] + 1, around[1]]);
  }
  return found;
}

/** In order, with gaps of a few lines closed. */
function joined(ranges: readonly LineRange[], last: number): LineRange[] {
  const found: LineRange[] = [];
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    const before = found.at(-1);
    if (before && from - before[1] <= fewLeft + 1) before[1] = to;
    else found.push([from, to]);
  }
  const end = found.at(-1);
  if (end && end[1] + fewLeft >= last) end[1] = last;
  return found;
}

/** Of a stretch that is no declaration: at most so many lines, where they fit the question best. */
export function bestLines(
  lines: readonly string[],
  [first, last]: LineRange,
  most: number,
  weightOf: (line: string) => number = () => 0,
): LineRange[] {
  return [withoutBlanks(lines, heaviest(lines, first, last, most, weightOf))];
}

export const isComment = (line: string) =>
  /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|#(?![[!]|\s*(?:include|define|if|end|el|pragma))|--(?:\s|$)|<!--)/.test(
    line,
  );

/** The lines of a range but the rest of long comments, those of more than `most` lines. */
export function withoutLongComments(
  lines: readonly string[],
  first: number,
  last: number,
  { most = longComment, kept = keptOfComment } = {},
): LineRange[] {
  const ranges: LineRange[] = [];
  let from = first;
  const skip = (start: number, end: number) => {
    if (end - start + 1 <= most) return;
    ranges.push([from, start + kept - 1]);
    from = end + 1;
  };
  for (let at = first; at <= last; at++) {
    const end = endOfComment(lines, at, last);
    if (end === undefined) continue;
    skip(at, end);
    at = end;
  }
  if (from <= last) ranges.push([from, last]);
  return ranges;
}

/** The last line of the comment or documentation string that begins here. */
function endOfComment(lines: readonly string[], at: number, last: number): number | undefined {
  const text = (line: number) => lines[line - 1] ?? "";
  const [, quote, rest] = /^\s*[rRuUbB]?("""|''')(.*)/.exec(text(at)) ?? [];
  if (quote) {
    if (text(at).split(quote).length > 2) return at;
    if (!beginsDocumentation(lines, at, rest)) return undefined;
    let end = at + 1;
    while (end < last && !text(end).includes(quote)) end++;
    return end;
  }
  if (!isComment(text(at))) return undefined;
  let end = at;
  while (end < last && isComment(text(end + 1))) end++;
  return end;
}

/**
 * Quotes at the start of a line may also end a text that began further up, and then code follows. Documentation stands below a
 * line that ends with a colon; where the line above is not known, it has words behind its quotes.
 */
function beginsDocumentation(lines: readonly string[], at: number, rest = ""): boolean {
  const above = lines.slice(0, at - 1).findLast((line) => line.trim() !== "");
  return above === undefined ? rest.trim() !== "" : above.trimEnd().endsWith(":");
}

function firstOfCode(ranges: readonly LineRange[], lines: readonly string[]): number {
  const [[first, last] = [1, 1]] = ranges;
  let start = first;
  while (start < last && isComment(lines[start - 1] ?? "")) start++;
  return isComment(lines[start - 1] ?? "") ? (ranges[1]?.[0] ?? first) : start;
}

export function withoutBlanks(lines: readonly string[], [first, last]: LineRange): LineRange {
  let [from, to] = [first, last];
  while (from < to && (lines[from - 1] ?? "").trim() === "") from++;
  while (to > from && (lines[to - 1] ?? "").trim() === "") to--;
  return [from, to];
}

function heaviest(
  lines: readonly string[],
  first: number,
  last: number,
  size: number,
  weightOf: (line: string) => number,
): LineRange {
  if (last - first + 1 <= size) return [first, last];
  const weights = Array.from({ length: last - first + 1 }, (_, i) => weightOf(lines[first - 1 + i] ?? ""));
  let sum = weights.slice(0, size).reduce((a, b) => a + b, 0);
  let best = sum;
  let start = 0;
  for (let i = size; i < weights.length; i++) {
    sum += (weights[i] ?? 0) - (weights[i - size] ?? 0);
    if (sum > best + 1e-9) {
      best = sum;
      start = i - size + 1;
    }
  }
  return [first + start, first + start + size - 1];
}
