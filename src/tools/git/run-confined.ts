import type { ToolContext } from "../../tool/tool.ts";

/**
 * Runs a bash script in the sandbox, on the workspace; its changes are only reported. Provided by the composition
 * root.
 */
export type RunConfined = (
  script: string,
  input: string,
  context: ToolContext,
) => Promise<{
  exitCode: number;
  output: string;
  /** Paths that it changed in its copy of the workspace. */
  changed: string[];
  /** What it left in `/out`, by name. */
  left: ReadonlyMap<string, string>;
}>;
