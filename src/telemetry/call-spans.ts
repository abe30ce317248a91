import type { CallEvent, CallRecord } from "../events/events.ts";
import { CallSpan, errorOf } from "./call-span.ts";
import type { Meters } from "./meters.ts";
import { endSpan, newSpan } from "./new-span.ts";
import type { Attributes, Span, SpanIds } from "./otlp.ts";
import { ToolShapes } from "./tool-shapes.ts";

export interface CallSpansParts {
  content: boolean;
  ended(span: Span): void;
  meters: Meters;
}

const mostUncounted = 512;

/** Tool calls, and their waits for a person. */
export class CallSpans {
  readonly #parts: CallSpansParts;
  readonly #shapes = new ToolShapes();
  readonly #open = new Map<string, CallSpan>();
  #uncounted: CallRecord[] = [];

  constructor(parts: CallSpansParts) {
    this.#parts = parts;
  }

  /** The span of a call under way. */
  of(callId: string | undefined): SpanIds | undefined {
    return callId === undefined ? undefined : this.#open.get(callId);
  }

  begin(event: Extract<CallEvent, { type: "call-start" }>, parent: SpanIds | undefined): void {
    this.#open.set(event.callId, new CallSpan(event, parent, this.#shapes, this.#parts.content));
  }

  hear(event: CallEvent): void {
    const call = this.#open.get(event.callId);
    if (!call) return;
    if (event.type === "call-end") {
      this.#open.delete(event.callId);
      this.#finish(call, event.record);
      this.#uncounted.push(event.record);
      if (this.#uncounted.length === mostUncounted) this.count();
    } else if (event.type === "approval-ask") {
      const attributes = { "gen_ai.tool.name": call.tool };
      call.approval ??= newSpan(`approval ${call.tool}`, "internal", attributes, call);
    } else if (event.type === "approval-answer" && call.approval) {
      const { approved, edited } = event;
      const waited = this.#endApproval(call, {
        "wield.approval.approved": approved,
        "wield.approval.edited": edited,
      });
      this.#parts.meters.record("wield.approval.wait", waited, { "gen_ai.tool.name": call.tool });
    }
  }

  /** Puts what has ended into the metrics: many calls at once take a fraction of the time. */
  count(): void {
    for (const record of this.#uncounted) {
      const attributes = this.#shapes.of(record.tool).duration(errorOf(record));
      this.#parts.meters.record("gen_ai.client.operation.duration", record.durationMs / 1000, attributes);
    }
    this.#uncounted = [];
  }

  /** Unfinished spans are sent as they are. */
  endAll(): void {
    for (const [id, call] of this.#open) {
      this.#finish(call, undefined);
      this.#open.delete(id);
    }
  }

  #finish(call: CallSpan, record: CallRecord | undefined): void {
    if (call.approval) this.#endApproval(call, {});
    call.finish(record);
    this.#parts.ended(call);
  }

  /** Seconds that it took. */
  #endApproval(call: CallSpan, more: Attributes): number {
    const { approval: span } = call;
    if (!span) return 0;
    call.approval = undefined;
    const took = endSpan(span, more);
    this.#parts.ended(span);
    return took;
  }
}
