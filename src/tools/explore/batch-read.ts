import { z } from "zod";
import { outlineOf } from "../../code/syntax/outline.ts";
import { qualifiedName } from "../../code/syntax/syntax.ts";
import { Failure } from "../../failure/failure.ts";
import { estimateTokens } from "../../text/tokens.ts";
import { visibleText } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { ToolContext } from "../../tool/tool.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Part, partOutput, shareOut } from "./batch-parts.ts";
import { filesOf, partOfSymbol } from "./batch-symbol.ts";
import { callersNotIn, callPlaceOutput, callPlaces, callPlacesText } from "./call-places.ts";
import { type Code, nameAround } from "./code-answers.ts";
import { signatureLine } from "./declaration-body.ts";
import { foldedParts } from "./folded-parts.ts";
import { maxLines, windowFields } from "./inputs.ts";
import { linesOf, type Window } from "./line-window.ts";
import { calleeOutput, calleesOf, calleesText } from "./named-callees.ts";
import { callersOf, callersOutput, callersText, unlistedText } from "./named-callers.ts";
import { constantOutput, constantsNamed, constantsText } from "./named-constants.ts";
import { placesIn, type ReadPlace } from "./place-text.ts";

/** What follows of a longer file is told by its first declarations, so many. */
const mostOutlined = 40;
/** Lines of one function or type; the budget of all is the narrower limit. */
const mostLines = 600;
/** A range that ends inside a function is shown to the function's end, if no more than so many lines follow. */
const nearEnd = 12;

const item = z
  .object({ file: z.string().optional(), symbol: z.string().optional(), ...windowFields })
  .refine(({ file, symbol }) => file !== undefined || symbol !== undefined, "Give a file or a symbol.");

const output = z.object({
  files: z.array(partOutput),
  callees: z.array(calleeOutput).describe("What the lines call and do not show"),
  calls: z.array(callPlaceOutput).describe("The calls of functions that are called from few places"),
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
      'Numbered lines of up to 10 places, as they stand in the file: files, lines ("file:10-60", at most 300), or symbols ("Type.method", "file#name"), with who calls them and what they call.',
    brief: {
      description: `Up to 10, exact: functions or types by name (Type.method, file#name) with callers, lines (file:10-60), files.`,
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
      const calls = await callPlaces(code, callers, context);
      const callees = await calleesOf(code, windows, context);
      const bodies = callees.flatMap(({ lines, ...one }) => (lines ? [{ ...one, lines }] : []));
      return {
        files: [...files],
        callees,
        calls,
        constants: await constantsNamed(code, [...windows, ...bodies], context),
        callers: callersNotIn(calls, callers),
        unlisted,
      };
    },
    render: ({ files, callees, calls, constants, callers, unlisted }) => [
      (budget) => {
        const below = [
          ...callPlacesText(calls),
          ...calleesText(callees),
          ...constantsText(constants),
          ...(callers.length > 0
            ? ["== called from (without tests and the lines above)", ...callers.map(callersText)]
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
  const asked = Math.min(one.num_lines ?? maxLines, maxLines);
  const count = one.isRange ? await toEndOfFunction(code, file ?? "", one.start_line, asked) : asked;
  const place = { file: file ?? "", start_line: one.start_line, num_lines: count };
  const window = await linesOf(workspace, place, maxLines + nearEnd);
  const within = one.isRange ? await functionAround(code, window.file, window.startLine) : undefined;
  const rest = one.num_lines === undefined ? await outlineAfter(code, window) : undefined;
  return {
    ...window,
    // Where no end is asked for, it is said how much follows.
    wanted:
      one.num_lines === undefined ? window.totalLines - window.startLine + 1 : Math.max(one.num_lines, count),
    ...(within && { within }),
    ...(rest && { rest }),
  };
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

/** Of a file that is longer than what is shown of it: what it declares further down. */
async function outlineAfter(code: Code, { file, startLine, lines }: Window): Promise<string | undefined> {
  const parsed = await (await code()).outline(file).catch(() => undefined);
  const next = startLine + lines.length;
  const all = parsed ? outlineOf(parsed.syntax).filter(({ line }) => line >= next) : [];
  const top = all.filter(({ level }) => level <= (all.length > mostOutlined ? 0 : 1));
  if (top.length === 0) return undefined;
  const more = top.length > mostOutlined ? [`… ${top.length - mostOutlined} more declarations`] : [];
  return visibleText(
    ["declared there:", ...top.slice(0, mostOutlined).map(signatureLine), ...more].join("\n"),
  );
}
