import type { CallResult } from "./log.ts";

/** What the detector needs to know about a call. */
export type Observed = Pick<CallResult, "key" | "failure" | "tool">;

export interface LoopVerdict {
  verdict: "notice" | "stop";
  /** A description of the loop, for the model and the person. */
  what: string;
}

/** The longest cycle that is looked for, in steps. */
const longestCycle = 8;
const failuresBeforeNotice = 4;
const failuresBeforeStop = 6;

/**
 * Judges the steps since the person's last word, newest last. Two identical rounds give a notice, three a stop; a round is
 * one step or a cycle of several. A key holds call, result and state of the workspace, so polling that brings something
 * new, work through a list, and looking again after a change are no loops. The same failure again and again, whatever the
 * input, is one as well.
 */
export function judgeLoop(steps: readonly (readonly Observed[])[]): LoopVerdict | undefined {
  const rounds = steps.map(
    (calls) =>
      calls
        .map(({ key }) => key)
        .sort()
        .join("\n") || undefined,
  );
  const last = steps.at(-1) ?? [];
  for (let length = 1; length <= longestCycle; length++) {
    if (!repeats(rounds, length, 2)) continue;
    const verdict = repeats(rounds, length, 3) ? "stop" : "notice";
    const tools = [...new Set(steps.slice(-length).flatMap((calls) => calls.map(({ tool }) => tool)))];
    const times = verdict === "stop" ? "three times" : "twice";
    return length === 1
      ? {
          verdict,
          what: `${tools.join(", ")} was called ${times} with the same input and gave the same result`,
        }
      : {
          verdict,
          what: `the same ${length} steps (${tools.join(", ")}) were taken ${times} with the same results`,
        };
  }
  const failures = sameFailures(steps);
  if (failures < failuresBeforeNotice) return undefined;
  return {
    verdict: failures >= failuresBeforeStop ? "stop" : "notice",
    what: `${failures} steps in a row failed in the same way (${last[0]?.failure})`,
  };
}

function repeats(rounds: readonly (string | undefined)[], length: number, times: number): boolean {
  const tail = rounds.slice(-length * times);
  if (tail.length < length * times) return false;
  return tail.every((round, index) => round !== undefined && round === tail[index % length]);
}

/** How many steps at the end did nothing but fail, all in the same way. */
function sameFailures(steps: readonly (readonly Observed[])[]): number {
  const kindOf = (calls: readonly Observed[]) => {
    const kinds = new Set(calls.map(({ failure }) => failure));
    return kinds.size === 1 ? [...kinds][0] : undefined;
  };
  const kind = kindOf(steps.at(-1) ?? []);
  if (kind === undefined) return 0;
  const before = steps.findLastIndex((calls) => kindOf(calls) !== kind);
  return steps.length - 1 - before;
}
