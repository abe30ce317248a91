import { expect, test } from "vitest";
import { encodedEdit, encodings, endings, randomFrom, tryEncodedEdit } from "./encoded-edits.suite.ts";

test.each(encodings)("edits land in $name (mark $mark), and no other byte changes", async (encoding) => {
  const counts = { landed: 0, refused: 0, ambiguous: 0, wrong: 0 };
  for (const ending of endings) {
    const random = randomFrom(7);
    for (let at = 0; at < 40; at++) counts[await tryEncodedEdit(encodedEdit(encoding, ending, random))]++;
  }
  expect(counts.wrong).toBe(0);
  expect(counts.landed).toBeGreaterThan(90);
});
