import type { Target } from "../testing/fuzz-target.suite.ts";
import { useHostileFolders } from "../tools/git/hostile-folders.suite.ts";
import { globs, patches, paths } from "./fuzz-files.suite.ts";
import { httpRequests } from "./fuzz-http.suite.ts";
import { acpMessages, mcpMessages, patterns } from "./fuzz-messages.suite.ts";

export interface Tally {
  kind: string;
  cases: number;
  seconds: number;
  faults: { number: number; what: string }[];
}

const gitFolders = async (): Promise<Target> => ({
  attempt: async (number) => (await useHostileFolders(1, number)).escapes,
  close: async () => undefined,
});

export const kinds: Readonly<Record<string, () => Promise<Target>>> = {
  ...{ paths, patches, globs, patterns, "git folders": gitFolders },
  ...{ "HTTP requests": httpRequests, "MCP messages": mcpMessages, "ACP messages": acpMessages },
};

interface Limits {
  first: number;
  seconds: number;
  cases?: number;
  /** Is told which case comes next. */
  begin?(number: number): void;
}

/** After so many cases a target is opened anew, so that a case does not depend on thousands before it. */
const casesPerTarget = 500;
export const longestCaseMs = 180_000;
const mostFaults = 20;

/** Gives a target cases until the time is up or `cases` were tried, from the number `first` on. */
export async function fuzz(
  kind: string,
  { first, seconds, cases = Number.POSITIVE_INFINITY, begin = () => undefined }: Limits,
): Promise<Tally> {
  const open = kinds[kind];
  if (!open) throw new Error(`There is no kind ${kind}. There are: ${Object.keys(kinds).join(", ")}`);
  const tally: Tally = { kind, cases: 0, seconds: 0, faults: [] };
  let start = performance.now();
  const secondsSince = () => (performance.now() - start) / 1_000;
  while (tally.cases < cases && secondsSince() < seconds && tally.faults.length < mostFaults) {
    const opening = performance.now();
    const target = await open();
    // Starting a process on a busy machine takes no time from the cases.
    start += performance.now() - opening;
    try {
      for (
        let tried = 0;
        tried < casesPerTarget && tally.cases < cases && secondsSince() < seconds;
        tried++
      ) {
        const number = first + tally.cases;
        tally.cases += 1;
        begin(number);
        const found = await inTime(target.attempt(number)).catch((error: Error) => [
          error.stack ?? error.message,
        ]);
        tally.faults.push(...found.map((what) => ({ number, what })));
        if (found.length > 0) break;
      }
    } finally {
      await target.close();
    }
  }
  tally.seconds = secondsSince();
  return tally;
}

async function inTime(attempt: Promise<string[]>): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string[]>((resolve) => {
    timer = setTimeout(() => resolve([`no end within ${longestCaseMs / 1_000} s`]), longestCaseMs);
  });
  return Promise.race([attempt, late]).finally(() => clearTimeout(timer));
}
