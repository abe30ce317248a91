import { expect, test } from "vitest";
import { PlanLines } from "./plan-lines.ts";

test("a plan is printed once, then only what changed in it", () => {
  const lines = new PlanLines();
  const plan = (marks: string, note = "") => ({
    title: "Bread",
    steps: [...marks].map((mark, at) => ({
      mark,
      text: `Step ${at + 1}${at === marks.length - 1 ? note : ""}`,
    })),
  });
  expect(lines.take(plan("   "))).toEqual([
    "Bread: 0 of 3 done",
    "  [ ] Step 1",
    "  [ ] Step 2",
    "  [ ] Step 3",
  ]);
  expect(lines.take(plan("x~ "))).toEqual(["  [x] Step 1  1 of 3 done", "  [~] Step 2  1 of 3 done"]);
  expect(lines.take(plan("x~ "))).toEqual([]);
  expect(lines.take(plan("x! ", " (no flour)"))).toEqual([
    "  [!] Step 2  1 of 3 done",
    "  [ ] Step 3 (no flour)  1 of 3 done",
  ]);
  expect(lines.take(plan("x!"))).toHaveLength(3);
});
