import { z } from "zod";
import type { LineRange } from "../../code/search/shown-lines.ts";
import { outlineOf } from "../../code/syntax/outline.ts";
import { qualifiedName } from "../../code/syntax/syntax.ts";
import { Failure } from "../../failure/failure.ts";
import { splitLines } from "../../text/lines.ts";
import { estimateTokens } from "../../text/tokens.ts";
import { visibleText } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { ToolContext } from "../../tool/tool.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Part, partOutput, shareOut } from "./batch-parts.ts";
import { filesOf, partOfSymbol } from "./batch-symbol.ts";
import { callersNotIn, callPlaceOutput, callPlaces, callPlacesText } from "./call-places.ts";
import { type Code, nameAround } from "./code-answers.ts";
import { foldedParts, longestWhole } from "./folded-parts.ts";
import { maxLines, usualLines, windowFields } from "./inputs.ts";
import { linesOf, type Window } from "./line-window.ts";
import { calleeOutput, calleesOf, calleesText } from "./named-callees.ts";
import { callersOf, callersOutput, callersText, unlistedText } from "./named-callers.ts";
import { constantOutput, constantsNamed } from "./named-constants.ts";
import { placesIn, type ReadPlace } from "./place-text.ts";

/**
 * A file named alone is shown as text up to this many lines, otherwise as an outline; up to the second where it is known
 * what the caller is after, and it is folded to that.
 */
const shortFile = { usual: 150, folded: 250 };
const mostOutlined = 100;
/** A part of so many lines may do without its imports. */
const longPart = 75;
/** Lines of imports that a long part keeps. */
const fewImports = 4;
/** Lines of one place; the budget of all is the narrower limit. */
const mostLines = 600;
/** A range that ends inside a function is shown to the function's end, if no more than so many lines follow. */
const nearEnd = 12;

const foldedNote = `… = folded; "file:first-last" alone, up to ${longestWhole} lines, shows all`;

const item = z
  .object({ file: z.string().optional(), symbol: z.string().optional(), ...windowFields })
  .refine(({ file, symbol }) => file !== undefined || symbol !== undefined, "Give a file or a symbol.");

const output = z.object({
  files: z.array(partOutput),
  callees: z.array(calleeOutput).describe("What the lines call and do not show"),
  moreCallees: z.array(z.string()).describe("Names of what else they call"),
  calls: z
    .array(callPlaceOutput)
    .describe("Lines around the calls of functions that are called from few places"),
  constants: z.array(constantOutput).describe("Constants that the lines name, with their values"),
  callers: z.array(callersOutput).describe("Who calls the functions that are shown, from lines that are not"),
  unlisted: z
    .array(z.string())
    .describe("Functions asked for by name whose callers are too many or only possibly theirs"),
});

export const batchRead = (code: Code) =>
  defineTool({
    name: "batch_read",
    title: "Read several places",
    description:
      'Numbered lines of up to 10 places: files with lines ("file:10-60"), or symbols ("Type.method", "file#name"), with who calls them and what they call. For reading: without blank lines and the rest of long comments, one space for each level of indentation.',
    brief: {
      description: `Up to 10: functions or types by name (Type.method, file#name) with callers, lines (file:10-60), outlines (file).`,
      input: z.object({ reads: z.array(z.string()) }),
    },
    category: "Explore",
    input: z.object({
      reads: z
        .array(z.union([z.string().trim().min(1).max(1_000), item]))
        .min(1)
        .max(10),
    }),
    output,
    budget: 12_000,
    can: ["read"],
    idempotent: true,
    // Callers and callees are shown from any file.
    effects: async ({ reads }, { workspace }) => [
      ...(await placesOf(reads, workspace)).map(({ file }) => ({ kind: "read" as const, path: file ?? "." })),
      { kind: "read", path: "." },
    ],
    execute: async ({ reads }, context) => {
      const places = await placesOf(reads, context.workspace);
      const inFiles = await filesOf(code, places, context);
      const read = await Promise.all(
        places.map(async (one): Promise<Part> => {
          try {
            return await partOf(code, one, inFiles, context);
          } catch (error) {
            if (!(error instanceof Failure)) throw error;
            return { file: one.file ?? one.symbol ?? "", error: `${error.code}: ${error.message}` };
          }
        }),
      );
      const files = await foldedParts(code, onlyOnce(read), context);
      const windows = files.filter((part) => "lines" in part);
      const { callers, unlisted } = await callersOf(code, windows, context);
      const calls = await callPlaces(code, callers, windows, context);
      const { callees, moreCallees } = await calleesOf(code, windows, calls, context);
      const bodies = callees.flatMap(({ lines, ...one }) => (lines ? [{ ...one, lines }] : []));
      return {
        files: [...files],
        callees,
        moreCallees,
        calls,
        constants: await constantsNamed(code, [...windows, ...bodies], context),
        callers: callersNotIn(calls, callers),
        unlisted,
      };
    },
    render: ({ files, callees, moreCallees, calls, constants, callers, unlisted }) => [
      (budget) => {
        const values = constants.map(({ file, line, text }) => `${file}:${line} ${text}`);
        const below = [
          ...(files.some((part) => "unfolded" in part) ? [foldedNote] : []),
          ...callPlacesText(calls),
          ...calleesText(callees, moreCallees),
          ...(values.length > 0 ? ["== constants named above", ...values] : []),
          ...(callers.length + unlisted.length > 0
            ? ["== called from (? possible; without tests and the lines above)", ...callers.map(callersText)]
            : []),
          ...(unlisted.length > 0 ? [unlistedText(unlisted)] : []),
        ].join("\n");
        return [shareOut(files, budget - estimateTokens(below)), ...(below ? [below] : [])].join("\n");
      },
    ],
    examples: [
      {
        title: "A function by its name, and lines of a file",
        input: { reads: ["Api.get", "src/a.ts:10-29"] },
      },
      {
        title: "The same, written out",
        input: { reads: [{ symbol: "Api.get" }, { file: "src/a.ts", start_line: 10, num_lines: 20 }] },
      },
    ],
  });

/** Lines that another part shows as well are shown there only. */
function onlyOnce(parts: readonly Part[]): Part[] {
  return parts.map((part, at) => {
    if (!("lines" in part)) return part;
    const [first, last] = [part.startLine, part.startLine + part.lines.length];
    const around = parts.find((other, index) => {
      if (!("lines" in other) || index === at || other.file !== part.file) return false;
      const [from, to] = [other.startLine, other.startLine + other.lines.length];
      return from <= first && to >= last && (from < first || to > last || index < at);
    });
    if (!around || !("lines" in around)) return part;
    const shownWith = `${around.startLine}-${around.startLine + around.lines.length - 1}`;
    return { file: part.file, ...(part.symbol && { symbol: part.symbol }), shownWith };
  });
}

const placesOf = async (
  reads: readonly (string | ReadPlace)[],
  workspace: Workspace,
): Promise<readonly ReadPlace[]> =>
  (
    await Promise.all(reads.map((one) => (typeof one === "string" ? placesIn(one, workspace) : [one])))
  ).flat();

async function partOf(
  code: Code,
  one: ReadPlace,
  files: ReadonlySet<string>,
  context: ToolContext,
): Promise<Part> {
  const { workspace } = context;
  const { file, symbol } = one;
  if (symbol !== undefined) return partOfSymbol(code, { ...one, symbol }, { mostLines, files }, context);
  const whole = one.isWhole && file !== undefined ? await wholeFile(code, file, context) : undefined;
  if (whole && "outline" in whole) return whole;
  const asked = one.num_lines ?? (whole && whole.lines > 0 ? whole.lines : usualLines);
  const wanted = one.isRange ? await toEndOfFunction(code, file ?? "", one.start_line, asked) : asked;
  const window = await linesOf(workspace, { ...one, file: file ?? "", num_lines: wanted }, mostLines);
  const within = one.isRange ? await functionAround(code, window.file, window.startLine) : undefined;
  const imports = await importsOf(code, window);
  return {
    ...window,
    // Where no end is asked for, it is said how much follows.
    wanted: one.num_lines === undefined ? window.totalLines - window.startLine + 1 : wanted,
    ...(one.isWhole && { isFile: true }),
    ...(within && { within }),
    ...(imports && { imports }),
  };
}

/** The lines that a long part spends on many imports, from the first to the last. */
async function importsOf(code: Code, { file, startLine, lines }: Window): Promise<LineRange | undefined> {
  if (lines.length <= longPart) return undefined;
  const { syntax, source = "" } = (await (await code()).outline(file).catch(() => undefined)) ?? {};
  const firstDeclared = Math.min(...(syntax?.declarations ?? []).map((one) => one.startLine));
  const lineAt = (offset: number) => source.slice(0, offset).split("\n").length;
  const at = (syntax?.imports ?? [])
    .map(({ start, end }) => [lineAt(start), lineAt(end)] as const)
    .filter(
      ([first, last]) => first >= startLine && last < Math.min(firstDeclared, startLine + lines.length),
    );
  const [first, last] = [Math.min(...at.map(([one]) => one)), Math.max(...at.map(([, one]) => one))];
  return last - first >= fewImports ? [first, last] : undefined;
}

/** `Type.method 120`: the function that a range begins inside of, and where that begins. */
async function functionAround(code: Code, file: string, first: number): Promise<string | undefined> {
  const { syntax } = (await (await code()).outline(file).catch(() => undefined)) ?? {};
  const around = (syntax?.declarations ?? []).findLast(
    ({ kind, line, endLine }) => (kind === "func" || kind === "method") && line < first && endLine >= first,
  );
  return around && `${nameAround(qualifiedName(around))} ${around.line}`;
}

/** How many lines to show: a function that the last one cuts is shown to its end where that is near. */
async function toEndOfFunction(code: Code, file: string, first: number, wanted: number): Promise<number> {
  const { syntax } = (await (await code()).outline(file).catch(() => undefined)) ?? {};
  const last = first + wanted - 1;
  const cut = (syntax?.declarations ?? []).filter(
    ({ kind, line, endLine }) =>
      (kind === "func" || kind === "method") && line <= last && endLine > last && endLine - last <= nearEnd,
  );
  return Math.max(last, ...cut.map(({ endLine }) => endLine)) - first + 1;
}

/** The outline of a file that is too long to show as text, otherwise how many lines it has: none where its language is not understood. */
async function wholeFile(
  code: Code,
  file: string,
  context: ToolContext,
): Promise<{ file: string; outline: string } | { lines: number }> {
  const parsed = await (await code()).outline(file).catch(() => undefined);
  const lines = parsed ? splitLines(parsed.source).length : 0;
  if (!parsed || lines <= (context.topic === undefined ? shortFile.usual : shortFile.folded))
    return { lines };
  const all = outlineOf(parsed.syntax);
  const top = all.filter(({ level }) => level === 0);
  const told = all.length > mostOutlined ? top.slice(0, mostOutlined) : all;
  const more =
    all.length > told.length ? [`… ${all.length - told.length} more inside: read a type by its name`] : [];
  if (told.length === 0) return { lines: 0 };
  const outline = visibleText(
    [
      `${lines} lines:`,
      ...told.map(
        ({ line, endLine, level, signature }) =>
          `${" ".repeat(level)}${endLine > line ? `${line}-${endLine}` : line} ${signature.slice(0, 110)}`,
      ),
      ...more,
      `the text: "${file}:1-${Math.min(lines, maxLines)}"`,
    ].join("\n"),
  );
  return { file, outline };
}
