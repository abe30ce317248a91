import { z } from "zod";
import { typeKinds } from "../../code/languages/language.ts";
import { outlineOf } from "../../code/syntax/outline.ts";
import { Failure } from "../../failure/failure.ts";
import { byDepth } from "../../text/depth.ts";
import { fitLines } from "../../text/fit-lines.ts";
import { splitLines } from "../../text/lines.ts";
import { estimateTokens } from "../../text/tokens.ts";
import { visibleText } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { ToolContext } from "../../tool/tool.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Code, codeOptions, definitionValue, placeOf } from "./code-answers.ts";
import { bodyOf, mainOf } from "./declaration-body.ts";
import { usualLines, windowFields } from "./inputs.ts";
import { linesOf, windowOutput } from "./line-window.ts";
import { constantOutput, constantsNamed } from "./named-constants.ts";
import { placesIn, type ReadPlace } from "./place-text.ts";

/** From this many lines on, a type is told by its members. */
const longType = 90;

/** A file named alone is shown whole up to so many lines, and by its outline beyond. */
const shortFile = 80;
const mostOutlined = 100;
/** Lines of one place; the budget of all is the narrower limit. */
const mostLines = 600;

const item = z
  .object({ file: z.string().optional(), symbol: z.string().optional(), ...windowFields })
  .refine(({ file, symbol }) => file !== undefined || symbol !== undefined, "Give a file or a symbol.");

const output = z.object({
  files: z.array(
    z.union([
      windowOutput.extend({
        symbol: z.string().optional(),
        wanted: z.number(),
        also: z.array(z.string()).optional().describe("Other definitions of the very name"),
      }),
      z.object({
        file: z.string(),
        symbol: z.string().optional(),
        outline: z.string(),
        also: z.array(z.string()).optional(),
      }),
      z.object({ file: z.string(), error: z.string() }),
    ]),
  ),
  constants: z.array(constantOutput).describe("Constants that the lines name, with their values"),
});
type Part = z.infer<typeof output>["files"][number];

export const batchRead = (code: Code) =>
  defineTool({
    name: "batch_read",
    title: "Read several places",
    description:
      'Numbered lines of up to 10 places: files with lines ("file:10-60"), or symbols ("Type.method", "file#name"). For reading: without blank lines, one space for each level of indentation.',
    brief: {
      description: `Up to 10 functions or types by name ("Type.method", "file#name"), or lines ("file:10-60"); "file" alone: its outline.`,
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
    budget: 8_000,
    can: ["read"],
    idempotent: true,
    effects: async ({ reads }, { workspace }) =>
      (await placesOf(reads, workspace)).map(({ file }) => ({ kind: "read", path: file ?? "." })),
    execute: async ({ reads }, context) => {
      const files = await Promise.all(
        (await placesOf(reads, context.workspace)).map(async (one): Promise<Part> => {
          try {
            return await partOf(code, one, context);
          } catch (error) {
            if (!(error instanceof Failure)) throw error;
            return { file: one.file ?? one.symbol ?? "", error: `${error.code}: ${error.message}` };
          }
        }),
      );
      const windows = files.filter((part) => "lines" in part);
      return { files, constants: await constantsNamed(code, windows, context) };
    },
    render: ({ files, constants }) => [
      (budget) => {
        const values = constants.map(({ file, line, text }) => `${file}:${line} ${text}`);
        const named = values.length > 0 ? ["== constants named above", ...values].join("\n") : "";
        return [shareOut(files, budget - estimateTokens(named)), ...(named ? [named] : [])].join("\n");
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

const placesOf = async (
  reads: readonly (string | ReadPlace)[],
  workspace: Workspace,
): Promise<readonly ReadPlace[]> =>
  (
    await Promise.all(reads.map((one) => (typeof one === "string" ? placesIn(one, workspace) : [one])))
  ).flat();

async function partOf(code: Code, one: ReadPlace, context: ToolContext): Promise<Part> {
  const { workspace } = context;
  const { file, symbol } = one;
  if (symbol !== undefined) return partOfSymbol(code, { ...one, symbol }, context);
  if (one.isWhole && file !== undefined) {
    const outline = await outlineOfFile(code, file);
    if (outline) return { file, outline };
  }
  const window = await linesOf(workspace, { ...one, file: file ?? "" }, mostLines);
  return { ...window, wanted: one.num_lines ?? usualLines };
}

async function partOfSymbol(
  code: Code,
  one: ReadPlace & { symbol: string },
  context: ToolContext,
): Promise<Part> {
  const name = one.file === undefined ? one.symbol : `${one.file}#${one.symbol}`;
  const { found, near } = await (await code()).definitions(name, undefined, codeOptions(context));
  const [first] = found;
  if (!first || first.distance > 1) {
    const similar = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
    throw new Failure("INVALID_INPUT", `${name} is not defined here.${similar}`);
  }
  const same = found.filter(({ distance }) => distance === first.distance);
  const main = mainOf(same) ?? first;
  const others = same.filter((definition) => definition !== main).map(definitionValue);
  const also = others.length > 0 ? { also: others.map(placeOf) } : {};
  const { startLine, endLine, kind } = main.declaration;
  if (one.num_lines === undefined && endLine - startLine >= longType && typeKinds.has(kind)) {
    const outline = await bodyOf(main, context.workspace);
    if (outline !== undefined) return { file: main.file, symbol: one.symbol, outline, ...also };
  }
  const wanted = one.num_lines ?? endLine - startLine + 1;
  const lines = { file: main.file, start_line: startLine, num_lines: wanted };
  const window = await linesOf(context.workspace, lines, mostLines);
  return { ...window, symbol: one.symbol, wanted, ...also };
}

/** The declarations of a file that is too long to show whole; none where its language is not understood. */
async function outlineOfFile(code: Code, file: string): Promise<string | undefined> {
  const parsed = await (await code()).outline(file).catch(() => undefined);
  const lines = parsed ? splitLines(parsed.source).length : 0;
  if (!parsed || lines <= shortFile) return undefined;
  const all = outlineOf(parsed.syntax);
  const top = all.filter(({ level }) => level === 0);
  const told = all.length > mostOutlined ? top.slice(0, mostOutlined) : all;
  const more =
    all.length > told.length ? [`… ${all.length - told.length} more inside: read a type by its name`] : [];
  if (told.length === 0) return undefined;
  return visibleText(
    [
      `${lines} lines:`,
      ...told.map(
        ({ line, endLine, level, signature }) =>
          `${" ".repeat(level)}${endLine > line ? `${line}-${endLine}` : line} ${signature.slice(0, 110)}`,
      ),
      ...more,
    ].join("\n"),
  );
}

/** Small parts take what they need; what they leave is divided among the larger ones. */
function shareOut(files: readonly Part[], budget: number): string {
  const whole = files.map((part) => rendered(part, Number.MAX_SAFE_INTEGER));
  const needs = whole.map((text) => estimateTokens(text) + 1);
  const shares = new Array<number>(files.length).fill(0);
  // What is put between the parts and estimated otherwise for the whole must fit, too.
  let left = Math.floor(budget * 0.96);
  const byNeed = needs.map((_, i) => i).sort((a, b) => (needs[a] ?? 0) - (needs[b] ?? 0));
  byNeed.forEach((index, place) => {
    const fair = Math.floor(left / (files.length - place));
    shares[index] = Math.min(needs[index] ?? 0, fair);
    left -= shares[index] ?? 0;
  });
  return files
    .map((part, i) => ((shares[i] ?? 0) >= (needs[i] ?? 0) ? whole[i] : rendered(part, (shares[i] ?? 0) - 1)))
    .join("\n");
}

function rendered(part: Part, budget: number): string {
  if ("error" in part) return `== ${part.file}: ${part.error}`;
  const { file, symbol, also = [] } = part;
  const others =
    also.length > 0 ? ` (also ${also.slice(0, 10).join(", ")}${also.length > 10 ? ", …" : ""})` : "";
  const head = `== ${file}${symbol ? ` ${symbol}` : ""}${others}`;
  if ("outline" in part) return `${head}\n${part.outline}`;
  const { lines, startLine, totalLines, wanted } = part;
  const last = Math.min(totalLines, startLine + wanted - 1);
  const numbered = byDepth(lines)
    .map((line, index) => ({ line, number: startLine + index }))
    .filter(({ line }) => line !== "");
  const readOn = (shown: number) => {
    const next = shown < numbered.length ? numbered[shown]?.number : startLine + lines.length;
    return next === undefined || next > last
      ? ""
      : `… of ${totalLines} lines; read on: "${file}:${next}-${last}"`;
  };
  const texts = numbered.map(({ line, number }) => `${number}\t${line}`);
  const closing = readOn(texts.length);
  const all = [head, ...texts, ...(closing ? [closing] : [])].join("\n");
  return estimateTokens(all) <= budget
    ? all
    : `${head}\n${fitLines(texts, budget - estimateTokens(head) - 1, readOn)}`;
}
