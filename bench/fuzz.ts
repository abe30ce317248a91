// `npm run bench fuzz [seconds] [seed]`: hostile input of every kind for ten minutes. `node bench/fuzz.ts <kind> <case>` repeats one case.
import { Worker } from "node:worker_threads";
import { fuzz, kinds, longestCaseMs } from "../src/cli/fuzz.suite.ts";

const words = process.argv.slice(2);
const [named] = words.filter((word) => !/^\d+$/.test(word));
const [one = "600", other] = words.filter((word) => /^\d+$/.test(word));
const seed = Number(other ?? Date.now() % 1_000_000_000);
let current = "";
const end = (what: string, error?: unknown) => {
  console.error(`${what}\n  again: node bench/fuzz.ts ${current}`, error ?? "");
  process.exit(1);
};
process.on("unhandledRejection", (error) => end("a promise that nobody awaits failed", error));
process.on("uncaughtException", (error) => end("an error that nothing catches", error));
/** Work without an end keeps this thread busy, so another one watches. */
const watch = new Worker(
  `const { parentPort } = require("node:worker_threads");
  let timer;
  parentPort.on("message", (current) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      require("node:fs").writeSync(2, "no end\\n  again: node bench/fuzz.ts " + current + "\\n");
      process.kill(process.pid, "SIGKILL");
    }, ${2 * longestCaseMs});
  });`,
  { eval: true },
);
const begin = (kind: string) => (number: number) => {
  current = `"${kind}" ${number}`;
  watch.postMessage(current);
};

const chosen = named === undefined ? Object.keys(kinds) : [named];
const limits =
  named === undefined
    ? { first: seed, seconds: Number(one) / chosen.length }
    : { first: Number(one), seconds: Number.POSITIVE_INFINITY, cases: 1 };
console.log(named === undefined ? `seed ${seed}, ${one} s` : `case ${one} of ${named}`);
let cases = 0;
let faults = 0;
for (const kind of chosen) {
  const tally = await fuzz(kind, { ...limits, begin: begin(kind) });
  cases += tally.cases;
  faults += tally.faults.length;
  console.log(
    `${kind}: ${tally.cases} cases in ${tally.seconds.toFixed(0)} s, ${tally.faults.length} faults (goal 0)`,
  );
  for (const { number, what } of tally.faults)
    console.log(`  ${what.replaceAll("\n", "\n  ")}\n  again: node bench/fuzz.ts "${kind}" ${number}`);
}
console.log(`${cases} cases, ${faults} faults (goal 0)`);
process.exit(faults === 0 ? 0 : 1);
