import { type Fold, folds, unfoldedLines } from "../../code/search/unfolded-lines.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { type Part, tokensOf } from "./batch-parts.ts";
import { type Code, codeOptions } from "./code-answers.ts";

/** A part is shown whole up to this many lines if it was asked for alone, so that folded lines can be asked for. */
export const longestWhole = 300;
/** The same for what was asked for by its name. */
const longestNamed = 150;
/** A range is shown to the end of its last function: so many lines more. */
const toItsEnd = 15;
/**
 * Tokens of parts that are read together, since the same lines are sent again with every further step: more are folded.
 * Lines that were asked for by number were chosen with care and are folded only beyond the second limit.
 */
const mostTogether = { named: 4_000, numbered: 6_000 };
/** A part of so few lines is not worth folding. */
const shortPart = 50;

/** The parts, folded to what the caller is after, where that is known: long ones always, others as far as all are too much. */
export async function foldedParts(
  code: Code,
  parts: readonly Part[],
  context: ToolContext,
): Promise<readonly Part[]> {
  if (!context.topic) return parts;
  const isLong = ({ lines, symbol }: ReadPart) =>
    lines.length > (symbol ? longestNamed : longestWhole) + toItsEnd;
  const cost = (all: readonly Part[]) => all.reduce((sum, part) => sum + tokensOf(part), 0);
  const isTooMuch = (all: readonly Part[], most: number) => parts.length > 1 && cost(all) > most;
  if (!isTooMuch(parts, mostTogether.named) && !parts.some((part) => "lines" in part && isLong(part)))
    return parts;
  const weightOf = await (await code()).relevanceTo(context.topic, codeOptions(context));
  const isNamed = namesOneOf(parts);
  const foldedBy = (fold: Fold | undefined, isFolded: (part: ReadPart) => boolean) =>
    parts.map((part) => {
      if (!("lines" in part) || !isFolded(part)) return part;
      const { lines } = part;
      const unfolded = unfoldedLines(lines, weightOf, isNamed, fold);
      const [[first, last] = [1, lines.length]] = unfolded;
      return unfolded.length === 1 && first === 1 && last === lines.length ? part : { ...part, unfolded };
    });
  let folded: readonly Part[] = foldedBy(folds[0], isLong);
  for (const [most, isNumbered] of [
    [mostTogether.named, false],
    [mostTogether.numbered, true],
  ] as const)
    for (const fold of folds)
      if (isTooMuch(folded, most))
        folded = foldedBy(
          fold,
          (part) => isLong(part) || (part.lines.length > shortPart && (isNumbered || !!part.symbol)),
        );
  return folded;
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
