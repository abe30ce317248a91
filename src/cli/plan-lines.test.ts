import { expect, test } from "vitest";
import { PlanLines } from "./plan-lines.ts";

test("a plan is printed once, then only what changed in it", () => {
  const lines = new PlanLines();
  const plan = (...marks: string[]) =>
    ["Bread: 0 of 3 done", ...marks.map((mark, at) => `${mark} ${at + 1}. Step ${at + 1}`)].join("\n");
  expect(lines.take("createPlan", plan("[ ]", "[ ]", "[ ]"))).toEqual([
    "Bread: 0 of 3 done",
    "  [ ] Step 1",
    "  [ ] Step 2",
    "  [ ] Step 3",
  ]);
  expect(lines.take("updatePlan", plan("[x]", "[~]", "[ ]"))).toEqual([
    "  [x] Step 1  1 of 3 done",
    "  [~] Step 2  1 of 3 done",
  ]);
  expect(lines.take("readPlan", plan("[x]", "[~]", "[ ]"))).toEqual([]);
  expect(lines.take("updatePlan", `${plan("[x]", "[!]", "[ ]")} (no flour)`)).toEqual([
    "  [!] Step 2  1 of 3 done",
    "  [ ] Step 3 (no flour)  1 of 3 done",
  ]);
  expect(lines.take("updatePlan", plan("[x]", "[!]"))).toHaveLength(3);
  expect(lines.take("read_file", "Bread: 0 of 1 done\n[ ] 1. x")).toEqual([]);
});
