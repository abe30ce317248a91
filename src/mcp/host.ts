import type { Asker } from "../approval/approval.ts";
import type { ToolRegistry } from "../registry/registry.ts";
import type { ToolResult } from "../tool/result.ts";
import type { ImagePart, Tool, ToolContext } from "../tool/tool.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Elicit } from "./elicitation.ts";

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
  /**
   * The same for the requests of one connection: sent at once, a change and what depends on it keep their order. A client
   * with a name has a session of its own: background processes, answers for the session, what it has seen.
   */
  callsInOrder(client?: string): McpHost["callAny"];
  /** Ends what the client's session started. */
  endClient(client: string): Promise<void>;
  /** Asks the person at the client. */
  readonly person: McpPerson;
}

/** The tool `ask_person`, which belongs to no workspace: each client has a person of its own. */
export interface McpPerson {
  readonly tool: Tool;
  /** `elicit`: shows the client's own form; left out: it has none. */
  ask(input: unknown, options: HostCallOptions & { elicit?: Elicit | undefined }): Promise<HostOutcome>;
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
