/** Traces and metrics in the JSON form of OTLP: ids in hexadecimal, 64-bit numbers as text, enumerations as numbers. */
export type Attribute = string | number | boolean | readonly string[];
export type Attributes = Readonly<Record<string, Attribute | undefined>>;

export const spanKinds = { internal: 1, client: 3 } as const;

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  kind: keyof typeof spanKinds;
  /** Milliseconds since 1970, with fractions. */
  start: number;
  end: number;
  attributes: Attributes;
  events: readonly { at: number; name: string; attributes: Attributes }[];
  /** Why it failed; undefined: it did not. */
  error: string | undefined;
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

export function tracesBody(spans: readonly Span[]): string {
  return JSON.stringify({
    resourceSpans: [{ resource, scopeSpans: [{ scope, spans: spans.map(spanJson) }] }],
  });
}

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

// Every call passes here: plain literals and loops are many times faster than spread ones and chains.
function spanJson(span: Span) {
  const { start, end, error, events } = span;
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    // Left out of the JSON where there is none.
    parentSpanId: span.parentSpanId,
    name: span.name,
    kind: spanKinds[span.kind],
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(Math.max(start, end)),
    attributes: keyValues(span.attributes),
    events: events.map((event) => ({
      timeUnixNano: nanoseconds(event.at),
      name: event.name,
      attributes: keyValues(event.attributes),
    })),
    status: error === undefined ? {} : { code: statusError, message: error },
  };
}

function keyValues(attributes: Attributes): { key: string; value: object }[] {
  const found: { key: string; value: object }[] = [];
  for (const key in attributes) {
    const value = attributes[key];
    if (value !== undefined) found.push({ key, value: anyValue(value) });
  }
  return found;
}

function anyValue(value: Attribute): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } };
}

function nanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds * 1000)}000`;
}
