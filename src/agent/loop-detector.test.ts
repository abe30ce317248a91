import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loopKey } from "./call-result.ts";
import { judgeLoop, type Observed } from "./loop-detector.ts";

interface Transcript {
  name: string;
  steps: {
    tool: string;
    input: unknown;
    result: string;
    failure?: string;
    changes?: Record<string, string>;
  }[][];
}
const transcripts: { loops: Transcript[]; legitimate: Transcript[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, "fixtures/transcripts.json"), "utf8"),
);

/** The verdict after each step, with the workspace as the transcript's own changes make it. */
function verdicts({ steps }: Transcript): (string | undefined)[] {
  const files: Record<string, string> = {};
  const seen: Observed[][] = [];
  return steps.map((calls) => {
    const state = JSON.stringify(files);
    seen.push(
      calls.map((call) => ({
        tool: call.tool,
        key: loopKey(call, call.result, state),
        ...(call.failure !== undefined && { failure: call.failure }),
      })),
    );
    for (const { changes } of calls) Object.assign(files, changes);
    return judgeLoop(seen)?.verdict;
  });
}

test("there are enough transcripts of both kinds", () => {
  expect(transcripts.loops.length).toBeGreaterThanOrEqual(12);
  expect(transcripts.legitimate.length).toBeGreaterThanOrEqual(12);
});

describe("loops are stopped, after a notice", () => {
  test.each(transcripts.loops)("$name", (transcript) => {
    const given = verdicts(transcript);
    expect(given.at(-1)).toBe("stop");
    expect(given).toContain("notice");
    expect(given.indexOf("notice")).toBeLessThan(given.indexOf("stop"));
  });
});

describe("legitimate repetition passes unnoticed", () => {
  test.each(transcripts.legitimate)("$name", (transcript) => {
    expect(verdicts(transcript).filter((verdict) => verdict !== undefined)).toEqual([]);
  });
});
