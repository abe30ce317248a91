// Searches while another process swaps a folder for a link that leads outside, as fast as it can: nothing of what is outside may be
// shown. Argument: how many searches.
import { join } from "node:path";
import { testWield } from "../src/testing/testing.ts";
import { startFixture } from "../src/workspace/process.suite.ts";
import { plant } from "../src/workspace/workspace.suite.ts";
import { verdict } from "./measure.ts";

const wanted = Number(process.argv[2] ?? 20_000);
const side = 8;
const files = {
  "b/file.ts": "export const needle = 'inside';\n",
  "file.ts": "export const needle = 'inside';\n",
};
const place = await testWield(
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`a/swap/${path}`, text])),
);
const outside = join(place.root, "../outside");
plant(
  outside,
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.replace("inside", "SECRET")])),
);
// One that has no index, so that every search is made by the search program, and one that has it.
const cold = await place.reopen();
await place.wield.callAny("definition", { symbol: "needle" });
const calls: [typeof cold, string, object][] = [
  [cold, "grep", { pattern: "needle.*" }],
  [cold, "search_files", { pattern: "needle.*" }],
  [cold, "grep", { pattern: "needle.*", path: "a/swap" }],
  [place.wield, "grep", { pattern: "needle.*", context: 2 }],
  [place.wield, "search_code", { query: "needle" }],
  [place.wield, "batch_read", { reads: ["a/swap/file.ts:1-2"] }],
];
const swapper = startFixture("swapper.ts", join(place.root, "a/swap"), outside);
await swapper.lines.next();
const seen = { searches: 0, inside: 0, outside: 0 };
const search = async () => {
  while (seen.searches < wanted) {
    const [wield, tool, input] = calls[seen.searches++ % calls.length] ?? calls[0] ?? [cold, "grep", {}];
    const { text } = await wield.callAny(tool, input);
    if (text.includes("inside")) seen.inside++;
    if (text.includes("SECRET")) seen.outside++;
  }
};
await Promise.all(Array.from({ length: side }, search));
swapper.child.stdin?.end();
await swapper.exit;
await place.close();
verdict(
  `${seen.searches} raced searches, ${seen.inside} found what is inside: ${seen.outside} showed what is outside`,
  "0",
  seen.outside === 0 && seen.inside > 0,
);
