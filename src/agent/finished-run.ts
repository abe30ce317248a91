import type { StopReason, Usage } from "../events/agent-events.ts";
import type { LogEntry } from "../store/store.ts";
import { Conversation } from "./conversation.ts";
import { currentEntries, type LogData } from "./log.ts";
import type { Source } from "./sources.ts";

/** What a run left in its session's log. */
export interface FinishedRun {
  stop: StopReason;
  text: string;
  steps: number;
  usage: Usage;
  sources: readonly Source[];
}

/** The last run of a session, if it ended with an answer; undefined: it must be continued. */
export function finishedRun(all: readonly LogEntry[]): FinishedRun | undefined {
  const entries = currentEntries(all);
  const conversation = new Conversation();
  for (const { data } of entries) conversation.add(data as LogData);
  const { stop, steps, usage, sources } = conversation;
  const last = entries.at(-1)?.data as LogData | undefined;
  const text = conversation.lastText();
  if (last?.kind !== "end" || stop === "error" || stop === "aborted" || text.trim() === "") return undefined;
  return { stop, text, steps, usage, sources: sources.all };
}
