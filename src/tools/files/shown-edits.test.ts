import { expect, test } from "vitest";
import { runShownEdits } from "./shown-edits-run.suite.ts";

test("edits copied from what any tool has shown land at the right indentation or are refused", async () => {
  const { edits, landed, wrong, unparsed } = await runShownEdits(60, 5);
  expect(edits).toBe(60);
  expect(wrong).toEqual([]);
  expect(unparsed).toEqual([]);
  expect(landed).toBeGreaterThan(20);
}, 120_000);
