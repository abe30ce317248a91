// `npm run bench cluster`: the whole trial of several machines; WIELD_TRIAL_SESSIONS=40 makes it smaller.
import { clusterTrial, type Fault, quantile } from "./cluster-trial.ts";

const sessions = Number(process.env["WIELD_TRIAL_SESSIONS"] ?? 200);
const faults: Fault[] = [
  ...[
    "kill worker",
    "kill web",
    "kill worker",
    "crash Postgres",
    "kill worker",
    "stop worker",
    "kill worker",
  ],
  ...[
    "cut worker off",
    "kill web",
    "kill worker",
    "crash Postgres",
    "kill worker",
    "stop Postgres",
    "kill worker",
  ],
] as Fault[];
const result = await clusterTrial({
  ...{
    sessions,
    rounds: 6,
    workers: 4,
    webs: 2,
    places: 16,
    stepMs: 400,
    readers: 20,
    pause: 4,
    clocks: true,
  },
  faults: sessions >= 100 ? [...faults, ...faults] : faults,
  say: (line) => console.log(`  ${line}`),
});
const seconds = (values: readonly number[]) =>
  values.length === 0
    ? "none"
    : `p50 ${quantile(values, 0.5).toFixed(1)} s, p95 ${quantile(values, 0.95).toFixed(1)} s, max ${Math.max(...values).toFixed(1)} s (${values.length})`;
console.log(
  `${sessions} sessions, ${result.calls} calls, ${result.entries} log entries in ${result.seconds.toFixed(0)} s`,
);
console.log(
  `calls repeated ${result.repeated.length}, lost ${result.lost.length}, reported as unknown ${result.unknown}`,
);
console.log(`sessions that differ from a run without faults: ${result.different.length}`);
console.log(`readers whose text is not that of the log: ${result.readersBehind.length}`);
console.log(`takeover, claimed: ${seconds(result.claimed)}`);
console.log(
  `takeover, first step: ${seconds(result.stepped)}; hit by another fault before it: ${result.disturbed}`,
);
console.log(`going on after Postgres was away: ${seconds(result.afterPostgres)}`);
console.log(`database ${Math.round(result.databaseBytes / sessions / 1024)} kB for each session`);
for (const problem of [
  ...result.repeated,
  ...result.lost,
  ...result.different,
  ...result.readersBehind,
].slice(0, 20))
  console.log(`  ${problem}`);
const isRight = [result.repeated, result.lost, result.different, result.readersBehind].every(
  ({ length }) => length === 0,
);
process.exit(isRight && quantile(result.claimed, 0.95) <= 12 && quantile(result.stepped, 0.95) <= 15 ? 0 : 1);
