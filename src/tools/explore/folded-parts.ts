import { unfoldedLines } from "../../code/search/unfolded-lines.ts";
import type { ToolContext } from "../../tool/tool.ts";
import type { Part } from "./batch-parts.ts";
import { type Code, codeOptions } from "./code-answers.ts";

/** Lines that were asked for by their numbers are shown whole up to this many, so that folded ones can be asked for. */
export const longestWhole = 300;
/** The same for what was asked for by its name. */
const longestNamed = 150;

/** A range is shown to the end of its last function: so many lines more. */
const toItsEnd = 15;

/** The parts, long ones folded to what the caller is after, where that is known. */
export async function foldedParts(
  code: Code,
  parts: readonly Part[],
  context: ToolContext,
): Promise<readonly Part[]> {
  const isLong = (part: Part) =>
    "lines" in part && part.lines.length > (part.symbol ? longestNamed : longestWhole) + toItsEnd;
  if (!context.topic || !parts.some(isLong)) return parts;
  const weightOf = await (await code()).relevanceTo(context.topic, codeOptions(context));
  const isNamed = namesOneOf(parts);
  return parts.map((part) => {
    if (!("lines" in part) || !isLong(part)) return part;
    const { lines } = part;
    const unfolded = unfoldedLines(lines, weightOf, isNamed);
    const [[first, last] = [1, lines.length]] = unfolded;
    return unfolded.length === 1 && first === 1 && last === lines.length ? part : { ...part, unfolded };
  });
}

/** Whether a line names one of the functions that are read together: how they use each other is what is asked for. */
function namesOneOf(parts: readonly Part[]): (line: string) => boolean {
  const names = parts.flatMap((part) => {
    const name = "symbol" in part ? part.symbol?.split(/[.:#]+/).at(-1) : undefined;
    return name ? [RegExp.escape(name)] : [];
  });
  const pattern = names.length > 0 ? new RegExp(`(?<![\\w$])(?:${names.join("|")})(?![\\w$])`) : undefined;
  return (line) => pattern?.test(line) ?? false;
}
