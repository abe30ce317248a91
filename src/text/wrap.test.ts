import { expect, test } from "vitest";
import { wrap } from "./wrap.ts";

test("breaks at spaces, and goes on under the text above", () => {
  expect(wrap("one two three four", 9)).toBe("one two\nthree\nfour");
  expect(wrap("  -y, --yes  Approve what is asked", 22)).toBe("  -y, --yes  Approve\n  what is asked");
  expect(wrap("  -y, --yes  Approve what is asked", 28)).toBe(
    "  -y, --yes  Approve what is\n             asked",
  );
  expect(wrap("  a\n  b c d", 5)).toBe("  a\n  b c\n  d");
});

test("a word without an end is left whole", () => {
  expect(wrap("see https://example.com/a/long/path now", 12)).toBe(
    "see\nhttps://example.com/a/long/path\nnow",
  );
  expect(wrap("short", Number.POSITIVE_INFINITY)).toBe("short");
});
