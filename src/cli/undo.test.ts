import { expect, test } from "vitest";
import { whichChanges } from "./undo.ts";

test.each([
  [[], {}],
  [["3"], { steps: 3 }],
  [["12"], { steps: 12 }],
  [["307"], { changeId: ["307"] }],
  [["3072ccb8", "1a2b"], { changeId: ["3072ccb8", "1a2b"] }],
])("an id of digits is not taken for a count: %j", (args, input) => {
  expect(whichChanges(args, "wield undo")).toEqual(input);
});
