import type { ToolError } from "../failure/failure.ts";
import type { AgentEvent } from "./agent-events.ts";

/** Everything observable, shared with every entry point. Names are noun and verb. */
export type WieldEvent = CallEvent | AgentEvent | ProcessEvent;

export type CallEvent =
  | {
      type: "call-start";
      callId: string;
      session: string;
      ref?: string;
      tool: string;
      input: unknown;
      at: string;
    }
  | { type: "call-progress"; callId: string; message: string; done?: number; total?: number; output?: string }
  | { type: "approval-ask"; callId: string; stepId: string; tool: string; reason: string }
  /** `elsewhere`: in another process, which made the call. */
  | {
      type: "approval-answer";
      callId: string;
      approved: boolean;
      edited: boolean;
      reason?: string;
      elsewhere?: true;
    }
  | { type: "call-end"; callId: string; record: CallRecord; error?: ToolError; files?: readonly CallFile[] }
  | { type: "files-change"; callId: string; changeId: string; paths: string[] };

/** A background process started or ended. */
export interface ProcessEvent {
  type: "process-change";
  id: string;
  /** Undefined: the call that started it belongs to no session. */
  session: string | undefined;
  command: string;
  /** `stopped`: somebody ended it. */
  state: "running" | "ended" | "stopped";
  exitCode: number | null;
}

export type ApprovalOutcome = "auto" | "automatic" | "approved" | "edited" | "denied" | "required" | "none";

/** A file that a call handed over to the person. */
export interface CallFile {
  /** Relative, with `/`; written by a model's code. */
  name: string;
  mediaType: string;
  size: number;
}

/** One call as it is kept for analytics. */
export interface CallRecord {
  id: string;
  session: string;
  tool: string;
  at: string;
  /** Without the time that somebody took to answer. */
  durationMs: number;
  ok: boolean;
  errorCode: string | null;
  /** Size of the value as JSON. */
  bytes: number;
  tokensIn: number;
  tokensOut: number;
  approval: ApprovalOutcome;
}
