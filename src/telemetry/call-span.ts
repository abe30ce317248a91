import type { CallEvent, CallRecord } from "../events/events.ts";
import { newId, now } from "./new-span.ts";
import { attributeText, nanoseconds, type OpenSpan, type SpanIds, statusText } from "./otlp.ts";
import type { ToolShapes } from "./tool-shapes.ts";

export const shownCharacters = 8_000;

/** The span of one call. Every call makes one, so whatever can wait is made when it is written, with others. */
export interface CallSpan {
  readonly tool: string;
  readonly session: string;
  readonly callId: string;
  readonly parent: SpanIds | undefined;
  /** Undefined unless the person allowed content: inputs can be large. */
  readonly input: string | undefined;
  readonly start: number;
  end: number;
  /** Undefined: it did not finish. */
  record: CallRecord | undefined;
  /** The wait for a person. */
  approval: OpenSpan | undefined;
  /** Undefined while no other span needs to know them. */
  ids: SpanIds | undefined;
}

export function newCallSpan(
  { callId, session, ref, tool, input }: Extract<CallEvent, { type: "call-start" }>,
  parent: SpanIds | undefined,
  content: boolean,
): CallSpan {
  return {
    tool,
    session,
    callId: ref ?? callId,
    parent,
    input: content ? JSON.stringify(input ?? null).slice(0, shownCharacters) : undefined,
    start: now(),
    end: 0,
    record: undefined,
    approval: undefined,
    ids: undefined,
  };
}

export function idsOf(call: CallSpan): SpanIds {
  call.ids ??= { traceId: call.parent?.traceId ?? newId(16), spanId: newId(8) };
  return call.ids;
}

export function callSpanText(call: CallSpan, shapes: ToolShapes): string {
  const { parent, ids, start, end, record } = call;
  const beginning = shapes.of(sentName(call)).beginning(call.session, record?.approval);
  const size = record ? `,{"key":"wield.result.bytes","value":{"intValue":"${record.bytes}"}}` : "";
  const rest = record?.ok && call.input === undefined ? "]" : unusualText(call);
  const traceId = ids?.traceId ?? parent?.traceId ?? newId(16);
  const spanId = ids?.spanId ?? newId(8);
  const below = parent ? `","parentSpanId":"${parent.spanId}` : "";
  return `${beginning}${JSON.stringify(call.callId)}}}${size}${rest},"startTimeUnixNano":"${nanoseconds(start)}","endTimeUnixNano":"${nanoseconds(end)}","traceId":"${traceId}","spanId":"${spanId}${below}"}`;
}

/** What a model calls that is no tool is its own text, which may be anything that it read. */
export function sentName({ tool, record }: CallSpan): string {
  return record?.errorCode === "UNKNOWN_TOOL" ? "unknown" : tool;
}

/** The end of the attributes, and the status. */
function unusualText({ input, record }: CallSpan): string {
  const error = record ? errorOf(record) : "unfinished";
  const failed = record && error !== undefined ? `,${attributeText("error.type", error)}` : "";
  const given = input === undefined ? "" : `,${attributeText("gen_ai.tool.call.arguments", input)}`;
  return `${failed}${given}]${statusText(error)}`;
}

export function errorOf({ ok, errorCode }: CallRecord): string | undefined {
  return ok ? undefined : (errorCode ?? "error");
}
