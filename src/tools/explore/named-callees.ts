import { z } from "zod";
import { pathKind } from "../../code/files/path-kind.ts";
import type { CalleeInLines } from "../../code/resolve/callees.ts";
import type { Definition } from "../../code/resolve/definitions.ts";
import type { LineRange } from "../../code/search/shown-lines.ts";
import { limitOf } from "../../code/syntax/parse-limit.ts";
import { qualifiedName } from "../../code/syntax/syntax.ts";
import { Failure } from "../../failure/failure.ts";
import { codeLines, cutLine, numbered } from "../../text/code-lines.ts";
import { visibleText } from "../../text/visible.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { type FoundCallee, inOrder, lengthOf } from "./callee-order.ts";
import { type Code, codeOptions, titled } from "./code-answers.ts";
import { isShownIn, linesOf, type Window } from "./line-window.ts";

export const calleeOutput = z.object({
  name: z.string(),
  file: z.string(),
  line: z.number(),
  signature: z.string(),
  length: z.number().describe("In lines"),
  startLine: z.number().describe("Where its text begins, decorators included"),
  lines: z
    .array(z.string())
    .optional()
    .describe("Its text, where that is short and speaks of what the caller is after"),
  through: z.string().optional().describe("The function that is called and only calls this one"),
});
export type NamedCallee = z.infer<typeof calleeOutput>;

/** A function up to this long is shown, if it speaks of what the caller is after; all of them have no more lines than the second. */
const shortFunction = 12;
const mostLines = 45;
const widestSignature = 140;
const widest = 240;
/** One of so few lines elsewhere is not worth its name. */
const trivial = 4;
const longText = 500;
/** Functions that are only named. */
const mostNamed = 6;
/** A name that so many files hold belongs to a helper or means too many things. */
const commonName = 25;
/** Longer parts are a file, not a question. */
const longWindow = 400;
/** After so much work no further part is looked into. */
const patienceMs = 6_000;

type ReadWindow = Window & { unfolded?: LineRange[] | undefined };

/** What the lines call and do not show: each by its signature, short ones that speak of what the caller is after with their lines. */
export async function calleesOf(
  code: Code,
  windows: readonly ReadWindow[],
  context: ToolContext,
): Promise<NamedCallee[]> {
  const limit = limitOf(patienceMs);
  const found = new Map<string, FoundCallee>();
  const isShown = (one: Definition) => isShownIn(windows, { file: one.file, line: one.declaration.line });
  for (const window of windows) {
    if (limit() || window.lines.length > longWindow) continue;
    for (const range of rangesShown(window)) {
      for (const called of await calledIn(code, window.file, range, context)) {
        if (isShown(called.callee)) continue;
        const next = await handedOn(code, called, context);
        const { callee, certain } = next ?? called;
        if (isShown(callee)) continue;
        const key = `${callee.file}:${callee.declaration.nameStart}`;
        const before = found.get(key);
        const calls = called.lines.map((line) => window.lines[line - window.startLine] ?? "");
        found.set(key, {
          ...{ callee, certain: certain || before?.certain === true },
          ...(next && { through: next.through }),
          calls: [...(before?.calls ?? []), ...calls],
        });
      }
    }
  }
  let left = mostLines;
  const told: NamedCallee[] = [];
  let named = 0;
  const ranked = await inOrder(code, [...found.values()], windows, context);
  for (const { callee, certain, isAboutIt, through } of ranked) {
    const { file, declaration } = callee;
    const { line, startLine, endLine, signature } = declaration;
    const length = lengthOf({ callee });
    const isWhole = isAboutIt && certain && length <= Math.min(shortFunction, left);
    if (!isWhole && (!certain || length <= trivial || named === mostNamed)) continue;
    const window = { file, start_line: startLine, num_lines: endLine - startLine + 1 };
    told.push({
      ...{ name: qualifiedName(declaration), file, line, signature, length, startLine },
      ...(through && { through }),
      ...(isWhole && { lines: (await linesOf(context.workspace, window)).lines }),
    });
    if (isWhole) left -= length;
    else named++;
  }
  return told;
}

/** A short function that only calls another one says nothing itself: the other is what is called. */
async function handedOn(
  code: Code,
  called: CalleeInLines,
  context: ToolContext,
): Promise<(CalleeInLines & { through: string }) | undefined> {
  const { file, declaration } = called.callee;
  if (!called.certain || lengthOf(called) > trivial) return undefined;
  const [next, ...others] = await calledIn(code, file, [declaration.startLine, declaration.endLine], context);
  if (!next?.certain || others.length > 0 || lengthOf(next) <= trivial) return undefined;
  const { startLine, endLine } = declaration;
  const window = { file, start_line: startLine, num_lines: endLine - startLine + 1 };
  const text = (await linesOf(context.workspace, window)).lines.join("\n");
  const isAll = text.length <= longText && onlyCall(next.callee.declaration.name).test(text);
  return isAll ? { ...next, through: qualifiedName(declaration) } : undefined;
}

/** Nothing follows the call that would decide something, such as a comparison. */
const onlyCall = (name: string) =>
  new RegExp(
    `(?:[{:=\\n]|=>|\\breturn|\\bawait|\\bfrom)\\s*(?:[\\w$.?@]|::|->)*(?<![\\w$])${RegExp.escape(name)}[!?]?\\s*(?:<[^()]*>)?\\(.*\\)[\\s;})?!]*(?:end)?\\s*$`,
    "s",
  );

/** By the numbers of the file. */
const rangesShown = ({ lines, startLine, unfolded = [[1, lines.length]] }: ReadWindow): LineRange[] =>
  unfolded.map(([first, last]) => [startLine + first - 1, startLine + last - 1]);

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

/** The lines of the short ones, then the others as `file:line signature (length)`. */
export function calleesText(callees: readonly NamedCallee[]): string[] {
  const by = (through: string | undefined) => (through ? ` by ${through}` : "");
  const shown = callees.flatMap(({ lines, ...rest }) => (lines ? [{ ...rest, lines }] : []));
  const named = callees.filter(({ lines }) => lines === undefined);
  return [
    ...shown.flatMap(({ file, name, lines, startLine, through }) => [
      visibleText(`== ${file} ${name} (called above${by(through)})`),
      ...codeLines(numbered(lines, startLine), { widest }).map(({ text }) => text),
    ]),
    ...(named.length > 0 ? ["== calls, by signature"] : []),
    ...named.map(({ file, line, name, signature, length, through }) =>
      visibleText(
        `${file}:${line} ${cutLine(titled({ name, signature }), widestSignature)} (${length})${by(through)}`,
      ),
    ),
  ];
}
