import { visibleLine } from "../text/visible.ts";
import { type Io, painter } from "./terminal.ts";

interface Draft {
  /** The whole message so far, and its last line with the cursor in it. */
  text: string;
  line: string;
  cursor: number;
  prompt: string;
  /** Shown while nothing is written. */
  hint: string;
}

/** The message being written, on one row: its end, with a cursor that is drawn. */
export function draftLine(
  { text, line, cursor, prompt, hint }: Draft,
  io: Pick<Io, "colour" | "columns">,
): string {
  const paint = painter(io);
  const start = paint("cyan", prompt);
  if (text === "") return `${start}${cursorOn(" ")}${paint("dim", hint)}`;
  const earlier = text.slice(0, text.length - line.length);
  const before = lastCells(visibleLine(earlier + line.slice(0, cursor)), io.columns - 4 - prompt.length);
  // By code points: half a character is not printable.
  const [under = "", ...after] = line.slice(cursor);
  return `${start}${before}${cursorOn(visibleLine(under) || " ")}${visibleLine(after.join(""))}`;
}

const mostShown = 3;

/** Messages that wait to be sent. */
export function queueLines(queue: readonly string[], io: Pick<Io, "colour">): string[] {
  const paint = painter(io);
  const shown = queue.slice(-mostShown);
  const more = queue.length - shown.length;
  return [
    ...(more > 0 ? [paint("dim", `… ${more} more`)] : []),
    ...shown.map((message) => paint("dim", `next: ${visibleLine(message)}`)),
  ];
}

/** Also without colours: the cursor must be visible. */
function cursorOn(char: string): string {
  return `\u001b[7m${char}\u001b[27m`;
}

/** The end of a text that fits this many cells; non-European characters may take two. */
function lastCells(text: string, remaining: number): string {
  const chars = [...text];
  let from = chars.length;
  for (let left = remaining; from > 0; from--) {
    left -= (chars[from - 1]?.codePointAt(0) ?? 0) < 0x1100 ? 1 : 2;
    if (left < 0) break;
  }
  return (from > 0 ? "…" : "") + chars.slice(from).join("");
}
