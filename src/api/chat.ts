import type { DynamicToolUIPart, UIMessage, UIMessageChunk } from "ai";
import type { CitedSource, Plan, StopReason, Usage } from "../events/agent-events.ts";
import type { CallFile, CallRecord } from "../events/events.ts";

/** A conversation in the words of the AI SDK: what the page is given, past and present alike. */

/** How a run ended; omitted while it is running, or if its process died. */
export interface Ending {
  stop: StopReason;
  message?: string;
  steps: number;
  usage: Usage;
  costUsd?: number;
  /** What the answer cites. */
  sources?: CitedSource[];
}

/** Parts that are neither words nor calls. */
export type ChatData = {
  /** A word of the system to the model. */
  notice: string;
  /** Why the model is asked again. */
  retry: string;
  plan: Plan;
  /** A search that the provider ran itself. */
  search: ProviderSearch;
};

export interface ProviderSearch {
  query: string;
  results: { url: string; title: string }[];
}

export type ChatMessage = UIMessage<Ending, ChatData>;
export type ChatPart = ChatMessage["parts"][number];
export type ChatChunk = UIMessageChunk<Ending, ChatData>;
export type CallPart = DynamicToolUIPart;

/** The output of a call so far: `progress` while it runs, the model's text afterwards. */
export interface CallOutput {
  text: string;
  progress?: string;
  /** The last lines that the program has printed so far. */
  output?: string;
  /** The session of the run that it delegated to. */
  delegated?: string;
}

/** Beside a call: what was recorded of it, and the files that it handed over. */
export interface CallNote {
  record: CallRecord;
  /** Since when it runs (ISO 8601). */
  startedAt?: string;
  files?: readonly CallFile[];
  /** Of a team: who answered its approval request. */
  answeredBy?: string;
}
