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

function spanJson({
  traceId,
  spanId,
  parentSpanId,
  name,
  kind,
  start,
  end,
  attributes,
  events,
  error,
}: Span) {
  return {
    ...{ traceId, spanId, name, kind: spanKinds[kind] },
    ...(parentSpanId !== undefined && { parentSpanId }),
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(Math.max(start, end)),
    attributes: keyValues(attributes),
    events: events.map((event) => ({
      timeUnixNano: nanoseconds(event.at),
      name: event.name,
      attributes: keyValues(event.attributes),
    })),
    status: error === undefined ? {} : { code: statusError, message: error },
  };
}

function keyValues(attributes: Attributes): { key: string; value: object }[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
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
