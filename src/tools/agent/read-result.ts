import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import type { StoredResult } from "../../store/store.ts";
import { fitLines } from "../../text/fit-lines.ts";
import { splitLines } from "../../text/lines.ts";
import { fenceAt, fenceTokens, fenceUntrusted } from "../../text/untrusted.ts";
import { defineTool } from "../../tool/define-tool.ts";

/** The full text of an earlier call, of which the model saw a shorter form. */
export const readResult = (results: (id: string, session?: string) => Promise<StoredResult | undefined>) =>
  defineTool({
    name: "read_result",
    title: "Read result",
    description:
      "Read the full text of an earlier tool result by its id, from a line on. Use it when a result said it was shortened.",
    category: "Results",
    input: z.object({
      id: z.string().describe("The id that the shortened result named"),
      startLine: z.int().min(1).default(1),
      numLines: z.int().min(1).default(400),
    }),
    output: z.object({
      tool: z.string(),
      text: z.string(),
      startLine: z.number(),
      endLine: z.number(),
      totalLines: z.number(),
      source: z.string().optional().describe("Who wrote it, where these are a stranger's words"),
    }),
    idempotent: true,
    execute: async ({ id, startLine, numLines }, { session }) => {
      const result = await results(id, session);
      if (!result)
        throw new Failure(
          "FILE_NOT_FOUND",
          `There is no result ${JSON.stringify(id)}, or it is too old to be kept. Make the call again.`,
        );
      const lines = splitLines(result.text);
      if (startLine > Math.max(1, lines.length)) {
        throw new Failure(
          "INVALID_INPUT",
          `This result has ${lines.length} lines; line ${startLine} is past its end.`,
        );
      }
      const page = lines.slice(startLine - 1, startLine - 1 + numLines);
      return {
        tool: result.tool,
        text: page.join("\n"),
        startLine,
        endLine: startLine - 1 + page.length,
        totalLines: lines.length,
        ...strangersIn(lines, startLine - 1, page.length),
      };
    },
    render: (value, { id }) => {
      const lines = value.text.split("\n");
      const readOn = (shown: number) => {
        const next = value.startLine + shown;
        const call = `read_result(${JSON.stringify({ id, startLine: next })})`;
        return `… lines ${value.startLine}–${next - 1} of ${value.totalLines}. Read on: ${call}`;
      };
      const whole = value.endLine < value.totalLines ? [...lines, readOn(lines.length)] : lines;
      const { source } = value;
      if (source === undefined) return [whole.join("\n"), (budget) => fitLines(lines, budget, readOn)];
      return [
        fenceUntrusted(whole.join("\n"), source),
        (budget) => fenceUntrusted(fitLines(lines, budget - fenceTokens, readOn), source),
      ];
    },
    examples: [{ title: "From line 121", input: { id: "c_0123456789", startLine: 121 } }],
  });

/** A page from the middle of untrusted text contains neither end of its fence, so it needs a new one. */
function strangersIn(lines: readonly string[], start: number, count: number): { source?: string } {
  let fence: { source: string; end: string } | undefined;
  for (const [at, line] of lines.slice(0, start + count).entries()) {
    fence ??= fenceAt(line);
    if (fence && at >= start) return { source: fence.source };
    if (line === fence?.end) fence = undefined;
  }
  return {};
}
