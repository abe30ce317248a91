import { applyPatch } from "diff";
import { expect, test } from "vitest";
import fc from "../testing/properties.ts";
import { diffBytes, diffTexts } from "./diff.ts";

test("a diff names both sides, and no file as /dev/null", async () => {
  expect(await diffBytes("a.txt", Buffer.from("1\n2\n"), Buffer.from("1\n3\n"))).toBe(
    "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n 1\n-2\n+3\n",
  );
  expect(await diffBytes("a.txt", null, Buffer.from("1\n"))).toContain("--- /dev/null\n+++ b/a.txt\n");
  expect(await diffBytes("b.txt", Buffer.from("1\n"), Buffer.from("2\n"), { from: "a.txt" })).toContain(
    "--- a/a.txt\n+++ b/b.txt\n",
  );
});

test("equal, binary and very different contents have none", async () => {
  expect(await diffBytes("a", Buffer.from("1"), Buffer.from("1"))).toBe("");
  expect(await diffBytes("a", Buffer.from([0, 1]), Buffer.from("1"))).toBe("");
  const lines = (word: string) =>
    Buffer.from(Array.from({ length: 60_000 }, (_, i) => `${word}${i}\n`).join(""));
  expect(await diffBytes("a", lines("x"), lines("y"))).toBe("");
});

test("a diff leads from one side to the other", async () => {
  const text = fc
    .array(fc.constantFrom("a\n", "b\n", "c\r\n", "\n", "no end"), { maxLength: 30 })
    .map((lines) => lines.join(""));
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      fc.pre(before !== after);
      const diff = await diffBytes("f", Buffer.from(before), Buffer.from(after));
      expect(applyPatch(before, diff, { autoConvertLineEndings: false })).toBe(after);
    }),
  );
});

test("sides that are far apart have a diff and true counts, which lead from one to the other", () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
  const lines = (map: (at: number) => string, count = 6_000) => numbers(count).map(map).join("");
  const check = (before: string, after: string, counts: object) => {
    const { diff, ...lines } = diffTexts("f", before, after, { maxCharacters: 10_000_000 });
    expect(lines).toEqual(counts);
    expect(applyPatch(before, diff, { autoConvertLineEndings: false })).toBe(after);
  };
  const every = (n: number, to: string) => lines((at) => (at % n === 0 ? `${to}${at}\n` : `line ${at}\n`));
  // Every second line is another one: 3,000 changed of 6,000.
  check(
    lines((at) => `line ${at}\n`),
    every(2, "new "),
    { added: 3_000, removed: 3_000 },
  );
  check(
    "",
    lines((at) => `line ${at}\n`),
    { added: 6_000, removed: 0 },
  );
  check(
    lines((at) => `a ${at}\n`),
    `${lines((at) => `b ${at}\n`)}no end`,
    { added: 6_001, removed: 6_000 },
  );
  // The same lines in another order match nothing in time, but both ends stay.
  const mixed = lines((at) => `line ${at < 10 || at > 5_990 ? at : ((at * 3_571) % 5_981) + 10}\n`);
  const { diff } = diffTexts(
    "f",
    lines((at) => `line ${at}\n`),
    mixed,
    { maxCharacters: 10_000_000 },
  );
  expect(
    applyPatch(
      lines((at) => `line ${at}\n`),
      diff,
      { autoConvertLineEndings: false },
    ),
  ).toBe(mixed);
});

test("a diff that is too long is left out, its counts are not", () => {
  const lines = (word: string) =>
    Array.from({ length: 3_000 }, (_, at) => `${word.repeat(100)} ${at}\n`).join("");
  expect(diffTexts("f", lines("a"), lines("b"))).toEqual({ diff: "", added: 3_000, removed: 3_000 });
});
