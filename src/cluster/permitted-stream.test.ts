import { expect, test, vi } from "vitest";
import { Failure } from "../failure/failure.ts";
import { whilePermitted } from "./permitted-stream.ts";

test("a stream ends when its reader may no longer read, and not because of one look that fails", async () => {
  vi.useFakeTimers();
  const errors = [new Error("connection lost"), new Failure("PERMISSION_DENIED", "no longer shared")];
  let looks = 0;
  let left = false;
  const source = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from("first")),
    cancel: () => {
      left = true;
    },
  });
  const reader = whilePermitted(source, async () => {
    throw errors[looks++];
  }).getReader();
  expect(String(Buffer.from((await reader.read()).value ?? []))).toBe("first");
  const next = reader.read();
  await vi.advanceTimersByTimeAsync(2_500);
  expect([looks, left]).toEqual([1, false]);
  await vi.advanceTimersByTimeAsync(2_500);
  expect(await next).toEqual({ done: true, value: undefined });
  expect(left).toBe(true);
  vi.useRealTimers();
});

test.each([
  ["refuses connections", () => Promise.reject(new Error("connection refused"))],
  ["does not answer", () => new Promise(() => undefined)],
])("a stream ends when the database %s for several looks: who connects again is told so", async (_, look) => {
  vi.useFakeTimers();
  let left = false;
  const source = new ReadableStream<Uint8Array>({
    cancel: () => {
      left = true;
    },
  });
  const next = whilePermitted(source, look).getReader().read();
  await vi.advanceTimersByTimeAsync(6_500);
  expect(left).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await next).toEqual({ done: true, value: undefined });
  expect(left).toBe(true);
  vi.useRealTimers();
});
