import { fitLines } from "./fit-lines.ts";
import { estimateTokens } from "./tokens.ts";

export interface Bounded {
  text: string;
  /** The longest rendering, when it is not the one shown. */
  full: string | undefined;
}

/**
 * The first rendering that fits the budget. When even the shortest does not, it is cut at a line border, and
 * `closing(shown, total)` says so and gives the call that shows the rest.
 */
export function boundToBudget(
  renderings: string | readonly (string | ((budget: number) => string))[],
  budget: number,
  closing: (shownLines: number, totalLines: number) => string,
): Bounded {
  const ladder = typeof renderings === "string" ? [renderings] : renderings;
  let full: string | undefined;
  let text = "";
  for (const step of ladder) {
    text = typeof step === "function" ? step(budget) : step;
    full ??= text;
    if (estimateTokens(text) <= budget) return { text, full: text === full ? undefined : full };
  }
  const lines = text.split("\n");
  return { text: fitLines(lines, budget, (shown) => closing(shown, lines.length)), full };
}
