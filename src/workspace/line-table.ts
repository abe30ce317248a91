/** One line of a text: its characters, where they begin, and the break behind them. */
export interface Line {
  text: string;
  start: number;
  ending: string;
}

/** `\n`, `\r\n` and a lone `\r` end a line; behind the last break is one more, perhaps empty. */
export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const { 0: ending, index } of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ text: text.slice(start, index), start, ending });
    start = index + ending.length;
  }
  lines.push({ text: text.slice(start), start, ending: "" });
  return lines;
}

/** Line numbers, from 1, of ascending positions. */
export function lineNumbersAt(text: string, positions: readonly number[]): number[] {
  const numbers: number[] = [];
  let line = 1;
  let at = 0;
  for (const position of positions) {
    for (; at < position; at++) {
      const unit = text.charCodeAt(at);
      if (unit === 10 || (unit === 13 && text.charCodeAt(at + 1) !== 10)) line++;
    }
    numbers.push(line);
  }
  return numbers;
}

export function endingAt(text: string, at: number): string {
  if (text[at] === "\n") return "\n";
  if (text[at] !== "\r") return "";
  return text[at + 1] === "\n" ? "\r\n" : "\r";
}

export function endingBefore(text: string, at: number): string {
  if (text[at - 1] === "\r") return "\r";
  if (text[at - 1] !== "\n") return "";
  return text[at - 2] === "\r" ? "\r\n" : "\n";
}

/** The first break behind a position, else the last one before it; undefined in a text of one line. */
export function endingNear(text: string, start: number, end = start): string | undefined {
  const behind = /\r\n|\n|\r/g;
  behind.lastIndex = end;
  const next = behind.exec(text)?.[0];
  if (next !== undefined) return next;
  for (let at = start; at > 0; at--) {
    const ending = endingBefore(text, at);
    if (ending !== "") return ending;
  }
  return undefined;
}

export const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0] ?? "";
export const isBlank = (line: string) => line.trim() === "";
export const splitAtBreaks = (text: string) => text.split(/\r\n|\n|\r/);
