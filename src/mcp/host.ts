import type { Asker } from "../approval/approval.ts";
import type { ToolResult } from "../tool/result.ts";
import type { ImagePart, Tool, ToolContext } from "../tool/tool.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** What the MCP server needs of Wield; `app/` joins them. */
export interface McpHost {
  readonly version: string;
  /** The tools that may be called now, in order. */
  tools(): readonly Tool[];
  /** The one way to run a call. Without an asker it is up to the host who is asked, if anybody. */
  call(tool: string, input: unknown, options: HostCallOptions): Promise<HostOutcome>;
  readonly workspace: Pick<Workspace, "walk" | "change" | "changes">;
  onToolsChange(listener: () => void): () => void;
}

export type Progress = ToolContext["progress"];

export interface HostCallOptions {
  signal: AbortSignal;
  progress: Progress;
  asker?: Asker;
}

export interface HostOutcome {
  result: ToolResult<unknown>;
  text: string;
  images: readonly ImagePart[];
}
