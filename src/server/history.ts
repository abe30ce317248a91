import type { LogData } from "../agent/log.ts";
import type { Usage } from "../events/agent-events.ts";
import type { CallRecord, WieldEvent } from "../events/events.ts";
import type { LogEntry } from "../store/store.ts";

/** A session's log in the words of the stream: a page knows one language, whether it watches or looks back. */
export function eventsOf(
  session: string,
  entries: readonly LogEntry[],
  recordOf: (callId: string) => CallRecord | undefined,
): WieldEvent[] {
  let steps = 0;
  let total: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  return entries.flatMap(({ at, data }): WieldEvent[] => {
    const entry = data as LogData;
    switch (entry.kind) {
      case "user":
        steps = 0;
        total = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
        return [{ type: "message-add", session, text: entry.text }];
      case "notice":
        return [{ type: "notice-add", session, text: entry.text }];
      case "step": {
        steps++;
        total = {
          inputTokens: total.inputTokens + entry.usage.inputTokens,
          outputTokens: total.outputTokens + entry.usage.outputTokens,
          cachedTokens: total.cachedTokens + entry.usage.cachedTokens,
        };
        const { usage } = entry;
        return [
          { type: "step-start", session, step: steps },
          ...wordsOf(session, entry),
          { type: "step-end", session, step: steps, usage, total, context: 0, contextBudget: 0 },
          ...entry.calls.map(
            ({ id, ref, tool, input }): WieldEvent => ({
              type: "call-start",
              callId: id,
              session,
              ref,
              tool,
              input,
              at,
            }),
          ),
        ];
      }
      case "results":
        return entry.results.flatMap(({ id, ref, tool, ok, text }): WieldEvent[] => {
          const record = recordOf(id);
          return [
            ...(record ? [{ type: "call-end" as const, callId: id, record }] : []),
            { type: "call-result", session, ref, callId: id, tool, ok, text },
          ];
        });
      case "end": {
        const { stop, message } = entry;
        return [
          { type: "run-end", session, stop, ...(message !== undefined && { message }), steps, usage: total },
        ];
      }
      default:
        return [];
    }
  });
}

function wordsOf(session: string, { messages }: Extract<LogData, { kind: "step" }>): WieldEvent[] {
  return messages.flatMap(({ role, content }): WieldEvent[] => {
    if (role !== "assistant") return [];
    if (typeof content === "string") return [{ type: "text-delta", session, text: content }];
    return content.flatMap((part): WieldEvent[] => {
      if (part.type === "text") return [{ type: "text-delta", session, text: part.text }];
      return part.type === "reasoning" ? [{ type: "reasoning-delta", session, text: part.text }] : [];
    });
  });
}

/** Adds an event to a run's course so far; pieces of one text become one. */
export function addTo(course: WieldEvent[], event: WieldEvent): void {
  const last = course.at(-1);
  if (event.type === "text-delta" && last?.type === "text-delta") {
    course[course.length - 1] = { ...last, text: last.text + event.text };
  } else if (event.type === "reasoning-delta" && last?.type === "reasoning-delta") {
    course[course.length - 1] = { ...last, text: last.text + event.text };
  } else if (event.type === "input-delta" && last?.type === "input-delta" && last.ref === event.ref) {
    course[course.length - 1] = { ...last, delta: last.delta + event.delta };
  } else course.push(event);
}
