// `npm run bench fuzz [seconds] [seed]`: hostile input of every kind for ten minutes. `node bench/fuzz.ts <kind> <case>` repeats one case.
import { fuzz, kinds } from "../src/cli/fuzz.suite.ts";

const words = process.argv.slice(2);
const [named] = words.filter((word) => !/^\d+$/.test(word));
const [one = "600", other] = words.filter((word) => /^\d+$/.test(word));
const seed = Number(other ?? Date.now() % 1_000_000_000);
let current = "";
for (const event of ["unhandledRejection", "uncaughtException"] as const)
  process.on(event, (error: unknown) => {
    console.error(`${event} among ${current}, seed ${seed}`, error);
    process.exit(1);
  });

const chosen = named === undefined ? Object.keys(kinds) : [named];
const limits =
  named === undefined
    ? { first: seed, seconds: Number(one) / chosen.length }
    : { first: Number(one), seconds: Number.POSITIVE_INFINITY, cases: 1 };
console.log(named === undefined ? `seed ${seed}, ${one} s` : `case ${one} of ${named}`);
let cases = 0;
let faults = 0;
for (const kind of chosen) {
  current = kind;
  const tally = await fuzz(kind, limits);
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
