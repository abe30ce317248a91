import { expect, onTestFinished, test } from "vitest";
import { testWield, yes } from "../testing/testing.ts";
import { fewerThanAsked, whichChanges } from "./undo.ts";

test.each([
  [[], {}],
  [["3"], { steps: 3 }],
  [["12"], { steps: 12 }],
  [["307"], { changeId: ["307"] }],
  [["3072ccb8", "1a2b"], { changeId: ["3072ccb8", "1a2b"] }],
])("an id of digits is not taken for a count: %j", (args, input) => {
  expect(whichChanges(args, "wield undo")).toEqual(input);
});

test("fewer changes than were named are said", async () => {
  const place = await testWield({}, { approve: () => yes });
  onTestFinished(() => place.close());
  await place.wield.call("write_file", { path: "a.txt", content: "a\n" });
  const outcome = await place.wield.call("undo", { steps: 2 });
  expect(fewerThanAsked("undo", { steps: 2 }, outcome)).toEqual(["There was only 1 change to undo."]);
  expect(fewerThanAsked("undo", { steps: 1 }, outcome)).toEqual([]);
});
