import { expect, test } from "vitest";
import { lineKinds } from "./issue-lines.ts";
import { readQuestion } from "./question.ts";

test("the lines of an issue text are told apart", () => {
  const issue = [
    ["title", "Expiry of idle sessions is ignored"],
    ["form", "<!-- Please fill in"],
    ["form", "all sections -->"],
    ["prose", "### What happens"],
    ["prose", "Sessions outlive their limit:"],
    ["form", "```python"],
    ["code", "store = SessionStore(limit=3)"],
    ["form", "```"],
    ["trace", "Traceback (most recent call last):"],
    ["trace", '  File "/app/auth/store.py", line 3, in purge'],
    ["trace", "    self.drop(key)"],
    ["prose", "KeyError: 'session'"],
    ["code", ">>> store.purge()"],
    ["form", "## Versions"],
    ["form", "Python 3.12"],
    ["prose", "## More"],
    ["prose", "It worked last year."],
  ] as const;
  const lines = issue.map(([, line]) => line);
  expect(lineKinds(lines).map((kind, i) => [kind, lines[i]])).toEqual(issue);
});

test("words of sentences count more than those of code, words in backticks most", () => {
  const { terms } = readQuestion(
    ["Expiry is ignored", "The `limit` of idle ones", ">>> store.purge()", "## Versions", "Linux"].join("\n"),
  );
  const ordered = [...terms].sort(([, a], [, b]) => b - a).map(([term]) => term);
  expect(ordered.indexOf("limit")).toBe(0);
  expect(ordered.indexOf("idl")).toBeLessThan(ordered.indexOf("purg"));
  expect(ordered.indexOf("purg")).toBeLessThan(ordered.indexOf("linux"));
});
