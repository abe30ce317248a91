import { expect, test } from "vitest";
import { PastChanges } from "./past-changes.ts";
import { readQuestion } from "./question.ts";

const commits = [
  { subject: "Fixed expiry of idle sessions", files: ["auth/store.py", "tests/test_store.py"] },
  { subject: "Renamed a helper", files: ["auth/helper.py"] },
  { subject: "Updated expiry dates of all headers", files: Array.from({ length: 21 }, (_, i) => `f${i}.py`) },
  ...Array.from({ length: 9 }, (_, i) => ({ subject: `Release ${"abcdefghi"[i]}`, files: ["version.py"] })),
];
const question = (...words: string[]) => new Map(words.map((word) => [word, 1]));

test("files whose changes speak of the question fit, the best one fully", () => {
  const fit = new PastChanges(commits).fit(question("session", "expiry"));
  expect(fit.get("auth/store.py")).toBe(1);
  expect(fit.has("auth/helper.py")).toBe(false);
});

test("a commit that changes very many files says nothing about one of them", () => {
  expect(new PastChanges(commits).fit(question("header")).size).toBe(0);
});

test("of two files changed together, the one that is not changed all the time fits better", () => {
  const both = { subject: "Expiry is configurable", files: ["settings.py", "version.py"] };
  const fit = new PastChanges([...commits, both]).fit(question("configurabl"));
  expect(fit.get("settings.py")).toBe(1);
  expect(fit.get("version.py")).toBeLessThan(0.5);
});

test("without commits nothing fits", () => {
  expect(new PastChanges([]).fit(question("session")).size).toBe(0);
});

test("a number of an issue leads to the commit that names it", () => {
  const numbered = [...commits, { subject: "Shorter names (#4711)", files: ["names.py"] }];
  const { issues } = readQuestion("Broken since #4711, see https://example.org/pull/12");
  expect([...issues]).toEqual(["#4711", "#12"]);
  expect(new PastChanges(numbered).fit(new Map([...issues].map((issue) => [issue, 1])))).toEqual(
    new Map([["names.py", 1]]),
  );
});

test("files are changed with others: often, and seldom with anything else", () => {
  const changes = new PastChanges(commits);
  const together = changes.changedWith(new Map([["tests/test_store.py", 1]]));
  expect([...together.keys()]).toEqual(["auth/store.py"]);
  expect(changes.changedWith(new Map([["unknown.py", 1]])).size).toBe(0);
});
