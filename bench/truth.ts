// `npm run bench truth -- DIR… [ROUNDS]`: whether what tools show of files is what stands in them. Calls of every tool that shows
// code, drawn with a fixed seed, in each of the folders; each shown line is compared with the file. Exits with 1 at a line that
// is not the file's.
import { cpSync } from "node:fs";
import { basename, resolve } from "node:path";
import { checkTruth } from "../src/agent/true-text.suite.ts";
import { testWield } from "../src/testing/testing.ts";

const given = process.argv.slice(2);
const folders = given.filter((word) => !/^\d+$/.test(word));
const rounds = Number(given.find((word) => /^\d+$/.test(word)) ?? 60);
const all = { shown: 0, listed: 0, faults: 0 };
if (folders.length === 0) console.log("No folders given: npm run bench truth -- DIR… [ROUNDS]");
for (const folder of folders) {
  const place = await testWield();
  cpSync(resolve(folder), place.root, { recursive: true, verbatimSymlinks: true });
  await (await place.wield.code()).build({ threads: 2 });
  const { shown, listed, byTool, faults } = await checkTruth(place, { rounds });
  await place.close();
  const tools = Object.entries(byTool).map(([tool, count]) => `${tool} ${count}`);
  console.log(
    `${basename(folder)}: ${shown} lines shown, ${listed} listed, ${faults.length} not the file's (${tools.join(", ")})`,
  );
  for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`);
  all.shown += shown;
  all.listed += listed;
  all.faults += faults.length;
}
console.log(`all: ${all.shown} lines shown, ${all.listed} listed, ${all.faults} not the file's`);
if (all.faults > 0) process.exitCode = 1;
