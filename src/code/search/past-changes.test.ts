import { expect, test } from "vitest";
import { PastChanges } from "./past-changes.ts";

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
