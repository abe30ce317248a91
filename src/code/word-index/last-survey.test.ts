import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFolder } from "../../testing/remove-folder.ts";
import { indexFolderAt, temporaryFolder } from "../folder.suite.ts";
import { announceChange, lastSurvey, tellChange, tellSurvey } from "./last-survey.ts";

let state: string;
beforeEach(() => {
  state = temporaryFolder();
});
afterEach(() => {
  removeFolder(state);
});

test("a look counts for its state of the index, until Wield changes a file, and not before its time", () => {
  const folder = indexFolderAt(state);
  const at = (now: number) => lastSurvey(folder, "g", now);
  expect(at(100)).toBeUndefined();
  tellSurvey(folder, { state: "g", at: 50, scope: "code" });
  expect(at(100)).toEqual({ state: "g", at: 50, scope: "code" });
  expect(at(49)).toBeUndefined();
  expect(lastSurvey(folder, "other", 100)).toBeUndefined();
  tellChange(folder, 50);
  expect(at(100)).toBeUndefined();
  tellSurvey(folder, { state: "g", at: 51, scope: "all" });
  expect(at(100)?.at).toBe(51);
  announceChange(state);
  expect(at(100)).toBeUndefined();
});

test("what is not to be read is no look; a place without an index stays without", () => {
  const folder = indexFolderAt(state);
  writeFileSync(join(state, "surveyed.json"), '{"state":"g"');
  expect(lastSurvey(folder, "g")).toBeUndefined();
  writeFileSync(join(state, "surveyed.json"), '{"state":"g"}');
  expect(lastSurvey(folder, "g")).toBeUndefined();
  rmSync(state, { recursive: true });
  announceChange(state);
  expect(lastSurvey(indexFolderAt(state), "g")).toBeUndefined();
  expect(indexFolderAt(state).names()).toEqual([]);
});
