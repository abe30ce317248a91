import { expect, test } from "vitest";
import type { PageEvent } from "../api/api.ts";
import { Feed } from "./feed.ts";

const word = (delta: string): PageEvent => ({ type: "chunk", chunk: { type: "text-delta", id: "t", delta } });

/** Takes what there is, in as many reads as it needs, until something fits. */
async function readUntil(stream: ReadableStream<Uint8Array>, end: RegExp): Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!end.test(text)) {
    const { value, done } = await reader.read();
    if (done) break;
    text += decoder.decode(value);
  }
  reader.releaseLock();
  return text;
}

test("a reader gets its session's events and what concerns everybody, in order", async () => {
  const feed = new Feed();
  const stream = feed.read("s", undefined);
  feed.add(word("one"), "s");
  feed.add(word("other"), "t");
  feed.add({ type: "sessions-change" });
  feed.add(word("two"), "s");
  const text = await readUntil(stream, /two/);
  expect([...text.matchAll(/"delta":"(\w+)"|sessions-change/g)].map(([, said]) => said ?? "all")).toEqual([
    "one",
    "all",
    "two",
  ]);
  feed.close();
});

test("a reader that comes back misses nothing and hears nothing twice", async () => {
  const feed = new Feed();
  for (let at = 0; at < 100; at++) feed.add(word(`w${at}`), "s");
  const cursor = feed.cursor;
  const before = await readUntil(feed.read("s", cursor.replace(/\.\d+$/, ".90")), /w99/);
  expect(before).not.toContain('"w89"');
  feed.add(word("w100"), "s");
  const after = await readUntil(feed.read("s", cursor), /w100/);
  expect(after).not.toContain('"w99"');
  feed.close();
});

test("who waits is woken by its own session only", async () => {
  const feed = new Feed({ heartbeatMs: 60_000 });
  const stream = feed.read("s", undefined);
  await readUntil(stream, /here/);
  const next = readUntil(stream, /mine/);
  for (let at = 0; at < 50; at++) feed.add(word("not"), "t");
  feed.add(word("mine"), "s");
  expect(await next).not.toContain('"not"');
  feed.close();
});

test("what was missed is told as such: a place before the kept part, in the future, of another process, or nonsense", async () => {
  const feed = new Feed({ events: 10 });
  for (let at = 0; at < 100; at++) feed.add(word(`w${at}`), "s");
  const { cursor } = feed;
  for (const place of [
    cursor.replace(/\.\d+$/, ".3"),
    cursor.replace(/\.\d+$/, ".101"),
    `f_other.${99}`,
    "x",
    "",
  ])
    expect(await readUntil(feed.read("s", place), /data: .*\n\n/), place).toContain('"resync"');
  feed.close();
});

test("a reader that does not read costs no memory and is resynchronised", async () => {
  const feed = new Feed({ events: 1000, bytes: 100_000 });
  const streams = Array.from({ length: 1000 }, () => feed.read("s", undefined));
  await Promise.all(streams.map((stream) => readUntil(stream, /here/)));
  const big = "x".repeat(1000);
  for (let at = 0; at < 20_000; at++) feed.add(word(`${at} ${big}`), "s");
  await new Promise(setImmediate);
  const text = await readUntil(streams[0] as ReadableStream<Uint8Array>, /resync/);
  // What was under way when the reader stopped reading, and not a word of the rest.
  expect(text.length).toBeLessThan(200_000);
  await Promise.all(streams.map((stream) => stream.cancel()));
  feed.close();
});

test("a sign of life comes when nothing else does", async () => {
  const feed = new Feed({ heartbeatMs: 1 });
  expect(await readUntil(feed.read("s", undefined), /still here/)).toContain("still here");
  feed.close();
});

test("closing ends every stream after what was still to be read", async () => {
  const feed = new Feed();
  const stream = feed.read("s", undefined);
  feed.add(word("last"), "s");
  feed.close();
  expect(await readUntil(stream, /never/)).toContain("last");
});
