import { z } from "zod";
import { pathKind } from "../../code/files/path-kind.ts";
import type { CalleeInLines } from "../../code/resolve/callees.ts";
import type { Definition } from "../../code/resolve/definitions.ts";
import type { LineRange } from "../../code/search/shown-lines.ts";
import { limitOf } from "../../code/syntax/parse-limit.ts";
import { qualifiedName } from "../../code/syntax/syntax.ts";
import { Failure } from "../../failure/failure.ts";
import { visibleText } from "../../text/visible.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { type FoundCallee, inOrder, lengthOf } from "./callee-order.ts";
import { type Code, codeOptions } from "./code-answers.ts";
import { isShownIn, type Lines, linesOf, type Window } from "./line-window.ts";
import { printed, readingLines } from "./reading-text.ts";

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

/** All of them together have no more lines than this, blank and closing ones not counted; those that are shown for their shortness fewer. */
const mostLines = 45;
const mostOfShort = 30;
/** While so many are left, a function is shown that has some more. */
const someLeft = 8;
const someMore = 25;
/** A function of which this share is shown anyway is not shown again. */
const mostlyShown = 0.5;
/** One of so few lines elsewhere is not worth its name. */
const trivial = 4;
const longText = 500;
/** Functions that are only named. */
const mostNamed = 6;
/** And so many more without their places. */
const mostNames = 12;
/** A name that so many files hold belongs to a helper or means too many things. */
const commonName = 25;
/** Longer parts are a file, not a question. */
const longWindow = 400;
/** After so much work no further part is looked into. */
const patienceMs = 6_000;

type ReadWindow = Window & { unfolded?: LineRange[] | undefined; isFile?: boolean | undefined };

/** What the lines call that neither they nor those `besides` show: short functions with their lines, which often decide, others by name. */
export async function calleesOf(
  code: Code,
  windows: readonly ReadWindow[],
  besides: readonly Lines[],
  context: ToolContext,
): Promise<{ callees: NamedCallee[]; moreCallees: string[] }> {
  const limit = limitOf(patienceMs);
  const found = new Map<string, FoundCallee>();
  const begun = [...windows.filter(({ isFile }) => !isFile), ...besides];
  const shown = [...begun, ...windows.filter(({ isFile }) => isFile).flatMap(linesLeft)];
  const isShown = (one: Definition) =>
    isShownIn(begun, { file: one.file, line: one.declaration.line }) || isMostlyShown(one, shown);
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
  const more: string[] = [];
  for (const { callee, certain, shownFor, through } of await inOrder(
    code,
    [...found.values()],
    windows,
    context,
  )) {
    const { file, declaration } = callee;
    const { line, startLine, endLine } = declaration;
    const length = lengthOf({ callee });
    const window = { file, start_line: startLine, num_lines: endLine - startLine + 1 };
    const lines = shownFor ? (await linesOf(context.workspace, window)).lines : [];
    const cost = readingLines(lines, startLine).length;
    const most =
      shownFor === "shortness" ? left - (mostLines - mostOfShort) : left + (left > someLeft ? someMore : 0);
    const isWhole = shownFor !== undefined && cost <= most;
    if (!isWhole && (!certain || length <= trivial)) continue;
    if (!isWhole && told.filter(({ lines }) => lines === undefined).length === mostNamed) {
      more.push(qualifiedName(declaration));
      continue;
    }
    if (isWhole) left -= cost;
    told.push({
      ...{ name: qualifiedName(declaration), file, line, length, startLine },
      ...(through && { through }),
      ...(isWhole && { lines }),
    });
  }
  return { callees: told, moreCallees: more };
}

/** What is left of a file that was folded. */
function linesLeft({ file, startLine, lines, unfolded = [[1, lines.length]] }: ReadWindow): Lines[] {
  return unfolded.map(([first, last]) => ({
    file,
    startLine: startLine + first - 1,
    lines: lines.slice(first - 1, last),
  }));
}

function isMostlyShown({ file, declaration }: Definition, shown: readonly Lines[]): boolean {
  const { startLine, endLine } = declaration;
  const all = Array.from({ length: endLine - startLine + 1 }, (_, index) => startLine + index);
  return all.filter((one) => isShownIn(shown, { file, line: one })).length > all.length * mostlyShown;
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

/** The lines of the short ones, then the others as `name file:line (length)`, the last ones by name alone. */
export function calleesText(callees: readonly NamedCallee[], more: readonly string[]): string[] {
  const by = (through: string | undefined) => (through ? ` by ${through}` : "");
  const shown = callees.flatMap(({ lines, ...rest }) => (lines ? [{ ...rest, lines }] : []));
  const named = callees.filter(({ lines }) => lines === undefined);
  return [
    ...shown.flatMap(({ file, name, lines, startLine, through }) => [
      visibleText(`== ${file} ${name} (called above${by(through)})`),
      ...printed(readingLines(lines, startLine)).map(({ text }) => visibleText(text)),
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
