import { z } from "zod";
import { typeKinds } from "../../code/languages/language.ts";
import { Failure } from "../../failure/failure.ts";
import { fitLines } from "../../text/fit-lines.ts";
import { estimateTokens } from "../../text/tokens.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { type Code, codeOptions } from "./code-answers.ts";
import { bodyOf } from "./declaration-body.ts";
import { usualLines, windowFields } from "./inputs.ts";
import { linesOf, windowOutput } from "./line-window.ts";

/** From this many lines on, a type is told by its members. */
const longType = 90;

const item = z
  .object({ file: z.string().optional(), symbol: z.string().optional(), ...windowFields })
  .refine(({ file, symbol }) => file !== undefined || symbol !== undefined, "Give a file or a symbol.");
type Item = z.infer<typeof item>;

const output = z.object({
  files: z.array(
    z.union([
      windowOutput.extend({ symbol: z.string().optional(), wanted: z.number() }),
      z.object({ file: z.string(), symbol: z.string(), outline: z.string() }),
      z.object({ file: z.string(), error: z.string() }),
    ]),
  ),
});
type Part = z.infer<typeof output>["files"][number];

export const batchRead = (code: Code) =>
  defineTool({
    name: "batch_read",
    title: "Read several places",
    description: "Numbered lines of up to 10 places: files with lines, or symbols (Type.method).",
    category: "Explore",
    input: z.object({ reads: z.array(item).min(1).max(10) }),
    output,
    can: ["read"],
    idempotent: true,
    effects: ({ reads }) => reads.map(({ file }) => ({ kind: "read", path: file ?? "." })),
    execute: async ({ reads }, context) => ({
      files: await Promise.all(
        reads.map(async (one): Promise<Part> => {
          try {
            return await partOf(code, one, context);
          } catch (error) {
            if (!(error instanceof Failure)) throw error;
            return { file: one.file ?? one.symbol ?? "", error: `${error.code}: ${error.message}` };
          }
        }),
      ),
    }),
    render: ({ files }) => [(budget) => shareOut(files, budget)],
    examples: [
      {
        title: "A function by its name, and lines of a file",
        input: { reads: [{ symbol: "Api.get" }, { file: "src/a.ts", start_line: 10, num_lines: 20 }] },
      },
    ],
  });

async function partOf(code: Code, one: Item, context: ToolContext): Promise<Part> {
  if (one.symbol === undefined) {
    const window = await linesOf(context.workspace, { ...one, file: one.file ?? "" });
    return { ...window, wanted: one.num_lines ?? usualLines };
  }
  const name = one.file === undefined ? one.symbol : `${one.file}#${one.symbol}`;
  const { found, near } = await (await code()).definitions(name, undefined, codeOptions(context));
  const [first] = found;
  if (!first || first.distance > 1) {
    const similar = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
    throw new Failure("INVALID_INPUT", `${name} is not defined here.${similar}`);
  }
  const { startLine, endLine, kind } = first.declaration;
  if (one.num_lines === undefined && endLine - startLine >= longType && typeKinds.has(kind)) {
    const outline = await bodyOf(first, context.workspace);
    if (outline !== undefined) return { file: first.file, symbol: one.symbol, outline };
  }
  const wanted = one.num_lines ?? endLine - startLine + 1;
  const window = await linesOf(context.workspace, {
    file: first.file,
    start_line: startLine,
    num_lines: wanted,
  });
  return { ...window, symbol: one.symbol, wanted };
}

/** Small parts take what they need; what they leave is divided among the larger ones. */
function shareOut(files: readonly Part[], budget: number): string {
  const whole = files.map((part) => rendered(part, Number.MAX_SAFE_INTEGER));
  const needs = whole.map((text) => estimateTokens(text) + 1);
  const shares = new Array<number>(files.length).fill(0);
  let left = budget;
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
  if ("outline" in part) return `== ${part.file} ${part.symbol}\n${part.outline}`;
  const { file, lines, startLine, totalLines, symbol, wanted } = part;
  const head = `== ${file}${symbol ? ` ${symbol}` : ""} (${totalLines} lines)`;
  const readOn = (shown: number) =>
    startLine + shown > totalLines || shown >= wanted
      ? ""
      : `… read on: read(${JSON.stringify({ file, start_line: startLine + shown })})`;
  const numbered = lines.map((line, index) => `${startLine + index}\t${line}`);
  const closing = readOn(lines.length);
  const all = [head, ...numbered, ...(closing ? [closing] : [])].join("\n");
  return estimateTokens(all) <= budget
    ? all
    : `${head}\n${fitLines(numbered, budget - estimateTokens(head) - 1, readOn)}`;
}
