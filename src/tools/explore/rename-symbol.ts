import { z } from "zod";
import type { Renaming } from "../../code/resolve/renaming.ts";
import { Failure } from "../../failure/failure.ts";
import { sourceText } from "../../text/encoding.ts";
import { visibleText } from "../../text/visible.ts";
import { defineChangeTool } from "../../tool/change-tool.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { spliced } from "../../workspace/splice.ts";
import { readTextFile } from "../../workspace/text-file.ts";
import type { FileOperation } from "../../workspace/workspace.ts";
import { appliedDiff, appliedDiffOf, renderApplied } from "../files/applied-diff.ts";
import { type Code, codeOptions, kindInput, symbolInput } from "./code-answers.ts";

const maxBytes = 10_000_000;
const maxListed = 100;

const output = appliedDiff.extend({
  renamed: z.number().describe("Places changed, declarations included"),
  possible: z
    .array(z.object({ file: z.string(), line: z.number(), text: z.string(), why: z.string() }))
    .describe("Not changed: these may mean it, too. Decide on each"),
  possibleTotal: z.number(),
  notSearched: z
    .array(z.string())
    .optional()
    .describe("Files that hold the name and are not understood as code"),
});

export const renameSymbol = (code: Code) => {
  // What was found for an input, for the result that is made from it after the change.
  const plans = new WeakMap<object, Renaming>();
  return defineChangeTool({
    name: "rename_symbol",
    title: "Rename symbol",
    description:
      "Rename a function, method, type, field or constant everywhere: its declaration, what overrides it, and every use that is proved, as one change with a preview. Uses that are only possible are listed, not changed: decide on each. Comments and strings stay.",
    category: "Editing",
    input: z.object({
      symbol: symbolInput,
      to: z
        .string()
        .regex(/^[\p{L}_$][\p{L}\p{N}_$]*[?!=]?$/u, "must be one plain name")
        .max(200)
        .describe("The new name, without what it belongs to"),
      kind: kindInput.describe("Kind of the symbol, where one file has several of that name"),
    }),
    output,
    approval: "ask",
    operations: async (input, context) => {
      const plan = await (await code()).renaming(input, codeOptions(context));
      plans.set(input, plan);
      return operationsOf(plan, context);
    },
    describe: ({ symbol, to }) => `rename ${symbol} to ${to}`,
    present: (preview, input) => {
      const left = plans.get(input)?.possible.length ?? 0;
      return left === 0
        ? preview
        : { ...preview, notes: [...(preview.notes ?? []), `${left} possible uses are not changed.`] };
    },
    value: (change, input) => {
      const plan = plans.get(input);
      const possible = plan?.possible ?? [];
      const notSearched = [...(plan?.unparsed ?? []), ...(plan?.noCode ?? [])].slice(0, 20);
      return {
        ...appliedDiffOf(change),
        renamed: [...(plan?.replacements.values() ?? [])].reduce((sum, places) => sum + places.length, 0),
        possible: possible.slice(0, maxListed).map(({ file, line, text, why }) => ({
          file,
          line,
          text: text.slice(0, 200),
          why: why ?? "only the name agrees",
        })),
        possibleTotal: possible.length,
        ...(notSearched.length > 0 && { notSearched }),
      };
    },
    render: (value, { symbol, to }) => {
      const { renamed, possible, possibleTotal, notSearched, files } = value;
      const head = `Renamed ${symbol} to ${to}: ${renamed} places in ${files.length} ${files.length === 1 ? "file" : "files"}.`;
      const lines = possible.map(
        ({ file, line, text, why }) => `  ${file}:${line} (${why}) ${visibleText(text.slice(0, 100))}`,
      );
      const rest = [
        ...(possibleTotal > 0
          ? [`${possibleTotal} possible uses not changed, decide on each:`, ...lines]
          : []),
        ...(possibleTotal > possible.length
          ? [`  … and ${possibleTotal - possible.length} more: see references`]
          : []),
        ...(notSearched ? [`The old name also occurs in: ${notSearched.join(", ")}`] : []),
      ];
      const [diffs, short] = renderApplied(value);
      const text = (part: string | (() => string) | undefined) =>
        typeof part === "function" ? part() : (part ?? "");
      return [
        [head, ...rest, text(diffs)].join("\n"),
        () => [head, ...rest, text(short)].join("\n"),
        () => [head, ...rest].join("\n"),
        () =>
          `${head} ${possibleTotal} possible uses not changed: ask references for ${to} and the old name.`,
      ];
    },
    examples: [{ title: "A method", input: { symbol: "Planner.Plan", to: "MakePlan" } }],
  });
};

async function operationsOf(
  { replacements, name }: Renaming,
  { workspace }: ToolContext,
): Promise<FileOperation[]> {
  const operations: FileOperation[] = [];
  for (const [path, places] of replacements) {
    const file = await readTextFile(workspace, path, { maxBytes });
    // Places in code are counted with the mark.
    const mark = (await sourceText(file.bytes)).startsWith("\ufeff") ? 1 : 0;
    const splices = places.map(({ offset, length, text }) => ({
      start: offset - mark,
      end: offset - mark + length,
      text,
    }));
    if (splices.some(({ start, end }) => file.text.slice(start, end) !== name))
      throw new Failure("CONFLICT", `${path} has just changed. Try again.`);
    const { bytes } = await spliced(file, splices);
    operations.push({ op: "write", path, bytes, mustBe: "existing" });
  }
  return operations;
}
