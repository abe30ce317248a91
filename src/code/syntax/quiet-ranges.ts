interface Stretch {
  startIndex: number;
  endIndex: number;
}

const textOrComment = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|\/\/.*|\/\*[\s\S]*?\*\//g;

/** The texts and comments in a part of C that is one piece to the grammar: the value of a macro. */
export function quietInside({ startIndex, text }: { startIndex: number; text: string }): Stretch[] {
  return Array.from(text.matchAll(textOrComment), ({ index, 0: { length } }) => ({
    startIndex: startIndex + index,
    endIndex: startIndex + index + length,
  }));
}

/** The texts and comments in what was taken out of a text to make it parseable. */
export function quietTakenOut(source: string, text: string): Stretch[] {
  const found: Stretch[] = [];
  if (source === text) return found;
  for (const match of source.matchAll(textOrComment)) {
    const endIndex = match.index + match[0].length;
    const isTakenOut =
      text[match.index] !== source[match.index] && text[endIndex - 1] !== source[endIndex - 1];
    if (isTakenOut) found.push({ startIndex: match.index, endIndex });
  }
  return found;
}

/**
 * The stretches of comments and texts as start, end, start, end…, without the code inside of texts, but with the texts inside
 * of that code: the innermost stretch around a place says what it is.
 */
export function quietRanges(quiet: readonly Stretch[], live: readonly Stretch[]): number[] {
  const all = [
    ...quiet.map(({ startIndex, endIndex }) => ({ start: startIndex, end: endIndex, isQuiet: true })),
    ...live.map(({ startIndex, endIndex }) => ({ start: startIndex, end: endIndex, isQuiet: false })),
  ].sort((a, b) => a.start - b.start || b.end - a.end);
  const ranges: number[] = [];
  const add = (start: number, end: number) => {
    if (start >= end) return;
    const last = ranges.length - 1;
    if (last >= 0 && start <= (ranges[last] ?? 0)) ranges[last] = Math.max(ranges[last] ?? 0, end);
    else ranges.push(start, end);
  };
  const open: typeof all = [];
  let at = 0;
  /** Everything from `at` on belongs to the innermost open stretch. */
  const moveTo = (offset: number) => {
    while (open.length > 0 && at < offset) {
      const inner = open.at(-1);
      if (!inner) return;
      const end = Math.min(inner.end, offset);
      if (inner.isQuiet) add(at, end);
      at = Math.max(at, end);
      if (inner.end <= offset) open.pop();
    }
    at = Math.max(at, offset);
  };
  for (const stretch of all) {
    moveTo(stretch.start);
    open.push(stretch);
  }
  moveTo(Number.POSITIVE_INFINITY);
  return ranges;
}
