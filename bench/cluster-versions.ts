// `npm run bench cluster-versions ./CHECKOUT [sessions]`: an update without stopping. Processes of another version, which is checked out
// there with its packages installed, and of this one work on one database that this one has migrated, while workers and web processes of
// both are killed: each version goes on with sessions of the other.
import { resolve } from "node:path";
import { clusterTrial, type Fault } from "./cluster/trial.ts";

const otherVersion = process.argv.find((word, n) => n > 1 && word.includes("/"));
if (otherVersion === undefined) {
  console.log("not run: it needs a checkout of another version, npm run bench cluster-versions ./CHECKOUT");
  process.exit(0);
}
const sessions = Number(process.argv.find((word, n) => n > 1 && /^\d+$/.test(word)) ?? 24);
const killed: Fault[] = ["kill worker", "kill web", "kill worker"];
const result = await clusterTrial({
  ...{
    sessions,
    rounds: 4,
    workers: 4,
    webs: 2,
    places: 8,
    stepMs: 800,
    readers: 6,
    pause: 3,
    clocks: false,
  },
  faults: [...killed, ...killed],
  otherVersion: resolve(otherVersion),
  say: (line) => console.log(`  ${line}`),
});
const { repeated, lost, different, readersBehind } = result;
console.log(
  `${sessions} sessions, ${result.calls} calls, ${result.claimed.length} takeovers; calls repeated ${repeated.length}, lost ${lost.length}; sessions that ended otherwise ${different.length}; readers behind ${readersBehind.length}`,
);
const problems = [...repeated, ...lost, ...different, ...readersBehind];
for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
process.exit(problems.length === 0 ? 0 : 1);
