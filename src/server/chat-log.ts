import {
  type CallResult,
  currentEntries,
  delegatedSession,
  type LogData,
  type PlannedCall,
} from "../agent/log.ts";
import { citedIn } from "../agent/report.ts";
import { providerSearches } from "../agent/searches.ts";
import { SourceList } from "../agent/sources.ts";
import type { CallNote, CallOutput, CallPart, ChatChunk, ChatMessage, ChatPart } from "../api/chat.ts";
import type { Usage } from "../events/agent-events.ts";
import type { CallRecord } from "../events/events.ts";
import type { LogEntry } from "../store/store.ts";
import { noticeForPerson } from "../text/notice.ts";

type Step = Extract<LogData, { kind: "step" }>;
/** What the page shows of a result. */
type ShownResult = Pick<CallResult, "id" | "ref" | "tool" | "ok" | "text" | "plan">;

/** A call that applied held changes of a run, or failed to. */
export interface HeldAnswer {
  /** The call that made the changes. */
  run: string;
  record: CallRecord;
  text: string;
}

/**
 * A session's log as messages: one for each message of the person, one for each run of the agent. A message's id comes from
 * its first entry, so a run has the same id whether it is read from the log or streamed.
 */
export function messagesOf(
  entries: readonly LogEntry[],
  notes: ReadonlyMap<string, CallNote>,
  /** Calls that ended although their step did not, because the process ended first. */
  found: readonly ShownResult[] = [],
  answers: readonly HeldAnswer[] = [],
): ChatMessage[] {
  const messages: ChatMessage[] = [];
  let steps = 0;
  let usage: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  let run: ChatMessage | undefined;
  const sources = new SourceList();
  for (const { data, seq: at } of currentEntries(entries)) {
    const entry = data as LogData;
    if (entry.kind === "user") {
      steps = 0;
      usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
      run = undefined;
      sources.add(entry.sources ?? []);
      messages.push({
        ...emptyMessage(at),
        role: "user",
        parts: [...attachedParts(entry, at), { type: "text", text: entry.text }],
      });
      continue;
    }
    if (entry.kind === "research") continue;
    if (entry.kind === "rewind") {
      run = undefined;
      continue;
    }
    if (!run) {
      run = emptyMessage(at);
      messages.push(run);
    }
    if (entry.kind === "notice") run.parts.push({ type: "data-notice", data: noticeForPerson(entry.text) });
    if (entry.kind === "step") {
      steps++;
      usage = sum(usage, entry.usedBefore ?? entry.usage);
      sources.add(entry.sources ?? []);
      run.parts.push(...stepParts(entry));
      const ids = new Set(entry.calls.map(({ id }) => id));
      addResults(
        run.parts,
        found.filter(({ id }) => ids.has(id)),
        notes,
      );
    }
    if (entry.kind === "partial") run.parts.push({ type: "text", text: entry.text });
    if (entry.kind === "results") {
      addResults(run.parts, entry.results, notes);
      for (const { id } of entry.results)
        run.parts.push(...answers.filter((answer) => answer.run === id).map(answerPart));
      for (const result of entry.results) sources.add(result.sources ?? []);
    }
    if (entry.kind === "end") {
      const { stop, message } = entry;
      const words = run.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
      const cited = citedIn(words, sources.all);
      run.metadata = {
        ...{ stop, ...(message !== undefined && { message }), steps, usage },
        ...(cited.length > 0 && { sources: cited }),
      };
      run = undefined;
    }
  }
  return messages;
}

/** Attached files by their address below the session: `attachments/<entry>/<index>`. */
function attachedParts({ attachments = [] }: Extract<LogData, { kind: "user" }>, entry: number): ChatPart[] {
  return attachments.map(({ name: filename, mediaType }, index) => {
    return { type: "file", filename, mediaType, url: `attachments/${entry}/${index}` };
  });
}

/** The session of the run that a call delegates to. */
export function delegatedBy(callId: string, tool: string | undefined): Pick<CallOutput, "delegated"> {
  return tool === "explore" || tool === "task" ? { delegated: delegatedSession(callId) } : {};
}

/** The calls whose results these entries hold. */
export function callIdsIn(entries: readonly LogEntry[]): string[] {
  return entries.flatMap(({ data }) => {
    const entry = data as LogData;
    return entry.kind === "results" ? entry.results.map(({ id }) => id) : [];
  });
}

/** Calls of steps whose results are not in the log. */
export function openCallsIn(entries: readonly LogEntry[]): PlannedCall[] {
  const ended = new Set(callIdsIn(entries));
  return entries.flatMap(({ data }) => {
    const entry = data as LogData;
    return entry.kind === "step" ? entry.calls.filter(({ id }) => !ended.has(id)) : [];
  });
}

/** The message of a run that starts with this entry. */
export function emptyMessage(entry: number): ChatMessage {
  return { id: `m${entry}`, role: "assistant", parts: [] };
}

/** An unfinished message as the first chunks of the stream that continues it. */
export function chunksOf({ parts }: ChatMessage): ChatChunk[] {
  return parts.flatMap((part, at): ChatChunk[] => {
    const id = `old${at}`;
    switch (part.type) {
      case "step-start":
        return [{ type: "start-step" }];
      case "text":
      case "reasoning":
        return [
          { type: `${part.type}-start`, id },
          { type: `${part.type}-delta`, id, delta: part.text },
          { type: `${part.type}-end`, id },
        ];
      case "data-notice":
        return [{ type: part.type, data: part.data }];
      case "data-search":
        return [{ type: part.type, data: part.data }];
      case "data-plan":
        return [{ type: part.type, id: "plan", data: part.data }];
      case "dynamic-tool": {
        const { toolCallId, toolName, input, toolMetadata } = part;
        const common = { toolCallId, ...(toolMetadata && { toolMetadata }) };
        const asked: ChatChunk = { type: "tool-input-available", toolCallId, toolName, input, dynamic: true };
        if (part.state === "output-available")
          return [asked, { type: "tool-output-available", ...common, output: part.output }];
        if (part.state === "output-error")
          return [asked, { type: "tool-output-error", ...common, errorText: part.errorText }];
        return [asked];
      }
      default:
        return [];
    }
  });
}

function stepParts(step: Step): ChatPart[] {
  const { messages, calls, cited } = step;
  const said = messages.flatMap(({ role, content }): ChatPart[] => {
    if (role !== "assistant") return [];
    if (typeof content === "string") return [{ type: "text", text: content }];
    return content.flatMap((part): ChatPart[] =>
      part.type === "text" || part.type === "reasoning" ? [{ type: part.type, text: part.text }] : [],
    );
  });
  const searches = providerSearches(step).map(
    ({ query, results }): ChatPart => ({ type: "data-search", data: { query, results } }),
  );
  // With the numbers of what it cites, the answer is one text.
  const words: ChatPart[] =
    cited === undefined
      ? [...searches, ...said]
      : [...said.filter(({ type }) => type !== "text"), ...searches, { type: "text", text: cited }];
  const made = calls.map(
    ({ ref, tool, input }): CallPart => ({
      type: "dynamic-tool",
      toolCallId: ref,
      toolName: tool,
      state: "input-available",
      input,
    }),
  );
  return [{ type: "step-start" }, ...words, ...made];
}

function addResults(
  parts: ChatPart[],
  results: readonly ShownResult[],
  notes: ReadonlyMap<string, CallNote>,
): void {
  for (const { id, ref, tool, ok, text, plan } of results) {
    const at = parts.findLastIndex((part) => part.type === "dynamic-tool" && part.toolCallId === ref);
    const call = parts[at];
    if (call?.type !== "dynamic-tool") continue;
    const known = notes.get(id);
    const note = known && { toolMetadata: known as never };
    const { toolCallId, toolName, input } = call;
    const common = { type: call.type, toolCallId, toolName, input, ...note };
    const output = { text, ...delegatedBy(id, tool) } satisfies CallOutput;
    parts[at] = ok
      ? { ...common, state: "output-available", output }
      : { ...common, state: "output-error", errorText: text };
    if (plan) parts.push({ type: "data-plan", data: plan });
  }
}

function answerPart({ record, text }: HeldAnswer): CallPart {
  const { id, tool: toolName } = record;
  const common = {
    ...({ type: "dynamic-tool", toolCallId: id, toolName, input: { id } } as const),
    toolMetadata: { record } satisfies CallNote as never,
  };
  return record.ok
    ? { ...common, state: "output-available", output: { text } satisfies CallOutput }
    : { ...common, state: "output-error", errorText: text };
}

function sum(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedTokens: one.cachedTokens + other.cachedTokens,
  };
}
