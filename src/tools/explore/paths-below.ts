import type { ToolContext } from "../../tool/tool.ts";
import { type Code, codeOptions } from "./code-answers.ts";

export interface PathBelow {
  path: string;
  /** In milliseconds; undefined where it must be asked for. */
  modified?: number;
}

/**
 * Files and links below a directory that are not ignored, and the directory that the path leads to: from the index where it
 * is warm, else by walking; the same either way.
 */
export async function pathsBelow(
  code: Code,
  path: string,
  context: ToolContext,
  freshness: { now?: boolean } = {},
): Promise<{ directory: string; entries: PathBelow[] }> {
  const { workspace, signal } = context;
  const { path: directory } = await workspace.resolve(path);
  const known = await (await code()).pathsBelow(directory, codeOptions(context), freshness);
  if (known) return { directory, entries: known };
  const entries: PathBelow[] = [];
  for await (const entry of workspace.walk({ under: path, hidden: true, notText: true, signal }))
    if (!entry.tooLong) entries.push({ path: entry.path, modified: Date.parse(entry.modified) });
  return { directory, entries };
}
