import type { CallEvent } from "../events/events.ts";
import { type CallSpan, callSpanText, errorOf, idsOf, newCallSpan, sentName } from "./call-span.ts";
import type { Meters } from "./meters.ts";
import { endSpan, newSpan, now } from "./new-span.ts";
import { type Attributes, type SpanIds, spanText } from "./otlp.ts";
import { ToolShapes } from "./tool-shapes.ts";

export interface CallSpansParts {
  content: boolean;
  /** Takes the text of a span. */
  ended(text: string): void;
  meters: Meters;
}

/** Some at a time are written faster than one by one; more would live until the garbage collector moves them. */
const mostEnded = 64;

/** Tool calls, and their waits for a person. */
export class CallSpans {
  readonly #parts: CallSpansParts;
  readonly #shapes = new ToolShapes();
  readonly #open = new Map<string, CallSpan>();
  #ended: CallSpan[] = [];

  constructor(parts: CallSpansParts) {
    this.#parts = parts;
  }

  /** The span of a call under way. */
  of(callId: string | undefined): SpanIds | undefined {
    const call = callId === undefined ? undefined : this.#open.get(callId);
    return call && idsOf(call);
  }

  begin(event: Extract<CallEvent, { type: "call-start" }>, parent: SpanIds | undefined): void {
    this.#open.set(event.callId, newCallSpan(event, parent, this.#parts.content));
  }

  end({ callId, record }: Extract<CallEvent, { type: "call-end" }>): void {
    const call = this.#open.get(callId);
    if (!call) return;
    this.#open.delete(callId);
    call.record = record;
    this.#end(call);
  }

  /** What happens between. */
  hear(event: CallEvent): void {
    const call = this.#open.get(event.callId);
    if (!call) return;
    if (event.type === "approval-ask") {
      const attributes = { "gen_ai.tool.name": call.tool };
      call.approval ??= newSpan(`approval ${call.tool}`, "internal", attributes, idsOf(call));
    } else if (event.type === "approval-answer" && call.approval) {
      const { approved, edited } = event;
      const waited = this.#endApproval(call, {
        "wield.approval.approved": approved,
        "wield.approval.edited": edited,
      });
      this.#parts.meters.record("wield.approval.wait", waited, { "gen_ai.tool.name": call.tool });
    }
  }

  /** Writes the spans of the calls that have ended, and puts them into the metrics. */
  write(): void {
    for (const call of this.#ended) {
      this.#parts.ended(callSpanText(call, this.#shapes));
      if (call.record) {
        const attributes = this.#shapes.of(sentName(call)).duration(errorOf(call.record));
        const seconds = call.record.durationMs / 1000;
        this.#parts.meters.record("gen_ai.client.operation.duration", seconds, attributes);
      }
    }
    this.#ended = [];
  }

  /** Unfinished spans are sent as they are. */
  endAll(): void {
    for (const [id, call] of this.#open) {
      this.#open.delete(id);
      this.#end(call);
    }
  }

  #end(call: CallSpan): void {
    if (call.approval) this.#endApproval(call, {});
    call.end = now();
    this.#ended.push(call);
    if (this.#ended.length === mostEnded) this.write();
  }

  /** Seconds that it took. */
  #endApproval(call: CallSpan, more: Attributes): number {
    const { approval: span } = call;
    if (!span) return 0;
    call.approval = undefined;
    const took = endSpan(span, more);
    this.#parts.ended(spanText(span));
    return took;
  }
}
