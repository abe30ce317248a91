// `npm run bench git-folders [folders] [seed]`: repositories made hostile in one to three ways, used by all git tools.
import { useHostileFolders } from "../src/tools/git/hostile-folders.suite.ts";

const [folders = "500", seed = "1000"] = process.argv.slice(2).filter((word) => /^\d+$/.test(word));
const tally = await useHostileFolders(Number(folders), Number(seed));
console.log(
  `${tally.folders} hostile git folders, ${tally.calls} calls of git tools, ${tally.refused} refused or failed`,
);
console.log(`writes, reads, programs or contacts that nobody agreed to: ${tally.escapes.length} (goal 0)`);
for (const what of tally.escapes) console.log(`  ${what}`);
process.exitCode = tally.escapes.length === 0 ? 0 : 1;
