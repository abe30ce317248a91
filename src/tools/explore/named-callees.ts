import { z } from "zod";
import { pathKind } from "../../code/files/path-kind.ts";
import type { Callee } from "../../code/resolve/callees.ts";
import type { LineRange } from "../../code/search/shown-lines.ts";
import { qualifiedName } from "../../code/syntax/syntax.ts";
import { Failure } from "../../failure/failure.ts";
import { byDepth } from "../../text/depth.ts";
import { visibleText } from "../../text/visible.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { type Code, codeOptions } from "./code-answers.ts";
import { isShownIn, linesOf, type Window } from "./line-window.ts";

export const calleeOutput = z.object({
  name: z.string(),
  file: z.string(),
  line: z.number(),
  length: z.number().describe("In lines"),
  possible: z.boolean().optional().describe("Nothing proves or excludes that this one is called"),
  lines: z.array(z.string()).optional().describe("Its text, where that is short"),
});
export type NamedCallee = z.infer<typeof calleeOutput>;

/** A function up to this long that stands beside the lines is shown with its own, all together up to the second number. */
const shortFunction = 12;
const mostLines = 40;
/** One of so few lines elsewhere is not worth its name. */
const trivial = 4;
/** Functions that are only named. */
const mostNamed = 8;
/** A name that so many files hold belongs to a helper or means too many things. */
const commonName = 25;
/** Longer parts are a file, not a question. */
const longWindow = 400;
/** After so long no further part is looked into. */
const patienceMs = 6_000;

/** What the shown lines call and do not show: short functions with their lines, which often decide, others by name. */
export async function calleesOf(
  code: Code,
  windows: readonly Window[],
  context: ToolContext,
): Promise<NamedCallee[]> {
  const until = performance.now() + patienceMs;
  const found = new Map<string, Callee>();
  for (const { file, lines, startLine } of windows) {
    if (performance.now() > until || lines.length > longWindow) continue;
    for (const one of await calledIn(code, file, [startLine, startLine + lines.length - 1], context)) {
      const { file: home, declaration } = one.callee;
      if (!isShownIn(windows, { file: home, line: declaration.line }))
        found.set(`${home}:${declaration.nameStart}`, one);
    }
  }
  const [sure, possible] = [true, false].map((is) =>
    [...found.values()].filter(({ certain }) => certain === is),
  );
  let linesLeft = mostLines;
  const told: NamedCallee[] = [];
  for (const { callee, certain } of [...(sure ?? []), ...(possible ?? [])]) {
    const { file, declaration } = callee;
    const { line, startLine, endLine } = declaration;
    const length = endLine - startLine + 1;
    const isNear = windows.some((window) => window.file === file);
    const isShown = isNear && length <= Math.min(shortFunction, linesLeft);
    const named = told.filter(({ lines }) => lines === undefined).length;
    if (!isShown && (length <= trivial || named === mostNamed)) continue;
    if (isShown) linesLeft -= length;
    const window = { file, start_line: startLine, num_lines: length };
    told.push({
      ...{ name: qualifiedName(declaration), file, line, length },
      ...(!certain && { possible: true }),
      ...(isShown && { lines: (await linesOf(context.workspace, window)).lines }),
    });
  }
  return told;
}

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

/** The lines of the short ones, then the others as `name file:line (length)`; a question mark for what is possible. */
export function calleesText(callees: readonly NamedCallee[]): string[] {
  const shown = callees.flatMap(({ lines, file, line, name }) =>
    lines ? [{ file, name, lines, start: line }] : [],
  );
  const named = callees.filter(({ lines }) => lines === undefined);
  return [
    ...shown.flatMap(({ file, name, lines, start }) => [
      visibleText(`== called above: ${file}:${start} ${name}`),
      ...byDepth(lines)
        .filter((line) => line !== "")
        .map(visibleText),
    ]),
    ...(named.length > 0
      ? [
          `== calls, not shown: ${named
            .map(
              ({ name, file, line, length, possible }) =>
                `${name}${possible ? "?" : ""} ${file}:${line} (${length})`,
            )
            .join("; ")}`,
        ]
      : []),
  ];
}
