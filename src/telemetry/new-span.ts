import { randomBytes } from "node:crypto";
import {
  type Attributes,
  attributesText,
  type OpenSpan,
  type SpanIds,
  type SpanKind,
  spanHead,
} from "./otlp.ts";

/** A span that begins now. */
export function newSpan(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  parent: SpanIds | undefined,
): OpenSpan {
  return {
    traceId: parent?.traceId ?? newId(16),
    spanId: newId(8),
    parentSpanId: parent?.spanId,
    head: spanHead(name, kind),
    start: now(),
    end: 0,
    attributes: attributesText(attributes),
    events: undefined,
    error: undefined,
  };
}

/** Seconds that it took. */
export function endSpan(span: OpenSpan, more: Attributes, error?: string): number {
  span.end = now();
  span.attributes = attributesText(more, span.attributes);
  span.error = error;
  return (span.end - span.start) / 1000;
}

const { timeOrigin } = performance;

/** Milliseconds since 1970, with fractions. */
export function now(): number {
  return timeOrigin + performance.now();
}

/** Random digits are made many at a time: a call into the system for each id would be felt. */
let pool = "";
let used = 0;

export function newId(bytes: number): string {
  const digits = bytes * 2;
  if (used + digits > pool.length) {
    pool = randomBytes(4096).toString("hex");
    used = 0;
  }
  used += digits;
  return pool.slice(used - digits, used);
}
