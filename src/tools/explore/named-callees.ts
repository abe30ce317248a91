import { z } from "zod";
import { pathKind } from "../../code/files/path-kind.ts";
import type { Callee } from "../../code/resolve/callees.ts";
import type { Definition } from "../../code/resolve/definitions.ts";
import type { LineRange } from "../../code/search/shown-lines.ts";
import { isClosing } from "../../code/search/unfolded-lines.ts";
import { limitOf } from "../../code/syntax/parse-limit.ts";
import { qualifiedName } from "../../code/syntax/syntax.ts";
import { Failure } from "../../failure/failure.ts";
import { byDepth } from "../../text/depth.ts";
import { visibleText } from "../../text/visible.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { type Code, codeOptions } from "./code-answers.ts";
import { isShownIn, type Lines, linesOf, type Window } from "./line-window.ts";

export const calleeOutput = z.object({
  name: z.string(),
  file: z.string(),
  line: z.number(),
  length: z.number().describe("In lines"),
  startLine: z.number().describe("Where its text begins, decorators included"),
  lines: z.array(z.string()).optional().describe("Its text, where that is short"),
  through: z.string().optional().describe("The function that is called and only calls this one"),
});
export type NamedCallee = z.infer<typeof calleeOutput>;

/** A function up to this long is shown whole where it is not known what the caller is after; otherwise up to the second. */
const shortFunction = 12;
const longFunction = 45;
/** All of them together have no more lines than this. */
const mostLines = 30;
/** What a function counts that is only possibly called, and below which share of the best one is only named. */
const unsure = 0.7;
const wellBelow = 0.5;
/** One of so few lines elsewhere is not worth its name. */
const trivial = 4;
/** Functions that are only named. */
const mostNamed = 6;
/** And so many more without their places. */
const mostNames = 12;
/** What a function gives back decides more than what else it calls. */
const givenBack = 1.5;
/** A name that so many files hold belongs to a helper or means too many things. */
const commonName = 25;
/** Longer parts are a file, not a question. */
const longWindow = 400;
/** After so much work no further part is looked into. */
const patienceMs = 6_000;

/** What the lines call, or what that only hands on to. */
interface FoundCallee extends Callee {
  through?: string;
}

type ReadWindow = Window & { unfolded?: LineRange[] | undefined };

/** What the lines call that neither they nor those `besides` show: short functions with their lines, which often decide, others by name. */
export async function calleesOf(
  code: Code,
  windows: readonly ReadWindow[],
  besides: readonly Lines[],
  context: ToolContext,
): Promise<{ callees: NamedCallee[]; moreCallees: string[] }> {
  const limit = limitOf(patienceMs);
  const found = new Map<string, FoundCallee>();
  const isShown = ({ file, declaration }: Definition) =>
    isShownIn([...windows, ...besides], { file, line: declaration.line });
  for (const window of windows) {
    if (limit() || window.lines.length > longWindow) continue;
    for (const range of rangesShown(window)) {
      for (const called of await calledIn(code, window.file, range, context)) {
        if (isShown(called.callee)) continue;
        const one = (await handedOn(code, called, context)) ?? called;
        const { file: home, declaration } = one.callee;
        if (!isShown(one.callee)) found.set(`${home}:${declaration.nameStart}`, one);
      }
    }
  }
  let linesLeft = mostLines;
  const told: NamedCallee[] = [];
  const more: string[] = [];
  for (const { callee, certain, isWorthShowing, through } of await inOrder(
    code,
    [...found.values()],
    windows,
    context,
  )) {
    const { file, declaration } = callee;
    const { line, startLine, endLine } = declaration;
    const length = lengthOf(callee);
    const isWhole = isWorthShowing && length <= linesLeft;
    if (!isWhole && (!certain || length <= trivial)) continue;
    if (!isWhole && told.filter(({ lines }) => lines === undefined).length === mostNamed) {
      more.push(qualifiedName(declaration));
      continue;
    }
    if (isWhole) linesLeft -= length;
    const window = { file, start_line: startLine, num_lines: endLine - startLine + 1 };
    told.push({
      ...{ name: qualifiedName(declaration), file, line, length, startLine },
      ...(through && { through }),
      ...(isWhole && { lines: (await linesOf(context.workspace, window)).lines }),
    });
  }
  return { callees: told, moreCallees: more };
}

/** A function of one line that only calls another one says nothing itself: the other is what is called. */
async function handedOn(
  code: Code,
  { callee, certain }: Callee,
  context: ToolContext,
): Promise<FoundCallee | undefined> {
  const { file, declaration } = callee;
  if (!certain || lengthOf(callee) > trivial) return undefined;
  const [next, ...others] = await calledIn(code, file, [declaration.startLine, declaration.endLine], context);
  const isOne = next?.certain === true && others.length === 0 && lengthOf(next.callee) > trivial;
  return isOne ? { ...next, through: qualifiedName(declaration) } : undefined;
}

/** By the numbers of the file. */
const rangesShown = ({ lines, startLine, unfolded = [[1, lines.length]] }: ReadWindow): LineRange[] =>
  unfolded.map(([first, last]) => [startLine + first - 1, startLine + last - 1]);

interface RankedCallee extends FoundCallee {
  isWorthShowing: boolean;
}

/**
 * Those first that speak of what the caller is after, for their length; where that is not known, those that surely are
 * called. The short ones in the files that are shown are worth their lines, whatever they speak of.
 */
async function inOrder(
  code: Code,
  callees: readonly FoundCallee[],
  windows: readonly Window[],
  context: ToolContext,
): Promise<RankedCallee[]> {
  const isNear = ({ callee }: Callee) => windows.some(({ file }) => file === callee.file);
  const isShort = ({ callee }: Callee) => lengthOf(callee) <= shortFunction;
  if (!context.topic)
    return callees
      .map((one) => ({ ...one, isWorthShowing: isNear(one) && isShort(one) }))
      .sort((a, b) => Number(b.certain) - Number(a.certain));
  const relevance = await (await code()).relevanceTo(context.topic, codeOptions(context));
  const ranked: (FoundCallee & { score: number; length: number })[] = [];
  const texts = windows.map(({ lines }) => lines.join("\n")).join("\n");
  const isGivenBack = ({ callee, through }: FoundCallee) => {
    const name = through?.split(".").at(-1) ?? callee.declaration.name;
    return new RegExp(`\\breturn\\b[^;\\n]*(?<![\\w$])${RegExp.escape(name)}\\s*\\(`).test(texts);
  };
  for (const one of callees) {
    const { file, declaration } = one.callee;
    const length = lengthOf(one.callee);
    const lines = { file, start_line: declaration.startLine, num_lines: Math.min(length, longFunction) };
    const text = (await linesOf(context.workspace, lines)).lines.join("\n");
    const ofName = relevance(qualifiedName(declaration));
    const score =
      ((ofName + relevance(text)) * (one.certain ? 1 : unsure) * (isGivenBack(one) ? givenBack : 1)) /
      Math.sqrt(length + shortFunction);
    ranked.push({ ...one, score, length });
  }
  ranked.sort((a, b) => b.score - a.score);
  const best = ranked[0]?.score ?? 0;
  return ranked.map(({ score, length, ...one }) => {
    const speaksOfIt = length <= longFunction && score > best * wellBelow;
    return { ...one, isWorthShowing: one.certain && (speaksOfIt || (isNear(one) && isShort(one))) };
  });
}

const lengthOf = ({ declaration }: Definition) => declaration.endLine - declaration.startLine + 1;

/** What lines of a file call, without helpers that everything calls, prototypes and tests. */
export async function calledIn(code: Code, file: string, range: LineRange, context: ToolContext) {
  try {
    const all = await (await code()).calledIn(file, range, { mostFiles: commonName }, codeOptions(context));
    return all.filter(
      ({ callee }) =>
        /^(?:func|method|macro)$/.test(callee.declaration.kind) &&
        !callee.declaration.bodiless &&
        pathKind(callee.file) === "source",
    );
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}

/** The lines of the short ones, then the others as `name file:line (length)`, the last ones by name alone. */
export function calleesText(callees: readonly NamedCallee[], more: readonly string[]): string[] {
  const by = (through: string | undefined) => (through ? ` by ${through}` : "");
  const shown = callees.flatMap(({ lines, ...rest }) => (lines ? [{ ...rest, lines }] : []));
  const named = callees.filter(({ lines }) => lines === undefined);
  return [
    ...shown.flatMap(({ file, name, lines, startLine, through }) => [
      visibleText(`== ${file} ${name} (called above${by(through)})`),
      ...byDepth(lines).flatMap((line, index) =>
        line === "" || isClosing(line) ? [] : [`${startLine + index}\t${visibleText(line)}`],
      ),
    ]),
    ...(named.length > 0
      ? [
          `== calls, not shown: ${named
            .map(
              ({ name, file, line, length, through }) => `${name} ${file}:${line} (${length})${by(through)}`,
            )
            .join("; ")}${moreText(more)}`,
        ]
      : []),
  ];
}

function moreText(names: readonly string[]): string {
  const rest = names.length - mostNames;
  const shown = [...names.slice(0, mostNames), ...(rest > 0 ? [`${rest} more`] : [])];
  return shown.length > 0 ? `; also ${shown.join(", ")}` : "";
}
