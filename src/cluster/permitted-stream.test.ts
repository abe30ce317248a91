import { expect, test, vi } from "vitest";
import { Failure } from "../failure/failure.ts";
import { whilePermitted } from "./permitted-stream.ts";

test("a stream ends when its reader may no longer read, and not because the database is away", async () => {
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
