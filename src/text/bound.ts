import { bytesWithin, estimateTokens } from "./tokens.ts";

export interface Bounded {
  text: string;
  tokens: number;
  /** The longest rendering, when it is not the one shown. */
  full: string | undefined;
}

/**
 * The first rendering that fits the budget. When even the shortest does not, it is cut at a line border and a last line
 * says how much is shown; `more(shown, total)` gives the call that shows the rest.
 */
export function boundToBudget(
  renderings: string | readonly (string | (() => string))[],
  budget: number,
  more: (shownLines: number, totalLines: number) => string,
): Bounded {
  const ladder = typeof renderings === "string" ? [renderings] : renderings;
  let full: string | undefined;
  let text = "";
  for (const step of ladder) {
    text = typeof step === "function" ? step() : step;
    full ??= text;
    const tokens = estimateTokens(text);
    if (tokens <= budget) return { text, tokens, full: text === full ? undefined : full };
  }
  const cut = cutAtLine(text, budget, more);
  return { text: cut, tokens: estimateTokens(cut), full };
}

function cutAtLine(text: string, budget: number, more: (shown: number, total: number) => string): string {
  const lines = text.split("\n");
  // The closing line needs room too: its numbers are at most this wide.
  const closing = Buffer.byteLength(more(lines.length, lines.length)) + 1;
  let room = bytesWithin(budget) - closing;
  let shown = 0;
  while (shown < lines.length) {
    const size = Buffer.byteLength(lines[shown] ?? "") + 1;
    if (size > room) break;
    room -= size;
    shown++;
  }
  if (shown > 0) return [...lines.slice(0, shown), more(shown, lines.length)].join("\n");
  const piece = Buffer.from(lines[0] ?? "").subarray(0, Math.max(0, room));
  return `${new TextDecoder().decode(piece).replace(/\uFFFD+$/, "")}…\n${more(0, lines.length)}`;
}
