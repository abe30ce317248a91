// `npm run bench edits [number]`: edits of generated files in 13 encodings, and edits made from what the tools have shown. The
// number says how many of each; default 2,000.
import {
  encodedEdit,
  encodings,
  endings,
  type Outcome,
  randomFrom,
  tryEncodedEdit,
} from "../src/tools/files/encoded-edits.suite.ts";
import { runShownEdits } from "../src/tools/files/shown-edits-run.suite.ts";

const count = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 2_000);
let failures = 0;

console.log(
  `${count} edits × ${encodings.length} encodings × ${endings.join(", ")}: % landed; refused as not certain; wrong bytes`,
);
for (const encoding of encodings) {
  const parts = [];
  for (const ending of endings) {
    const random = randomFrom(20);
    const counts: Record<Outcome, number> = { landed: 0, refused: 0, ambiguous: 0, wrong: 0 };
    for (let at = 0; at < count; at++) counts[await tryEncodedEdit(encodedEdit(encoding, ending, random))]++;
    failures += counts.wrong;
    // What stands twice in a file is no question of the encoding.
    const asked = count - counts.ambiguous;
    parts.push(`${ending} ${((100 * counts.landed) / asked).toFixed(1)} ${counts.refused} ${counts.wrong}`);
  }
  console.log(
    `${encoding.name.padEnd(13)}${(encoding.mark === "" ? "" : "BOM").padEnd(5)}${parts.join("   ")}`,
  );
}

const shown = await runShownEdits(count, 11);
failures += shown.wrong.length + shown.unparsed.length;
console.log(
  `\n${shown.edits} edits copied from results: ${shown.landed} landed, ${shown.refused} refused, ${shown.ambiguous} in several places`,
);
for (const [tool, { landed, refused, ambiguous }] of Object.entries(shown.byTool))
  console.log(`  ${tool.padEnd(14)} ${landed} landed, ${refused} refused, ${ambiguous} in several places`);
console.log(
  `not as they must be: ${shown.wrong.length}; files that do not parse any more: ${shown.unparsed.length}`,
);
for (const one of [...shown.wrong, ...shown.unparsed].slice(0, 5)) console.log(one.slice(0, 1_000));
if (failures > 0) process.exitCode = 1;
