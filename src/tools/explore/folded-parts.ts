import type { LineRange } from "../../code/search/shown-lines.ts";
import { unfoldedLines } from "../../code/search/unfolded-lines.ts";
import type { ToolContext } from "../../tool/tool.ts";
import type { Part } from "./batch-parts.ts";
import { type Code, codeOptions } from "./code-answers.ts";

/** A function or a type that was asked for by its name is whole up to so many lines. */
export const longestNamed = 120;

/**
 * Long functions and types, folded to what the caller is after, where that is known. Lines and files that were asked for are
 * never folded.
 */
export async function foldedParts(
  code: Code,
  parts: readonly Part[],
  context: ToolContext,
): Promise<readonly Part[]> {
  const isLong = (part: Part): part is ReadPart =>
    "lines" in part && part.symbol !== undefined && part.lines.length > longestNamed;
  if (!parts.some(isLong)) return parts;
  const fold = await foldOf(code, context, namesOneOf(parts));
  if (!fold) return parts;
  return parts.map((part) => {
    if (!isLong(part)) return part;
    const unfolded = fold(part.lines);
    return unfolded.length > 0 ? { ...part, unfolded } : part;
  });
}

/** Which lines of a long text stay; none are told where all of them do. Nothing where it is not known what the caller is after. */
export async function foldOf(
  code: Code,
  context: ToolContext,
  isNamed?: (line: string) => boolean,
): Promise<((lines: readonly string[]) => LineRange[]) | undefined> {
  if (!context.topic) return undefined;
  const wordsIn = await (await code()).wordsAskedFor(context.topic, codeOptions(context));
  return (lines) => {
    const unfolded = unfoldedLines(lines, wordsIn, isNamed);
    const [[first, last] = [1, lines.length]] = unfolded;
    return unfolded.length === 1 && first === 1 && last === lines.length ? [] : unfolded;
  };
}

type ReadPart = Extract<Part, { lines: string[] }>;

/** Whether a line names one of the functions that are read together: how they use each other is what is asked for. */
function namesOneOf(parts: readonly Part[]): (line: string) => boolean {
  const names = parts.flatMap((part) => {
    const name = "symbol" in part ? part.symbol?.split(/[.:#]+/).at(-1) : undefined;
    return name ? [RegExp.escape(name)] : [];
  });
  const pattern = names.length > 0 ? new RegExp(`(?<![\\w$])(?:${names.join("|")})(?![\\w$])`) : undefined;
  return (line) => pattern?.test(line) ?? false;
}
