import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { fitLines } from "../../text/fit-lines.ts";
import { numberLines } from "../../text/lines.ts";
import { estimateTokens } from "../../text/tokens.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { readLines, windowInput, windowOutput } from "./line-window.ts";

const output = z.object({
  files: z.array(z.union([windowOutput, z.object({ file: z.string(), error: z.string() })])),
});
type Part = z.infer<typeof output>["files"][number];

export const batchRead = defineTool({
  name: "batch_read",
  title: "Read several files",
  description:
    "Read up to 10 stretches of files in one call, each like read. One budget is shared fairly: short ones are shown whole, long ones say how to read on. Use it instead of several read calls.",
  category: "Explore",
  input: z.object({ reads: z.array(windowInput).min(1).max(10) }),
  output,
  can: ["read"],
  idempotent: true,
  effects: ({ reads }) => reads.map(({ file }) => ({ kind: "read", path: file })),
  execute: async ({ reads }, { workspace }) => ({
    files: await Promise.all(
      reads.map(async (one): Promise<Part> => {
        try {
          return await readLines(workspace, one);
        } catch (error) {
          if (error instanceof Failure) return { file: one.file, error: `${error.code}: ${error.message}` };
          throw error;
        }
      }),
    ),
  }),
  render: ({ files }) => [(budget) => shareOut(files, budget)],
  examples: [
    {
      title: "Two functions in two files",
      input: { reads: [{ file: "src/a.ts", start_line: 10, num_lines: 20 }, { file: "src/b.ts" }] },
    },
  ],
});

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
  const { file, lines, startLine, totalLines } = part;
  const head = `== ${file} (${totalLines} lines)`;
  const readOn = (shown: number) =>
    startLine + shown > totalLines
      ? ""
      : `… read on: read(${JSON.stringify({ file, start_line: startLine + shown })})`;
  const numbered = numberLines(lines, startLine);
  const closing = readOn(lines.length);
  const all = [head, ...numbered, ...(closing ? [closing] : [])].join("\n");
  return estimateTokens(all) <= budget
    ? all
    : `${head}\n${fitLines(numbered, budget - estimateTokens(head) - 1, readOn)}`;
}
