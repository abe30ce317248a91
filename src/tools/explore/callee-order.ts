import type { CalleeInLines } from "../../code/resolve/callees.ts";
import { qualifiedName } from "../../code/syntax/syntax.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { type Code, codeOptions } from "./code-answers.ts";
import { linesOf, type Window } from "./line-window.ts";

/** A function that is called, or what that only hands on to. */
export interface FoundCallee extends Pick<CalleeInLines, "callee" | "certain"> {
  through?: string;
  /** The lines that call it, as they are written. */
  calls: readonly string[];
}

export interface RankedCallee extends FoundCallee {
  /** Whether it shares a word with what the caller is after. */
  isAboutIt: boolean;
}

/** Of a longer function, only the first lines are weighed. */
const longFunction = 60;
const usualLength = 12;
/** What a function counts that is only possibly called. */
const unsure = 0.7;
/** A function that counts less than this share of the best one is only named. */
const wellBelow = 0.3;
/** What a function gives back decides more than what else it calls. */
const givenBack = 1.5;
/** How much the lines that call a function say about it, beside its own. */
const ofCalls = 0.5;

/**
 * Those first that speak of what the caller is after, or are called where that is spoken of, for their length; where it is
 * not known, those that surely are called.
 */
export async function inOrder(
  code: Code,
  callees: readonly FoundCallee[],
  windows: readonly Window[],
  context: ToolContext,
): Promise<RankedCallee[]> {
  if (!context.topic)
    return callees
      .map((one) => ({ ...one, isAboutIt: false }))
      .sort((a, b) => Number(b.certain) - Number(a.certain));
  const relevance = await (await code()).relevanceTo(context.topic, codeOptions(context));
  const shown = windows.map(({ lines }) => lines.join("\n")).join("\n");
  const ranked: (RankedCallee & { score: number })[] = [];
  for (const one of callees) {
    const { file, declaration } = one.callee;
    const length = lengthOf(one);
    const lines = { file, start_line: declaration.startLine, num_lines: Math.min(length, longFunction) };
    const text = (await linesOf(context.workspace, lines)).lines.join("\n");
    const worth =
      ((one.certain ? 1 : unsure) * (isGivenBack(one, shown) ? givenBack : 1)) /
      Math.sqrt(length + usualLength);
    const own = relevance(qualifiedName(declaration)) + relevance(text);
    const called = Math.max(0, ...one.calls.map((line) => relevance(withoutTexts(line))));
    ranked.push({ ...one, isAboutIt: own > 0, score: (own + called * ofCalls) * worth });
  }
  ranked.sort((a, b) => b.score - a.score);
  const least = (ranked[0]?.score ?? 0) * wellBelow;
  return ranked.map(({ score, ...one }) => ({ ...one, isAboutIt: one.isAboutIt && score > least }));
}

/** Messages and labels say little about what the line does. */
const withoutTexts = (line: string) => line.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, "");

function isGivenBack({ callee, through }: FoundCallee, shown: string): boolean {
  const name = through?.split(".").at(-1) ?? callee.declaration.name;
  return new RegExp(`\\breturn\\b[^;\\n]*(?<![\\w$])${RegExp.escape(name)}\\s*\\(`).test(shown);
}

export const lengthOf = ({ callee: { declaration } }: Pick<CalleeInLines, "callee">) =>
  declaration.endLine - declaration.startLine + 1;
