import { z } from "zod";
import { splitLines } from "../../text/lines.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { readWindow } from "../files/read-lines.ts";
import { maxLines, usualLines } from "./inputs.ts";

export const windowOutput = z.object({
  file: z.string(),
  lines: z.array(z.string()),
  startLine: z.number(),
  totalLines: z.number(),
});
export type Window = z.infer<typeof windowOutput>;

export interface WindowInput {
  file: string;
  start_line: number;
  num_lines?: number | undefined;
}

/** Lines of a file, as `read` and `batch_read` take them. */
export async function linesOf(
  workspace: Workspace,
  { file, start_line: startLine, num_lines: wanted = usualLines }: WindowInput,
  most = maxLines,
): Promise<Window> {
  const count = Math.min(wanted, most);
  const { content, totalLines } = await readWindow(workspace, { path: file, startLine, count, isPart: true });
  return { file, lines: splitLines(content), startLine, totalLines };
}

export type Lines = Pick<Window, "file" | "lines" | "startLine">;

/** Whether one of the windows shows the line. */
export const isShownIn = (windows: readonly Lines[], { file, line }: { file: string; line: number }) =>
  windows.some(
    (one) => one.file === file && line >= one.startLine && line < one.startLine + one.lines.length,
  );
