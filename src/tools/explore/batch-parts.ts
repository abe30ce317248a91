import { z } from "zod";
import type { LineRange } from "../../code/search/shown-lines.ts";
import { fitLines } from "../../text/fit-lines.ts";
import { estimateTokens } from "../../text/tokens.ts";
import type { NumberedLine } from "./joined-lines.ts";
import { windowOutput } from "./line-window.ts";
import { foldedLines, printed, readingLines } from "./reading-text.ts";

/** One place that was read: its lines, its outline, or why there is nothing. */
export const partOutput = z.union([
  windowOutput.extend({
    symbol: z.string().optional(),
    within: z.string().optional().describe("The function that the lines begin inside of, and its line"),
    wanted: z.number(),
    isFile: z.boolean().optional().describe("Only the file was named"),
    imports: z
      .tuple([z.number(), z.number()])
      .optional()
      .describe("Of a long part, the lines from its first import to its last one"),
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

/** Tokens that all parts share; the rest of the budget is for parts that would lack little. */
const shared = { most: 8_000, share: 2 / 3 };
/** A part is not cut for fewer lines than this: reading on costs more than they do. */
const fewLines = 40;
const mostAlso = 3;

/**
 * Every part gets something, small ones all they need; what is left goes to the parts in the order in which they were asked
 * for, so that the first ones are whole.
 */
export function shareOut(parts: readonly Part[], budget: number): string {
  const whole = parts.map((part) => rendered(part, Number.MAX_SAFE_INTEGER));
  const needs = whole.map((text) => estimateTokens(text) + 1);
  // What is put between the parts and estimated otherwise for the whole must fit, too.
  const hard = Math.floor(budget * 0.96);
  const soft = Math.min(shared.most, Math.floor(hard * shared.share));
  const least = Math.floor(soft / (2 * Math.max(1, parts.length)));
  const shares = needs.map((need) => Math.min(need, least));
  let left = soft - sum(shares);
  for (const [at, need] of needs.entries()) {
    const more = Math.min(left, need - (shares[at] ?? 0));
    shares[at] = (shares[at] ?? 0) + more;
    left -= more;
  }
  const texts = parts.map((part, at) =>
    (shares[at] ?? 0) >= (needs[at] ?? 0) ? (whole[at] ?? "") : rendered(part, (shares[at] ?? 0) - 1),
  );
  let spare = hard - sum(texts.map((text) => estimateTokens(text) + 1));
  return texts
    .map((text, at) => {
      const all = whole[at] ?? "";
      const cost = estimateTokens(all) - estimateTokens(text);
      if (cost > spare || countLines(all) - countLines(text) > fewLines) return text;
      spare -= cost;
      return all;
    })
    .join("\n");
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const countLines = (text: string) => text.split("\n").length;

/** Many imports are folded to the first one: what of them matters is named where it is used. */
function withoutImports(
  lines: readonly NumberedLine[],
  imports: LineRange | undefined,
): readonly NumberedLine[] {
  if (!imports) return lines;
  const [first, last] = imports;
  return lines.flatMap(({ line, number }) => {
    if (number === first) return { line: `${line} … (imports to ${last})`, number };
    return number > first && number <= last ? [] : { line, number };
  });
}

/** What the whole part costs a reader. */
export const tokensOf = (part: Part): number => estimateTokens(rendered(part, Number.MAX_SAFE_INTEGER));

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
  const { lines, startLine, totalLines, wanted, unfolded, imports } = part;
  const last = Math.min(totalLines, startLine + wanted - 1);
  const read = unfolded ? foldedLines(lines, startLine, unfolded) : readingLines(lines, startLine);
  const numbered = printed(withoutImports(read, imports));
  const readOn = (shown: number) => {
    const next = shown < numbered.length ? numbered[shown]?.number : startLine + lines.length;
    return next === undefined || next > last
      ? ""
      : `… ${last - next + 1} more lines; read on: "${file}:${next}-${last}"`;
  };
  const texts = numbered.map(({ text }) => text);
  const closing = readOn(texts.length);
  const all = [head, ...texts, ...(closing ? [closing] : [])].join("\n");
  return estimateTokens(all) <= budget
    ? all
    : `${head}\n${fitLines(texts, budget - estimateTokens(head) - 1, readOn)}`;
}
