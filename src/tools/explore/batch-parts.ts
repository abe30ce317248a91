import { z } from "zod";
import { codeLines, numbered } from "../../text/code-lines.ts";
import { fitLines } from "../../text/fit-lines.ts";
import { estimateTokens } from "../../text/tokens.ts";
import { maxLines } from "./inputs.ts";
import { windowOutput } from "./line-window.ts";

/** One place that was read: its lines, its outline, or why there is nothing. */
export const partOutput = z.union([
  windowOutput.extend({
    symbol: z.string().optional(),
    within: z.string().optional().describe("The function that the lines begin inside of, and its line"),
    wanted: z.number(),
    rest: z.string().optional().describe("Of a file that is longer: the outline of what follows"),
    unfolded: z
      .array(z.tuple([z.number(), z.number()]))
      .optional()
      .describe("Of a long part, the lines that stay when blocks that do not speak of the topic are folded"),
    also: z.array(z.string()).optional().describe("Other definitions of the very name"),
  }),
  z.object({
    file: z.string(),
    symbol: z.string().optional(),
    outline: z.string(),
    also: z.array(z.string()).optional(),
  }),
  z.object({
    file: z.string(),
    symbol: z.string().optional(),
    shownWith: z.string().describe("The lines of another part that show this one"),
  }),
  z.object({ file: z.string(), error: z.string() }),
]);
export type Part = z.infer<typeof partOutput>;

const mostAlso = 3;

/**
 * Every part gets something, small ones all they need; what is left goes to the parts in the order in which they were asked
 * for, so that the first ones are whole.
 */
export function shareOut(parts: readonly Part[], budget: number): string {
  const whole = parts.map((part) => rendered(part, Number.MAX_SAFE_INTEGER));
  const needs = whole.map((text) => estimateTokens(text) + 1);
  // What is put between the parts and estimated otherwise for the whole must fit, too.
  const most = Math.floor(budget * 0.96);
  const least = Math.floor(most / (2 * Math.max(1, parts.length)));
  const shares = needs.map((need) => Math.min(need, least));
  let left = most - sum(shares);
  for (const [at, need] of needs.entries()) {
    const more = Math.min(left, need - (shares[at] ?? 0));
    shares[at] = (shares[at] ?? 0) + more;
    left -= more;
  }
  return parts
    .map((part, at) =>
      (shares[at] ?? 0) >= (needs[at] ?? 0) ? (whole[at] ?? "") : rendered(part, (shares[at] ?? 0) - 1),
    )
    .join("\n");
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function rendered(part: Part, budget: number): string {
  if ("error" in part) return `== ${part.file}: ${part.error}`;
  if ("shownWith" in part)
    return `== ${part.file}${part.symbol ? ` ${part.symbol}` : ""}: see ${part.shownWith}`;
  const { file, symbol, also = [] } = part;
  const more = also.length > mostAlso ? ` and ${also.length - mostAlso} more` : "";
  const label = also.length > 1 ? "others of the name" : "another of the name";
  const others = also.length > 0 ? ` (${label}: ${also.slice(0, mostAlso).join(", ")}${more})` : "";
  const around = "within" in part && part.within ? ` [${part.within}]` : "";
  const head = `== ${file}${symbol ? ` ${symbol}` : ""}${around}${others}`;
  if ("outline" in part) return `${head}\n${part.outline}`;
  const { lines, startLine, totalLines, wanted, unfolded, rest } = part;
  const last = Math.min(totalLines, startLine + wanted - 1);
  const shown = codeLines(numbered(lines, startLine, unfolded), {
    first: startLine,
    last: startLine + lines.length - 1,
  });
  const readOn = (count: number) => {
    const next = count < shown.length ? shown[count]?.number : startLine + lines.length;
    if (next === undefined || next > last) return "";
    const outline = rest === undefined || count < shown.length ? "" : `\n${rest}`;
    return `… ${last - next + 1} more lines; read on: "${file}:${next}-${Math.min(last, next + maxLines - 1)}"${outline}`;
  };
  // How to see what is left out is said where that happens first.
  const at = shown.findIndex(({ text }) => text.startsWith("…"));
  const texts = shown.map(({ number, text }, index) => {
    const next = shown[index + 1]?.number ?? startLine + lines.length;
    return index === at ? `${text}: "${file}:${number}-${next - 1}" shows them` : text;
  });
  const closing = readOn(texts.length);
  const all = [head, ...texts, ...(closing ? [closing] : [])].join("\n");
  return estimateTokens(all) <= budget
    ? all
    : `${head}\n${fitLines(texts, budget - estimateTokens(head) - 1, readOn)}`;
}
