import { z } from "zod";
import { type LineRange, withoutLongComments } from "../../code/search/shown-lines.ts";
import { isClosing } from "../../code/search/unfolded-lines.ts";
import { byDepth } from "../../text/depth.ts";
import { fitLines } from "../../text/fit-lines.ts";
import { estimateTokens } from "../../text/tokens.ts";
import { joinedLines, type NumberedLine } from "./joined-lines.ts";
import { windowOutput } from "./line-window.ts";

/** One place that was read: its lines, its outline, or why there is nothing. */
export const partOutput = z.union([
  windowOutput.extend({
    symbol: z.string().optional(),
    within: z.string().optional().describe("The function that the lines begin inside of, and its line"),
    wanted: z.number(),
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
/** Of a longer comment only the first lines are shown, if at least this share of the lines is left. */
const longComment = { most: 8, kept: 4 };
const mostlyCode = 0.4;

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

/** All lines but the rest of long comments, unless comments are most of what was asked for. */
function rangesShown(lines: readonly string[]): LineRange[] {
  const ranges = withoutLongComments(lines, 1, lines.length, longComment);
  const shown = ranges.reduce((count, [first, last]) => count + last - first + 1, 0);
  return shown >= lines.length * mostlyCode ? ranges : [[1, lines.length]];
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const countLines = (text: string) => text.split("\n").length;

/** For reading: without blank and closing lines and the rest of long comments. */
function readingText(lines: readonly string[], startLine: number): NumberedLine[] {
  const shallow = byDepth(lines);
  return rangesShown(lines).flatMap(([first, to]) => [
    ...shallow
      .slice(first - 1, to)
      .map((line, index) => ({ line, number: startLine + first - 1 + index }))
      .filter(({ line }) => isWorthReading(line)),
    ...(to < lines.length ? [{ line: "… (comment)", number: startLine + to }] : []),
  ]);
}

/** The same of some ranges; a line that others were folded below ends with `…`. */
function foldedText(
  lines: readonly string[],
  startLine: number,
  ranges: readonly LineRange[],
): NumberedLine[] {
  const shallow = byDepth(lines);
  return ranges.flatMap(([first, to], at) => {
    const kept = shallow
      .slice(first - 1, to)
      .map((line, index) => ({ line, number: startLine + first - 1 + index }))
      .filter(({ line }) => isWorthReading(line));
    const next = ranges[at + 1]?.[0] ?? lines.length + 1;
    const isFolded = shallow.slice(to, next - 1).some(isWorthReading);
    return kept.map((one, index) =>
      isFolded && index === kept.length - 1 ? { ...one, line: `${one.line} …` } : one,
    );
  });
}

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

const isWorthReading = (line: string) => line !== "" && !isClosing(line);

function rendered(part: Part, budget: number): string {
  if ("error" in part) return `== ${part.file}: ${part.error}`;
  if ("shownWith" in part)
    return `== ${part.file}${part.symbol ? ` ${part.symbol}` : ""}: see ${part.shownWith}`;
  const { file, symbol, also = [] } = part;
  const more = also.length > mostAlso ? ` and ${also.length - mostAlso} more` : "";
  const others = also.length > 0 ? ` (also ${also.slice(0, mostAlso).join(", ")}${more})` : "";
  const around = "within" in part && part.within ? ` [${part.within}]` : "";
  const head = `== ${file}${symbol ? ` ${symbol}` : ""}${around}${others}`;
  if ("outline" in part) return `${head}\n${part.outline}`;
  const { lines, startLine, totalLines, wanted, unfolded, imports } = part;
  const last = Math.min(totalLines, startLine + wanted - 1);
  const read = unfolded ? foldedText(lines, startLine, unfolded) : readingText(lines, startLine);
  const numbered = joinedLines(withoutImports(read, imports));
  const readOn = (shown: number) => {
    const next = shown < numbered.length ? numbered[shown]?.number : startLine + lines.length;
    return next === undefined || next > last
      ? ""
      : `… ${last - next + 1} more lines; read on: "${file}:${next}-${last}"`;
  };
  const texts = numbered.map(({ line, number, last }) => `${last ? `${number}-${last}` : number}\t${line}`);
  const closing = readOn(texts.length);
  const all = [head, ...texts, ...(closing ? [closing] : [])].join("\n");
  return estimateTokens(all) <= budget
    ? all
    : `${head}\n${fitLines(texts, budget - estimateTokens(head) - 1, readOn)}`;
}
