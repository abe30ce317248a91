// Retired words: metaphors that plain words replaced. Sources, documents and the page must not use them again.
// An identifier is checked word by word.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const retired = new Set(
  "flight flights fly takeoff seat seats shelf shelves desk house speaker portrait kin deed deeds landing meanwhile settle settles settling settled".split(
    " ",
  ),
);
/** Where a word means what it says, or belongs to somebody else's interface. */
const meant: Readonly<Record<string, readonly string[]>> = {
  "src/jobs/pg-boss-jobs.ts": ["settled"],
  "src/discovery/values.ts": ["seats"],
  "src/discovery/tool-index.test.ts": ["fly"],
  // The name of a file.
  "src/workspace/protected-table.ts": ["fly"],
  "src/app/research-folder.test.ts": ["house"],
  "src/store/store.suite.ts": ["house"],
};
const looked =
  /^(?:src|ui\/src|scripts|bench|docs|examples|bin)\/.*\.(?:ts|tsx|md|css|html|mjs)$|^[A-Z]+\.md$/;
const data = /\/(?:fixtures|golden|corpora|eval)\/|^scripts\/check-words\.ts$/;

const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
const problems: string[] = [];
let count = 0;
for (const file of files.filter((name) => looked.test(name) && !data.test(name))) {
  count++;
  const lines = readFileSync(join(root, file), "utf8").split("\n");
  for (const [index, line] of lines.entries())
    for (const word of wordsIn(line))
      if (retired.has(word) && !meant[file]?.includes(word))
        problems.push(`${file}:${index + 1} has the retired word ${word}`);
}
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
console.log(`words: none of ${retired.size} retired words in ${count} files`);

/** The words of each identifier and each two of them joined, without the names of built-ins that contain a retired one. */
function wordsIn(line: string): string[] {
  const identifiers = line.replaceAll(/allSettled|PromiseSettledResult/g, "").match(/[A-Za-z]+/g) ?? [];
  return identifiers.flatMap((identifier) => {
    const words = (identifier.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());
    return [...words, ...words.slice(1).map((word, before) => `${words[before]}${word}`)];
  });
}
