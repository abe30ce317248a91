const LF = 10;
const CR = 13;
const maxWords = 12;
const maxHitsPerWord = 500;
const maxLinesShown = 12;
const maxLineCharacters = 200;

interface Hit {
  at: number;
  word: string;
  /** Rare and long words say more. */
  weight: number;
}

/**
 * Says where a text that was not found most probably stands, and how it reads there. The words of the text are looked
 * up in the bytes, and the place where most of them stand together wins: cheap on large files too.
 */
export function nearestRegion(bytes: Buffer, text: string): string {
  const best = bestPlace(bytes, text);
  if (!best) return "Nothing in the file resembles it. Read the file again and copy the text from there.";
  const above = linesOf(text.slice(0, text.indexOf(best.word))).length;
  const count = Math.min(linesOf(text.trimEnd()).length + 2, maxLinesShown);
  const { lines, skipped } = linesAround(bytes, best.at, above, count);
  const first = (lineNumbersAt(bytes, [best.at])[0] ?? 1) - skipped;
  const shown = lines.map((line, i) => `${first + i}| ${shortened(line)}`).join("\n");
  const isSpacing = withoutSpacing(lines.join("\n")).includes(withoutSpacing(text));
  const hint = isSpacing ? " It differs only in white space." : "";
  return `The nearest text is at lines ${first}-${first + lines.length - 1}.${hint} It reads:\n${shown}\nCopy oldText from there, without the line numbers.`;
}

/** Line numbers, from 1, of ascending positions. `\n`, `\r\n` and a lone `\r` end a line. */
export function lineNumbersAt(bytes: Uint8Array, positions: readonly number[]): number[] {
  const numbers: number[] = [];
  let line = 1;
  let at = 0;
  for (const position of positions) {
    for (; at < position; at++) {
      const byte = bytes[at];
      if (byte === LF || (byte === CR && bytes[at + 1] !== LF)) line++;
    }
    numbers.push(line);
  }
  return numbers;
}

function bestPlace(bytes: Buffer, text: string): Hit | undefined {
  const words = [...new Set(text.match(/[\p{L}\p{N}_$]{2,}/gu))]
    .sort((a, b) => b.length - a.length)
    .slice(0, maxWords);
  const hits = words.flatMap((word) => hitsOf(bytes, word)).sort((a, b) => a.at - b.at);
  const reach = Math.max(Buffer.byteLength(text) * 1.5, 80);
  const standing = new Map<string, number>();
  let best: Hit | undefined;
  let bestScore = 0;
  let score = 0;
  let last = 0;
  for (const first of hits) {
    for (let hit = hits[last]; hit && hit.at <= first.at + reach; hit = hits[++last]) {
      const count = standing.get(hit.word) ?? 0;
      if (count === 0) score += hit.weight;
      standing.set(hit.word, count + 1);
    }
    if (score > bestScore) [best, bestScore] = [first, score];
    const left = (standing.get(first.word) ?? 1) - 1;
    standing.set(first.word, left);
    if (left === 0) score -= first.weight;
  }
  return best;
}

function hitsOf(bytes: Buffer, word: string): Hit[] {
  const positions: number[] = [];
  for (
    let at = bytes.indexOf(word);
    at >= 0 && positions.length < maxHitsPerWord;
    at = bytes.indexOf(word, at + 1)
  ) {
    positions.push(at);
  }
  return positions.map((at) => ({ at, word, weight: word.length / (1 + Math.log2(positions.length)) }));
}

/** `count` lines, from up to `above` lines before the one at the position; `skipped` says how many before. */
function linesAround(
  bytes: Buffer,
  position: number,
  above: number,
  count: number,
): { lines: string[]; skipped: number } {
  const reach = (above + count) * maxLineCharacters * 4;
  const before = linesOf(bytes.subarray(Math.max(0, position - reach), position).toString());
  const after = linesOf(bytes.subarray(position, position + reach).toString());
  const skipped = Math.min(above, before.length - 1);
  const middle = (before.at(-1) ?? "") + (after[0] ?? "");
  const lines = [...before.slice(before.length - 1 - skipped, -1), middle, ...after.slice(1)];
  return { lines: lines.slice(0, count), skipped };
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

function shortened(line: string): string {
  return line.length > maxLineCharacters ? `${line.slice(0, maxLineCharacters)}…` : line;
}

function withoutSpacing(text: string): string {
  return text.replace(/\s+/g, "");
}
