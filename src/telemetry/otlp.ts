/** Traces and metrics in the JSON form of OTLP: ids in hexadecimal, 64-bit numbers as text, enumerations as numbers. */
export type Attribute = string | number | boolean | readonly string[];
export type Attributes = Readonly<Record<string, Attribute | undefined>>;

const spanKinds = { internal: 1, client: 3 } as const;
export type SpanKind = keyof typeof spanKinds;

/** What the spans below it need to know. */
export interface SpanIds {
  readonly traceId: string;
  readonly spanId: string;
}

export interface Span extends SpanIds {
  readonly parentSpanId: string | undefined;
  /** Its name and kind, as text: see `spanHead`. */
  readonly head: string;
  /** Milliseconds since 1970, with fractions. */
  readonly start: number;
  readonly end: number;
  /** As text: see `attributesText`. */
  readonly attributes: string;
  readonly events: readonly SpanEvent[] | undefined;
  /** Why it failed; undefined: it did not. */
  readonly error: string | undefined;
}

/** Completed where it ends. */
export type OpenSpan = { -readonly [key in keyof Span]: Span[key] };

interface SpanEvent {
  at: number;
  name: string;
  attributes: Attributes;
}

export interface Histogram {
  name: string;
  description: string;
  unit: string;
  bounds: readonly number[];
  points: readonly {
    attributes: Attributes;
    counts: readonly number[];
    sum: number;
    min: number;
    max: number;
  }[];
}

const resource = {
  attributes: keyValues({ "service.name": "wield", "service.version": process.env["WIELD_VERSION"] ?? "0" }),
};
const scope = { name: "wield", version: process.env["WIELD_VERSION"] ?? "0" };

/** What is before and after the spans of a request; the spans are separated by commas. */
export const tracesFrame = JSON.stringify({
  resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [] }] }],
}).split(/(?<=\[)(?=\]\}\]\}\]\}$)/) as [string, string];

/** Each request carries what happened since the one before. */
export function metricsBody(histograms: readonly Histogram[], start: number, end: number): string {
  const metrics = histograms.map(({ name, description, unit, bounds, points }) => ({
    ...{ name, description, unit },
    histogram: {
      aggregationTemporality: deltaTemporality,
      dataPoints: points.map(({ attributes, counts, sum, min, max }) => ({
        attributes: keyValues(attributes),
        startTimeUnixNano: nanoseconds(start),
        timeUnixNano: nanoseconds(end),
        count: String(counts.reduce((total, count) => total + count, 0)),
        ...{ sum, min, max },
        bucketCounts: counts.map(String),
        explicitBounds: bounds,
      })),
    },
  }));
  return JSON.stringify({ resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] });
}

const deltaTemporality = 1;
const statusError = 2;

export function spanHead(name: string, kind: SpanKind): string {
  return `"name":${JSON.stringify(name)},"kind":${spanKinds[kind]}`;
}

export function spanText(span: Span): string {
  const { head, parentSpanId, start, end, attributes, error, events } = span;
  const parent = parentSpanId === undefined ? "" : `"parentSpanId":"${parentSpanId}",`;
  const happened = events === undefined ? "" : `,"events":[${events.map(eventText).join()}]`;
  return `{"traceId":"${span.traceId}","spanId":"${span.spanId}",${parent}${head},"startTimeUnixNano":"${nanoseconds(start)}","endTimeUnixNano":"${nanoseconds(Math.max(start, end))}","attributes":[${attributes}]${happened}${statusText(error)}}`;
}

/** A field of a span that failed. */
export function statusText(error: string | undefined): string {
  return error === undefined ? "" : `,"status":{"code":${statusError},"message":${JSON.stringify(error)}}`;
}

function eventText({ at, name, attributes }: SpanEvent): string {
  return `{"timeUnixNano":"${nanoseconds(at)}","name":${JSON.stringify(name)},"attributes":[${attributesText(attributes)}]}`;
}

/** After those that are text already. The keys are Wield's own and need no escapes. */
export function attributesText(attributes: Attributes, before = ""): string {
  let text = before;
  for (const key in attributes) {
    const value = attributes[key];
    if (value !== undefined) text += `${text === "" ? "" : ","}${attributeText(key, value)}`;
  }
  return text;
}

export function attributeText(key: string, value: Attribute): string {
  return `{"key":"${key}","value":${valueText(value)}}`;
}

function valueText(value: Attribute): string {
  if (typeof value === "string") return `{"stringValue":${JSON.stringify(value)}}`;
  if (typeof value === "boolean") return `{"boolValue":${value}}`;
  if (typeof value === "number")
    return Number.isInteger(value) ? `{"intValue":"${value}"}` : `{"doubleValue":${JSON.stringify(value)}}`;
  return `{"arrayValue":{"values":[${value.map(valueText).join()}]}}`;
}

/** The same as an object, for what is sent seldom. */
function keyValues(attributes: Attributes): object[] {
  return JSON.parse(`[${attributesText(attributes)}]`);
}

let second = 0;
let secondText = "0";

/** Every call passes here: large numbers take long to become text, and most moments are in the same second as the one before. */
export function nanoseconds(milliseconds: number): string {
  const microseconds = Math.round(milliseconds * 1000);
  const whole = Math.floor(microseconds / 1_000_000);
  if (whole !== second) {
    second = whole;
    secondText = String(whole);
  }
  const sixDigits = String(1_000_000 + microseconds - whole * 1_000_000).slice(1);
  return `${secondText}${sixDigits}000`;
}
