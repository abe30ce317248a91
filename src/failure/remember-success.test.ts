import { expect, test } from "vitest";
import { rememberSuccess } from "./remember-success.ts";

test("what was opened is kept, for each key", async () => {
  let opened = 0;
  const open = rememberSuccess(async (key: string) => `${key}${++opened}`);
  expect(await Promise.all([open("a"), open("a"), open("b")])).toEqual(["a1", "a1", "b2"]);
  expect(await open("a")).toBe("a1");
});

test("callers share a failed attempt; the next caller tries again", async () => {
  let attempts = 0;
  const open = rememberSuccess(async () => {
    attempts++;
    if (attempts === 1) throw new Error("not yet");
    return attempts;
  });
  const results = await Promise.allSettled([open(), open()]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await open()).toBe(2);
  expect(await open()).toBe(2);
});
