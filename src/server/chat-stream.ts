import type { CallNote, CallOutput, ChatChunk, ChatMessage } from "../api/chat.ts";
import type { WieldEvent } from "../events/events.ts";
import { noticeForPerson } from "../text/notice.ts";
import { chunksOf, delegatedBy } from "./chat-log.ts";

/**
 * One run as the AI SDK's stream of one message. It keeps all chunks, so a late reader gets everything from the beginning,
 * with the deltas of one text merged.
 */
export class ChatStream {
  readonly course: ChatChunk[] = [];
  readonly #tell: (chunk: ChatChunk) => void;
  /** The text part that is being streamed. */
  #open: { kind: "text" | "reasoning"; id: string } | undefined;
  #texts = 0;
  /** The ids that the model gave its calls, by call id: the message uses the model's. */
  readonly #refs = new Map<string, string>();
  readonly #tools = new Map<string, string>();
  /** Calls in the message: a chunk about any other would break the stream. */
  readonly #shown = new Set<string>();
  readonly #asked = new Set<string>();

  constructor(begun: ChatMessage, tell: (chunk: ChatChunk) => void) {
    this.#tell = tell;
    for (const chunk of [{ type: "start", messageId: begun.id } as const, ...chunksOf(begun)])
      this.#add(chunk);
  }

  take(event: WieldEvent): void {
    for (const chunk of this.#chunksFor(event)) this.#add(chunk);
  }

  /** The run continues in another message. */
  end(): void {
    for (const chunk of [...this.#closed(), { type: "finish" } as const]) this.#add(chunk);
  }

  #chunksFor(event: WieldEvent): ChatChunk[] {
    switch (event.type) {
      case "step-start":
        return [...this.#closed(), { type: "start-step" }];
      case "text-delta":
        return this.#said("text", event.text);
      case "reasoning-delta":
        return this.#said("reasoning", event.text);
      case "input-start": {
        const { ref: toolCallId, tool: toolName } = event;
        // As text: parsing the input again for each delta would take quadratic time.
        const how = { dynamic: true, inputEncoding: "text" } as const;
        return [...this.#closed(), { type: "tool-input-start", toolCallId, toolName, ...how }];
      }
      case "input-delta":
        return [{ type: "tool-input-delta", toolCallId: event.ref, inputTextDelta: event.delta }];
      case "model-retry":
        this.#open = undefined;
        return [{ type: "reset-step" }, { type: "data-retry", id: "retry", data: event.reason }];
      case "step-end":
        return [...this.#closed(), { type: "finish-step" }];
      case "notice-add":
        return [...this.#closed(), { type: "data-notice", data: noticeForPerson(event.text) }];
      case "search-add": {
        const { query, results } = event;
        return [...this.#closed(), { type: "data-search", data: { query, results } }];
      }
      case "run-end": {
        const { type: _, session: __, ...messageMetadata } = event;
        const finishReason = event.stop === "error" ? "error" : "stop";
        return [...this.#closed(), { type: "finish", finishReason, messageMetadata }];
      }
      default:
        return this.#chunksForCall(event);
    }
  }

  #chunksForCall(event: WieldEvent): ChatChunk[] {
    if (event.type === "call-start") {
      const { callId, ref: toolCallId = callId, tool: toolName, input, at: startedAt } = event;
      this.#refs.set(callId, toolCallId);
      this.#tools.set(callId, toolName);
      const toolMetadata = { startedAt };
      const called = {
        type: "tool-input-available",
        toolCallId,
        toolName,
        input,
        dynamic: true,
        toolMetadata,
      } as const;
      return [...this.#closed(), called];
    }
    if (event.type === "call-result") this.#refs.set(event.callId, event.ref);
    const toolCallId = "callId" in event ? this.#refs.get(event.callId) : undefined;
    if (toolCallId === undefined || !this.#shown.has(toolCallId)) return [];
    const output = (given: CallOutput) =>
      ({ type: "tool-output-available", toolCallId, output: given }) as const;
    switch (event.type) {
      case "call-progress":
        return [
          {
            ...output({
              text: "",
              progress: event.message,
              ...(event.output !== undefined && { output: event.output }),
              ...delegatedBy(event.callId, this.#tools.get(event.callId)),
            }),
            preliminary: true,
          },
        ];
      case "approval-ask":
        this.#asked.add(event.callId);
        return [
          { type: "tool-approval-request", approvalId: event.callId, toolCallId, reason: event.reason },
        ];
      case "approval-answer": {
        const { callId: approvalId, approved, reason } = event;
        const why = reason === undefined ? {} : { reason };
        return this.#asked.has(approvalId)
          ? [{ type: "tool-approval-response", approvalId, approved, ...why }]
          : [];
      }
      case "call-end": {
        const { record, error, files } = event;
        const note = { toolMetadata: { record, ...(files && { files }) } satisfies CallNote as never };
        if (record.ok) return [{ ...output({ text: "" }), ...note }];
        return [{ type: "tool-output-error", toolCallId, errorText: error?.message ?? "", ...note }];
      }
      case "call-result": {
        const { tool, ok, text, plan } = event;
        if (!ok) return [{ type: "tool-output-error", toolCallId, errorText: text }];
        return [
          output({ text, ...delegatedBy(event.callId, tool) }),
          ...(plan ? [{ type: "data-plan" as const, id: "plan", data: plan }] : []),
        ];
      }
      default:
        return [];
    }
  }

  #said(kind: "text" | "reasoning", delta: string): ChatChunk[] {
    if (this.#open?.kind === kind) return [{ type: `${kind}-delta`, id: this.#open.id, delta }];
    const ended = this.#closed();
    const id = `t${this.#texts++}`;
    this.#open = { kind, id };
    return [...ended, { type: `${kind}-start`, id }, { type: `${kind}-delta`, id, delta }];
  }

  #closed(): ChatChunk[] {
    if (!this.#open) return [];
    const { kind, id } = this.#open;
    this.#open = undefined;
    return [{ type: `${kind}-end`, id }];
  }

  #add(chunk: ChatChunk): void {
    if (chunk.type === "tool-input-available" || chunk.type === "tool-input-start")
      this.#shown.add(chunk.toolCallId);
    const last = this.course.at(-1);
    const joined = last && join(last, chunk);
    if (joined) this.course[this.course.length - 1] = joined;
    else this.course.push(chunk);
    this.#tell(chunk);
  }
}

/** Merges deltas of the same text or input. */
function join(one: ChatChunk, next: ChatChunk): ChatChunk | undefined {
  if (one.type === "tool-input-delta" && next.type === one.type && next.toolCallId === one.toolCallId)
    return { ...one, inputTextDelta: one.inputTextDelta + next.inputTextDelta };
  if (one.type !== "text-delta" && one.type !== "reasoning-delta") return undefined;
  return next.type === one.type && next.id === one.id ? { ...one, delta: one.delta + next.delta } : undefined;
}
