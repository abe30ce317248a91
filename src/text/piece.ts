/**
 * Where a piece of at most `max` characters from `start` should end: after a paragraph, else a line, else a word, as
 * long as that costs at most a third of the piece. Never inside a character.
 */
export function pieceEnd(text: string, start: number, max: number): number {
  const limit = start + max;
  if (limit >= text.length) return text.length;
  const earliest = start + Math.floor((max * 2) / 3);
  for (const border of ["\n\n", "\n", " "]) {
    const at = text.lastIndexOf(border, limit - border.length);
    if (at >= earliest) return at + border.length;
  }
  const splitsPair = /[\uD800-\uDBFF]/.test(text[limit - 1] ?? "");
  return splitsPair && limit - 1 > start ? limit - 1 : limit;
}
