import type { Asker } from "../approval/approval.ts";
import type { ToolRegistry } from "../registry/registry.ts";
import type { ToolResult } from "../tool/result.ts";
import type { ImagePart, Tool, ToolContext } from "../tool/tool.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** What the MCP server needs from Wield; `Wield` implements it. */
export interface McpHost {
  readonly tools: {
    /** Those that may be called now, in order. */
    list(): readonly Tool[];
    /** Brings the list up to date with what was added from outside. */
    refresh(): Promise<void>;
    readonly registry: Pick<ToolRegistry, "onChange">;
  };
  readonly workspace: Pick<Workspace, "walk" | "change" | "changes">;
  /** Whether the rules let a tool read a path without asking. */
  readonly settings: { mayRead(tool: string, path: string): boolean };
  /** Runs a call. Without an asker, the host decides who is asked. */
  callAny(tool: string, input: unknown, options: HostCallOptions): Promise<HostOutcome>;
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
