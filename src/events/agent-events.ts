/** A plan as a checklist: ` ` open, `~` under way, `x` done, `!` failed, `-` skipped. */
export interface Plan {
  title: string;
  steps: { mark: string; text: string }[];
}

/** Why a run ended. Each reason has its own exit code. */
export const stopReasons = ["done", "error", "steps", "tokens", "cost", "time", "loop", "aborted"] as const;
export type StopReason = (typeof stopReasons)[number];

/** Tokens as the provider reported them. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  /** Of the input: read from the provider's cache. */
  cachedTokens: number;
  /** Of the input: written to the provider's cache, which some charge more for. */
  writtenTokens?: number;
}

/** A source that an answer cites, with the number that it cites it by. */
export interface CitedSource {
  number: number;
  url: string;
  title: string;
}

/** Events of a running agent; the effects of its calls are reported by call events in between. */
export type AgentEvent = {
  session: string;
} /** What the person said, and its place in the session's log. */ & (
  | { type: "message-add"; text: string; entry: number }
  | { type: "run-start"; agent: string; model: string }
  | { type: "step-start"; step: number }
  | { type: "text-delta"; text: string }
  | { type: "reasoning-delta"; text: string }
  | { type: "input-start"; ref: string; tool: string }
  | { type: "input-delta"; ref: string; delta: string }
  /** The model did not answer, or its answer broke off: what was streamed of this step does not count. */
  | { type: "model-retry"; reason: string; waitMs: number }
  | { type: "call-result"; ref: string; callId: string; tool: string; ok: boolean; text: string; plan?: Plan }
  /** A search that the provider ran itself. */
  | { type: "search-add"; tool: string; query: string; results: { url: string; title: string }[] }
  /** A word of the system to the model. */
  | { type: "notice-add"; text: string }
  | { type: "context-shrink"; before: number; after: number; summarised: boolean }
  | { type: "step-end"; step: number; usage: Usage; total: Usage; context: number; contextBudget: number }
  | {
      type: "run-end";
      stop: StopReason;
      message?: string;
      steps: number;
      usage: Usage;
      costUsd?: number;
      sources?: CitedSource[];
    }
);
