import type { CallRecord, Usage, WieldEvent } from "../../../src/events/api.ts";

export type Item =
  | { kind: "said"; key: string; text: string }
  | { kind: "words"; key: string; text: string; reasoning: string }
  | CallItem
  | { kind: "notice"; key: string; text: string }
  | {
      kind: "ending";
      key: string;
      stop: string;
      message: string;
      steps: number;
      usage: Usage;
      costUsd: number | undefined;
    };

export interface CallItem {
  kind: "call";
  key: string;
  callId: string;
  ref: string;
  tool: string;
  input: unknown;
  /** As it comes from the model, before it is whole. */
  typed: string;
  state: "typing" | "running" | "asking" | "ok" | "failed";
  progress: string;
  text: string;
  record: CallRecord | undefined;
}

/** A session as it is shown: the fold of its events, old and new alike. */
export interface Transcript {
  items: readonly Item[];
  running: boolean;
  model: string;
  /** Where the present step began: a step that the model breaks off is taken back to here. */
  stepFrom: number;
  /** What the agent is at, when nothing else shows it. */
  waiting: string;
}

export const emptyTranscript: Transcript = { items: [], running: false, model: "", stepFrom: 0, waiting: "" };

export function fold(before: Transcript, event: WieldEvent): Transcript {
  const { items } = before;
  const key = `${items.length}`;
  const add = (item: Item): Transcript => ({ ...before, items: [...items, item], waiting: "" });
  const last = items.at(-1);
  switch (event.type) {
    case "message-add":
      return { ...add({ kind: "said", key, text: event.text }), running: true, waiting: "Thinking" };
    case "run-start":
      return { ...before, running: true, model: event.model };
    case "step-start":
      return { ...before, running: true, stepFrom: items.length, waiting: "Thinking" };
    case "text-delta":
      if (last?.kind === "words" && items.length > before.stepFrom)
        return replaceLast(before, { ...last, text: last.text + event.text });
      return add({ kind: "words", key, text: event.text, reasoning: "" });
    case "reasoning-delta":
      if (last?.kind === "words" && items.length > before.stepFrom)
        return replaceLast(before, { ...last, reasoning: last.reasoning + event.text });
      return add({ kind: "words", key, text: "", reasoning: event.text });
    case "input-start":
      return add({ ...newCall(key, event.ref, event.tool), state: "typing" });
    case "input-delta":
      return change(
        before,
        ({ ref }) => ref === event.ref,
        (call) => ({ ...call, typed: call.typed + event.delta }),
      );
    case "model-retry":
      return { ...before, items: items.slice(0, before.stepFrom), waiting: `${event.reason}. Trying again` };
    case "call-start": {
      const started = { callId: event.callId, input: event.input, state: "running" as const };
      const typed = items.some(
        (item) => item.kind === "call" && item.ref === event.ref && item.state === "typing",
      );
      if (typed)
        return change(
          before,
          ({ ref }) => ref === event.ref,
          (call) => ({ ...call, ...started }),
        );
      return add({ ...newCall(key, event.ref ?? event.callId, event.tool), ...started });
    }
    case "call-progress":
      return change(before, byId(event.callId), (call) => ({ ...call, progress: event.message }));
    case "approval-ask":
      return change(before, byId(event.callId), (call) => ({ ...call, state: "asking" }));
    case "approval-answer":
      return change(before, byId(event.callId), (call) => ({ ...call, state: "running" }));
    case "call-end":
      return change(before, byId(event.callId), (call) => ({
        ...call,
        state: event.record.ok ? "ok" : "failed",
        record: event.record,
        text: call.text || (event.error?.message ?? ""),
      }));
    case "call-result":
      return change(before, byId(event.callId), (call) => ({
        ...call,
        state: event.ok ? "ok" : "failed",
        text: event.text,
      }));
    case "notice-add":
      return add({ kind: "notice", key, text: event.text });
    case "run-end": {
      const { stop, message = "", steps, usage, costUsd } = event;
      const ended = add({ kind: "ending", key, stop, message, steps, usage, costUsd });
      return { ...ended, running: false, items: ended.items.map(settled) };
    }
    default:
      return before;
  }
}

function newCall(key: string, ref: string, tool: string): CallItem {
  return {
    kind: "call",
    key,
    callId: "",
    ref,
    tool,
    input: undefined,
    typed: "",
    state: "running",
    progress: "",
    text: "",
    record: undefined,
  };
}

const byId = (callId: string) => (call: CallItem) => call.callId === callId;

function change(
  before: Transcript,
  fits: (call: CallItem) => boolean,
  to: (call: CallItem) => CallItem,
): Transcript {
  const at = before.items.findLastIndex((item) => item.kind === "call" && fits(item));
  const found = before.items[at];
  if (found?.kind !== "call") return before;
  return { ...before, items: before.items.with(at, to(found)) };
}

function replaceLast(before: Transcript, item: Item): Transcript {
  return { ...before, items: before.items.with(-1, item), waiting: "" };
}

/** A call that a stop left open did not end by itself. */
function settled(item: Item): Item {
  if (item.kind !== "call" || item.state === "ok" || item.state === "failed") return item;
  return { ...item, state: "failed", text: item.text || "Stopped." };
}

export interface Plan {
  title: string;
  steps: { mark: string; text: string }[];
}

/** The plan as the last call that touched it left it. */
export function planIn(items: readonly Item[]): Plan | undefined {
  const call = items.findLast(
    (item) => item.kind === "call" && item.state === "ok" && /^(create|update|read)Plan$/.test(item.tool),
  );
  if (call?.kind !== "call") return undefined;
  const [title = "", ...lines] = call.text.split("\n");
  const steps = lines.flatMap((line) => {
    const [, mark, text] = /^\[(.)\] (?:\w+\. )?(.+)$/.exec(line) ?? [];
    return mark !== undefined && text !== undefined ? [{ mark, text }] : [];
  });
  return steps.length > 0 ? { title: title.replace(/: \d+ of \d+ done$/, ""), steps } : undefined;
}
