import type { ErrorCode } from "../failure/failure.ts";
import type { Effect } from "../tool/effects.ts";
import type { Example } from "../tool/tool.ts";

/** The data of a tool definition; its functions stay in the thread. */
export interface ToolFacts {
  name: string;
  title: string;
  description: string;
  category: string;
  loading: "core" | "deferred";
  input: Record<string, unknown>;
  output: Record<string, unknown>;
  examples: readonly Example[];
  skill?: string;
  timeoutMs: number;
  budget: number;
  idempotent: boolean;
  can: readonly Effect["kind"][];
  previews: boolean;
}

/** Requests to the thread. The reply to `effects` includes the tool's approval default. */
export type Method = "effects" | "preview" | "execute";

export type ToThread =
  | {
      type: "call";
      id: number;
      method: Method;
      input: unknown;
      callId: string;
      approved: ReadonlyMap<string, string>;
    }
  | { type: "abort"; id: number }
  | { type: "answer"; ask: number; value?: unknown; error?: Thrown };

export type FromThread =
  | { type: "loaded"; facts: ToolFacts }
  | { type: "failed"; message: string }
  | { type: "done"; id: number; value?: unknown; error?: Thrown }
  /** The tool uses its context: a workspace method, `run`, or progress. */
  | { type: "ask"; ask: number; id: number; service: string; args: unknown[] }
  /** The answer is written into the shared memory: 1 is yes, 2 is no. */
  | { type: "may-read"; id: number; path: string; answer: Int32Array<SharedArrayBuffer> };

export interface Thrown {
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown>;
}
