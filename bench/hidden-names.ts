// `npm run bench hidden-names [number]`: that many random folders, in each of which a rule denies files that have other names:
// links, hard links, mounts, other spellings, made before or while Wield looks. Every tool is called on every name, and code
// reads all it finds. What appears of the denied files is counted: it has to be 0.
import {
  leaksOf,
  type NamesCase,
  otherNames,
  ruleForms,
  spellings,
} from "../src/tools/hidden-names.suite.ts";

const rounds = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 40);
const pick = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T;
let leaks = 0;
for (let round = 1; round <= rounds; round++) {
  const names: NamesCase = {
    rule: pick(Object.keys(ruleForms)),
    spelling: pick(Object.keys(spellings)),
    others: Object.keys(otherNames).filter(() => Math.random() < 0.4),
    isLink: Math.random() < 0.5,
    isLate: Math.random() < 0.5,
  };
  for (const leak of await leaksOf(names)) {
    leaks++;
    console.log(`  ${JSON.stringify(names)}\n    ${leak}`);
  }
}
console.log(`${rounds} folders, ${leaks} calls that told something of a denied file`);
if (leaks > 0) process.exitCode = 1;
