import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

/** Strict shapes of OTLP/JSON: unknown fields, wrong ids and numbers that are not text are refused with status 400. */
const hex = (length: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-f]{${length}}$`))
    .refine((id) => !/^0+$/.test(id));
const uint64 = z.string().regex(/^\d{1,20}$/);
const scalar = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
]);
const value = z.union([scalar, z.strictObject({ arrayValue: z.strictObject({ values: z.array(scalar) }) })]);
const attributes = z
  .array(z.strictObject({ key: z.string().min(1), value }))
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, "a key twice");
const resource = z.strictObject({ attributes });
const scope = z.strictObject({ name: z.string().min(1), version: z.string() });
const span = z
  .strictObject({
    traceId: hex(32),
    spanId: hex(16),
    parentSpanId: hex(16).optional(),
    name: z.string().min(1),
    kind: z.union([z.literal(1), z.literal(3)]),
    startTimeUnixNano: uint64,
    endTimeUnixNano: uint64,
    attributes,
    events: z
      .array(z.strictObject({ timeUnixNano: uint64, name: z.string().min(1), attributes }))
      .default([]),
    status: z.strictObject({ code: z.literal(2).optional(), message: z.string().optional() }).default({}),
  })
  .refine(
    ({ startTimeUnixNano: from, endTimeUnixNano: to }) => BigInt(from) <= BigInt(to),
    "ends before it starts",
  );
const traces = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({ resource, scopeSpans: z.array(z.strictObject({ scope, spans: z.array(span).min(1) })) }),
  ),
});
const point = z
  .strictObject({
    attributes,
    startTimeUnixNano: uint64,
    timeUnixNano: uint64,
    count: uint64,
    sum: z.number(),
    min: z.number(),
    max: z.number(),
    bucketCounts: z.array(uint64),
    explicitBounds: z.array(z.number()),
  })
  .refine(({ bucketCounts, explicitBounds }) => bucketCounts.length === explicitBounds.length + 1, "buckets")
  .refine(
    ({ bucketCounts, count }) => bucketCounts.reduce((all, one) => all + Number(one), 0) === Number(count),
    "count",
  );
const metrics = z.strictObject({
  resourceMetrics: z.array(
    z.strictObject({
      resource,
      scopeMetrics: z.array(
        z.strictObject({
          scope,
          metrics: z.array(
            z.strictObject({
              name: z.string(),
              description: z.string(),
              unit: z.string(),
              histogram: z.strictObject({
                aggregationTemporality: z.literal(1),
                dataPoints: z.array(point).min(1),
              }),
            }),
          ),
        }),
      ),
    }),
  ),
});

export type ReceivedSpan = z.output<typeof span>;
export type ReceivedMetric = z.output<typeof metrics>["resourceMetrics"][0]["scopeMetrics"][0]["metrics"][0];

export interface Receiver {
  url: string;
  spans: ReceivedSpan[];
  metrics: ReceivedMetric[];
  /** What was refused, and why. */
  refused: string[];
  headers: IncomingMessage["headers"][];
  /** All bodies as they came. */
  text(): string;
  /** Ends the connections that clients keep. */
  hangUp(): void;
  close(): void;
}

/** A collector on this machine that takes nothing but valid OTLP over HTTP. */
export async function otlpReceiver(): Promise<Receiver> {
  const received: Pick<Receiver, "spans" | "metrics" | "refused" | "headers"> = {
    ...{ spans: [], metrics: [], refused: [], headers: [] },
  };
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    received.headers.push(request.headers);
    const schema = { "/v1/traces": traces, "/v1/metrics": metrics }[request.url ?? ""];
    const isJson = request.method === "POST" && request.headers["content-type"] === "application/json";
    const parsed = isJson ? schema?.safeParse(JSON.parse(body)) : undefined;
    if (!parsed?.success) {
      received.refused.push(`${request.method} ${request.url}: ${parsed?.error.message ?? "not known here"}`);
      response.writeHead(400).end();
      return;
    }
    if ("resourceSpans" in parsed.data)
      received.spans.push(...parsed.data.resourceSpans.flatMap((r) => r.scopeSpans.flatMap((s) => s.spans)));
    else
      received.metrics.push(
        ...parsed.data.resourceMetrics.flatMap((r) => r.scopeMetrics.flatMap((s) => s.metrics)),
      );
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    ...received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    text: () => bodies.join("\n"),
    hangUp: () => server.closeAllConnections(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export function attributesOf(found: ReceivedSpan): Record<string, unknown> {
  return Object.fromEntries(found.attributes.map(({ key, value: given }) => [key, Object.values(given)[0]]));
}
