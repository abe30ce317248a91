import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { splitLines } from "../../text/lines.ts";
import { requireText } from "../../text/text-file.ts";
import { pathInput } from "../../tool/path-input.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** The most lines one window has; a larger wish is met with this. */
export const maxLines = 300;

export const windowInput = z.object({
  file: pathInput("File to read"),
  start_line: z.int().min(1).default(1).describe("First line, from 1"),
  num_lines: z.int().min(1).default(100).describe("How many lines, at most 300"),
});

export const windowOutput = z.object({
  file: z.string(),
  lines: z.array(z.string()),
  startLine: z.number(),
  totalLines: z.number(),
});

export async function readLines(
  workspace: Workspace,
  { file, start_line: startLine, num_lines: count }: z.infer<typeof windowInput>,
): Promise<z.infer<typeof windowOutput>> {
  const { bytes } = await workspace.read(file);
  const all = splitLines(requireText(file, bytes));
  if (startLine > Math.max(1, all.length)) {
    throw new Failure(
      "INVALID_INPUT",
      `${file} has ${all.length} lines; line ${startLine} is past its end.`,
      { totalLines: all.length },
    );
  }
  return {
    file,
    lines: all.slice(startLine - 1, startLine - 1 + Math.min(count, maxLines)),
    startLine,
    totalLines: all.length,
  };
}
