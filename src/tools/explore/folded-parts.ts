import { type Fold, folds, unfoldedLines } from "../../code/search/unfolded-lines.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { type Part, tokensOf } from "./batch-parts.ts";
import { type Code, codeOptions } from "./code-answers.ts";

/** A part is shown whole up to this many lines if it was asked for alone, so that folded lines can be asked for. */
export const longestWhole = 300;
/** The same for a function, a type or a file that was asked for by its name. */
const longestNamed = 150;
/** A range is shown to the end of its last function: so many lines more. */
const toItsEnd = 15;
/**
 * Tokens of parts that are read together, since the same lines are sent again with every further step: more are folded.
 * Lines that were asked for by number were chosen with care and are folded only beyond the second limit.
 */
const mostTogether = { named: 4_000, numbered: 6_000 };
/** A part of so few lines is not worth folding: of a short function, every line may decide. The more is folded, the more lines. */
const shortPart = [50, 80, 100];

/** The parts, folded to what the caller is after, where that is known: long ones always, others as far as all are too much. */
export async function foldedParts(
  code: Code,
  parts: readonly Part[],
  context: ToolContext,
): Promise<readonly Part[]> {
  if (!context.topic) return parts;
  const isNumbered = ({ symbol, isFile }: ReadPart) => !symbol && !isFile;
  const isLong = (part: ReadPart) =>
    part.lines.length > (isNumbered(part) ? longestWhole : longestNamed) + toItsEnd;
  const cost = (all: readonly Part[]) => all.reduce((sum, part) => sum + tokensOf(part), 0);
  const isTooMuch = (all: readonly Part[], most: number) => parts.length > 1 && cost(all) > most;
  if (!isTooMuch(parts, mostTogether.named) && !parts.some((part) => "lines" in part && isLong(part)))
    return parts;
  const weightOf = await (await code()).relevanceTo(context.topic, codeOptions(context));
  const isNamed = namesOneOf(parts);
  const foldedBy = (part: ReadPart, fold: Fold | undefined): ReadPart => {
    const { lines } = part;
    const unfolded = unfoldedLines(lines, weightOf, isNamed, fold);
    const [[first, last] = [1, lines.length]] = unfolded;
    return unfolded.length === 1 && first === 1 && last === lines.length ? part : { ...part, unfolded };
  };
  const folded = parts.map((part) => ("lines" in part && isLong(part) ? foldedBy(part, folds[1]) : part));
  for (const [most, withNumbered] of [
    [mostTogether.named, false],
    [mostTogether.numbered, true],
  ] as const)
    for (const [level, fold] of folds.entries())
      for (const at of longestFirst(parts)) {
        if (!isTooMuch(folded, most)) return folded;
        const part = parts[at];
        if (!part || !("lines" in part)) continue;
        if (
          !isLong(part) &&
          (part.lines.length <= (shortPart[level] ?? 0) || (isNumbered(part) && !withNumbered))
        )
          continue;
        const shorter = foldedBy(part, fold);
        if (tokensOf(shorter) < tokensOf(folded[at] ?? part)) folded[at] = shorter;
      }
  return folded;
}

/** One after the other is folded, so that short ones, and those which were asked for first, stay whole if they can. */
const longestFirst = (parts: readonly Part[]): number[] =>
  parts
    .map((part, at) => ({ at, length: "lines" in part ? part.lines.length : 0 }))
    .sort((a, b) => b.length - a.length || b.at - a.at)
    .map(({ at }) => at);

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
