import { applyPatch } from "diff";
import { expect, test } from "vitest";
import fc from "../testing/properties.ts";
import { diffBytes } from "./diff.ts";

test("a diff names both sides, and no file as /dev/null", () => {
  expect(diffBytes("a.txt", Buffer.from("1\n2\n"), Buffer.from("1\n3\n"))).toBe(
    "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n 1\n-2\n+3\n",
  );
  expect(diffBytes("a.txt", null, Buffer.from("1\n"))).toContain("--- /dev/null\n+++ b/a.txt\n");
  expect(diffBytes("b.txt", Buffer.from("1\n"), Buffer.from("2\n"), { from: "a.txt" })).toContain(
    "--- a/a.txt\n+++ b/b.txt\n",
  );
});

test("equal, binary and very different contents have none", () => {
  expect(diffBytes("a", Buffer.from("1"), Buffer.from("1"))).toBe("");
  expect(diffBytes("a", Buffer.from([0, 1]), Buffer.from("1"))).toBe("");
  const lines = (word: string) =>
    Buffer.from(Array.from({ length: 60_000 }, (_, i) => `${word}${i}\n`).join(""));
  expect(diffBytes("a", lines("x"), lines("y"))).toBe("");
});

test("a diff leads from one side to the other", () => {
  const text = fc
    .array(fc.constantFrom("a\n", "b\n", "c\r\n", "\n", "no end"), { maxLength: 30 })
    .map((lines) => lines.join(""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      const diff = diffBytes("f", Buffer.from(before), Buffer.from(after));
      expect(applyPatch(before, diff, { autoConvertLineEndings: false })).toBe(after);
    }),
  );
});
