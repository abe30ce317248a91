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

// Every call passes here: writing the text is several times faster than building an object for JSON.stringify.
export function spanText(span: Span): string {
  const { parentSpanId, start, end, error, events } = span;
  const parent = parentSpanId === undefined ? "" : `"parentSpanId":"${parentSpanId}",`;
  const status = error === undefined ? "" : `"code":${statusError},"message":${JSON.stringify(error)}`;
  const happened = events.length === 0 ? "" : events.map(eventText).join();
  return `{"traceId":"${span.traceId}","spanId":"${span.spanId}",${parent}"name":${JSON.stringify(span.name)},"kind":${spanKinds[span.kind]},"startTimeUnixNano":"${nanoseconds(start)}","endTimeUnixNano":"${nanoseconds(Math.max(start, end))}","attributes":[${attributesText(span.attributes)}],"events":[${happened}],"status":{${status}}}`;
}

function eventText({ at, name, attributes }: Span["events"][number]): string {
  return `{"timeUnixNano":"${nanoseconds(at)}","name":${JSON.stringify(name)},"attributes":[${attributesText(attributes)}]}`;
}

/** The keys are Wield's own and need no escapes. */
function attributesText(attributes: Attributes): string {
  let text = "";
  for (const key in attributes) {
    const value = attributes[key];
    if (value === undefined) continue;
    text += `${text === "" ? "" : ","}{"key":"${key}","value":${valueText(value)}}`;
  }
  return text;
}

function valueText(value: Attribute): string {
  return typeof value === "string"
    ? `{"stringValue":${JSON.stringify(value)}}`
    : JSON.stringify(anyValue(value));
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
