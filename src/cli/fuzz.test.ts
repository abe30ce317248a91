import { expect, test } from "vitest";
import { fuzz, kinds } from "./fuzz.suite.ts";

// `npm run bench fuzz` tries new cases for ten minutes; these few are the same in every run. Git folders have a test of their own.
const cases: Readonly<Record<string, number>> = {
  ...{ paths: 20, patches: 40, globs: 300, patterns: 15 },
  ...{ "HTTP requests": 25, "MCP messages": 25, "ACP messages": 30 },
};

test.each(Object.keys(kinds).filter((kind) => kind !== "git folders"))(
  "hostile %s are answered or refused, and nothing outside is touched",
  async (kind) => {
    const tally = await fuzz(kind, { first: 1, seconds: Number.POSITIVE_INFINITY, cases: cases[kind] ?? 0 });
    expect(tally.faults).toEqual([]);
    expect(tally.cases).toBeGreaterThan(0);
  },
);
