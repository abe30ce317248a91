import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { Exporter } from "./exporter.ts";
import { attributesText, type Span, spanHead, spanText } from "./otlp.ts";
import { attributesOf, otlpReceiver, type Receiver } from "./receiver.suite.ts";

const span = (more: Partial<Span> = {}, name = "execute_tool read_file"): string =>
  spanText({
    traceId: "0123456789abcdef0123456789abcdef",
    spanId: "0123456789abcdef",
    parentSpanId: undefined,
    head: spanHead(name, "internal"),
    start: 1_700_000_000_000.25,
    end: 1_700_000_000_001.5,
    attributes: "",
    events: undefined,
    error: undefined,
    ...more,
  });
const exporterTo = (endpoint: string) =>
  new Exporter({ endpoint, headers: {} }, { writeSpans: () => {}, takeMetrics: () => [] });

let receiver: Receiver | undefined;
let server: Server | undefined;
afterEach(() => {
  receiver?.close();
  server?.closeAllConnections();
  server?.close();
});

/** A collector whose answers the test gives. */
async function silentCollector(): Promise<{ url: string; waiting: ServerResponse[]; requests(): number }> {
  const waiting: ServerResponse[] = [];
  let requests = 0;
  server = createServer((request, response) => {
    requests++;
    request.resume().on("end", () => waiting.push(response));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, waiting, requests: () => requests };
}

describe("the exporter", () => {
  test("every kind of value, and text that JSON must escape, arrives as it was", async () => {
    receiver = await otlpReceiver();
    const exporter = exporterTo(receiver.url);
    const text = 'a "quoted" \\ line\n\u0001\u2028 ü 漢 😀 \ud800';
    const values = { text, whole: 7, half: 0.5, yes: true, list: ["a", text], none: undefined };
    const events = [{ at: 1_700_000_000_000.5, name: text, attributes: { text } }];
    const attributes = attributesText(values, attributesText({ shared: text }));
    exporter.add(span({ attributes, events, error: text, parentSpanId: "fedcba9876543210" }, text));
    exporter.add(span({ start: 1_699_999_999_999.9, end: 1_700_000_000_000 }));
    await exporter.close();
    expect(receiver.refused).toEqual([]);
    const [full, plain] = receiver.spans;
    expect(full).toMatchObject({
      name: text,
      kind: 1,
      parentSpanId: "fedcba9876543210",
      startTimeUnixNano: "1700000000000250000",
      endTimeUnixNano: "1700000000001500000",
      status: { code: 2, message: text },
      events: [{ timeUnixNano: "1700000000000500000", name: text }],
    });
    const list = { values: [{ stringValue: "a" }, { stringValue: text }] };
    expect(attributesOf(full as never)).toEqual({
      shared: text,
      text,
      whole: "7",
      half: 0.5,
      yes: true,
      list,
    });
    expect(plain).toMatchObject({
      startTimeUnixNano: "1699999999999900000",
      endTimeUnixNano: "1700000000000000000",
      attributes: [],
      events: [],
      status: {},
    });
    expect(plain).not.toHaveProperty("parentSpanId");
  });

  test("spans of any size are sent whole, in as many requests as they need", async () => {
    receiver = await otlpReceiver();
    const exporter = exporterTo(receiver.url);
    for (let at = 0; at < 120; at++)
      exporter.add(span({ attributes: attributesText({ text: "漢".repeat(8_000) }) }, `${at}`));
    await exporter.close();
    expect(receiver.refused).toEqual([]);
    expect(receiver.spans.map(({ name }) => name)).toEqual(Array.from({ length: 120 }, (_, at) => `${at}`));
    expect(receiver.headers.length).toBeGreaterThan(1);
  });

  test("while a collector does not answer, a bounded number of spans waits; the rest is dropped and reported", async () => {
    const { url, waiting } = await silentCollector();
    const exporter = exporterTo(url);
    for (let at = 0; at < 5 * 2048; at++) exporter.add(span());
    const sent = exporter.flush();
    const answering = setInterval(() => waiting.splice(0).map((response) => response.end("{}")), 1);
    await sent;
    clearInterval(answering);
    expect(exporter.problem).toBe(`Telemetry was too much for ${url}. 4096 spans were dropped.`);
    await exporter.close();
  });

  test("a collector that never answers does not keep the process", async () => {
    const { url, requests } = await silentCollector();
    const exporter = exporterTo(url);
    for (let at = 0; at < 3 * 2048; at++) exporter.add(span());
    await expect.poll(requests).toBe(1);
    await exporter.close(1);
    expect(exporter.problem).toContain(`Telemetry could not be sent to ${url}`);
    expect(requests()).toBe(1);
  });

  test("a connection that the collector closed is opened again, and nothing is lost", async () => {
    receiver = await otlpReceiver();
    const exporter = exporterTo(receiver.url);
    for (let at = 0; at < 3; at++) {
      exporter.add(span({}, `${at}`));
      await exporter.flush();
      receiver.hangUp();
    }
    await exporter.close();
    expect(exporter.problem).toBeUndefined();
    expect(receiver.spans.map(({ name }) => name)).toEqual(["0", "1", "2"]);
  });
});
