// `npm run bench cluster [sessions]`: the whole trial of several machines, with 200 sessions or as many as are named. Each part is
// kept in .artifacts when it is over, so a trial that was interrupted goes on with the next part; kept parts of another commit or
// size do not count. WIELD_TRIAL_AGAIN=1 begins anew.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { type MemoryResult, memoryOf } from "./cluster/memory.ts";
import { clusterTrial, type Fault, quantile, type TrialResult } from "./cluster/trial.ts";

const sessions = Number(process.argv[2] ?? 200);
const home = resolve(import.meta.dirname, "..");
const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: home, encoding: "utf8" }).trim();
const folder = join(home, ".artifacts", `cluster-${sessions}-${commit.slice(0, 12)}`);
mkdirSync(folder, { recursive: true });

const round = [
  ...[
    "kill worker",
    "kill web",
    "kill worker",
    "crash Postgres",
    "kill worker",
    "stop worker",
    "kill worker",
  ],
  ...["cut worker off", "kill web", "kill worker", "crash Postgres", "kill worker", "stop Postgres"],
] as Fault[];
const common = {
  // A model needs a while for a step: that is the time in which faults find sessions at work.
  ...{ sessions, rounds: 6, workers: 4, webs: 2, places: 8, stepMs: 1200, readers: 20, pause: 6 },
  say: (line: string) => console.log(`  ${line}`),
};
const without = await part<TrialResult>("without faults", () =>
  clusterTrial({ ...common, faults: [], clocks: false }),
);
const result = await part<TrialResult>("with faults", () =>
  clusterTrial({
    ...{ ...common, clocks: true, without: without.leavings },
    faults: sessions >= 100 ? [...round, ...round] : round,
  }),
);
report(
  `without faults: ${sessions} sessions, ${without.calls} calls, ${without.entries} log entries in ${without.seconds.toFixed(0)} s`,
);
report(
  `with faults: ${sessions} sessions, ${result.calls} calls, ${result.entries} log entries in ${result.seconds.toFixed(0)} s`,
);
report(
  `calls repeated ${result.repeated.length}, lost ${result.lost.length}, reported as unknown ${result.unknown}`,
);
report(
  `sessions whose files, log, cost or end differ from the run without faults: ${result.different.length}`,
);
report(
  `readers whose text is not that of the log: ${result.readersBehind.length} of ${Math.min(common.readers, sessions)}`,
);
report(`takeover, claimed: ${seconds(result.claimed)} (goal: p95 12 s)`);
report(
  `takeover, first step: ${seconds(result.stepped)} (goal: p95 15 s); hit by another fault before it: ${result.disturbed}`,
);
report(`takeover, claimed, where Postgres was stopped in between: ${seconds(result.withoutDatabase)}`);
report(`going on after Postgres was away: ${seconds(result.afterPostgres)}`);
const problems = [
  ...without.different,
  ...result.repeated,
  ...result.lost,
  ...result.different,
  ...result.readersBehind,
];
for (const problem of problems.slice(0, 20)) report(`  ${problem}`);

report("growth, without faults and with a model that answers at once:");
for (const times of [1, 4, 16]) {
  const count = Math.max(2, Math.round(sessions / 16)) * times;
  const work = await part<TrialResult>(`growth ${times}x`, () =>
    clusterTrial({ ...common, sessions: count, stepMs: 0, faults: [], clocks: false }),
  );
  const memory = await part<MemoryResult>(`memory ${times}x`, () => memoryOf(count));
  const busy = work.workerSeconds / work.seconds;
  report(
    [
      `  ${times}x, ${count} sessions on 4 workers: ${((60 * count) / work.seconds).toFixed(1)} sessions a minute`,
      `${(work.entries / work.seconds).toFixed(1)} log entries and ${(work.events / work.seconds).toFixed(1)} live events a second`,
      `database ${Math.round(work.databaseBytes / count / 1024)} kB a session`,
      `a session that waits on a worker ${kilobytes(memory.onWorker)}, in the database ${kilobytes(memory.parked)} of the worker, done ${kilobytes(memory.idle)}`,
      `workers used ${busy.toFixed(2)} of ${cpus().length} processors, ${((1000 * work.workerSeconds) / count).toFixed(0)} ms a session`,
    ].join("; "),
  );
}
report(
  `the machine's load is ${loadavg()[0]?.toFixed(1)} on ${cpus().length} processors: above their number, times are those of a busy machine`,
);
const isFast = quantile(result.claimed, 0.95) <= 12 && quantile(result.stepped, 0.95) <= 15;
process.exit(problems.length === 0 && isFast ? 0 : 1);

/** Done once for this commit and size. */
async function part<T>(name: string, run: () => Promise<T>): Promise<T> {
  const file = join(folder, `${name.replaceAll(" ", "-")}.json`);
  if (existsSync(file) && !process.env["WIELD_TRIAL_AGAIN"]) {
    const { at, value } = JSON.parse(readFileSync(file, "utf8")) as { at: string; value: T };
    console.log(`${name}: kept from ${at}`);
    return value;
  }
  console.log(`${name}…`);
  const value = await run();
  writeFileSync(file, JSON.stringify({ at: new Date().toISOString(), value }));
  return value;
}

function report(line: string): void {
  console.log(line);
}

function seconds(values: readonly number[]): string {
  if (values.length === 0) return "none";
  const at = (share: number) => quantile(values, share).toFixed(1);
  return `p50 ${at(0.5)} s, p95 ${at(0.95)} s, max ${Math.max(...values).toFixed(1)} s of ${values.length}`;
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1024)} kB`;
}
