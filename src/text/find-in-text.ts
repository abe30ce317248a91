export interface FoundPlaces {
  /** In order, none overlapping another; as many as fit. */
  places: { from: number; to: number }[];
  /** All places, also those that did not fit. */
  count: number;
  /** Something was left out after the last of them. */
  isCut: boolean;
}

const before = 300;
const after = 500;

/**
 * The places in a text that have these words, with what stands around them. The words count in their order first; if they
 * never come so, lines that have all of them.
 */
export function findInText(text: string, words: string, start: number, most: number): FoundPlaces {
  const all: { from: number; to: number }[] = [];
  for (const { index, length } of matchesOf(text, words, start)) {
    const from = borderBefore(text, Math.max(start, index - before));
    const to = borderAfter(text, index + length + after);
    const last = all.at(-1);
    if (last && from <= last.to) last.to = to;
    else all.push({ from: Math.max(start, from), to });
  }
  let left = most;
  const places = all.filter(({ from, to }, at) => {
    left -= to - from;
    return at === 0 || left >= 0;
  });
  const [first] = places;
  const end = all.at(-1)?.to;
  // One long run of matches is cut; the rest is found from there on.
  if (first && first.to - first.from > most) first.to = first.from + most;
  return { places, count: all.length, isCut: places.at(-1)?.to !== end };
}

function matchesOf(text: string, words: string, start: number): { index: number; length: number }[] {
  const wanted = words.trim().split(/\s+/);
  const inOrder = new RegExp(wanted.map((word) => RegExp.escape(word)).join("\\s+"), "giu");
  inOrder.lastIndex = start;
  const matches: { index: number; length: number }[] = [];
  for (let match = inOrder.exec(text); match; match = inOrder.exec(text))
    matches.push({ index: match.index, length: match[0].length });
  if (matches.length > 0 || wanted.length === 1) return matches;
  const lower = wanted.map((word) => word.toLowerCase());
  let index = 0;
  for (const line of text.split("\n")) {
    const plain = line.toLowerCase();
    if (index >= start && lower.every((word) => plain.includes(word)))
      matches.push({ index, length: line.length });
    index += line.length + 1;
  }
  return matches;
}

/** The beginning of the line if it is near, else of a word. */
function borderBefore(text: string, at: number): number {
  const line = text.lastIndexOf("\n", at) + 1;
  if (at - line < before) return line;
  return text.lastIndexOf(" ", at) + 1;
}

function borderAfter(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const line = text.indexOf("\n", at);
  if (line >= 0 && line - at < after) return line;
  const word = text.indexOf(" ", at);
  return word < 0 ? text.length : word;
}
