// What the golden texts of the tools cost a model, in tokens, beside those of an earlier commit: the one that is named, HEAD
// where texts are changed and not committed, otherwise the commit before the last change of them.
// Usage: npm run bench model-texts, or: node bench/model-texts.ts <commit>
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { estimateTokens } from "../src/text/tokens.ts";

const folders = ["src/tools/explore/golden", "src/tools/golden"];
const root = join(import.meta.dirname, "..");
const git = (...args: string[]) => spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout.trim();
const isChanged = git("status", "--porcelain", "--", ...folders) !== "";
const lastChange = () => git("log", "-1", "--format=%h", "--", ...folders);
const commit = process.argv[2] ?? (isChanged ? "HEAD" : `${lastChange()}~`);

const row = (cells: readonly (string | number)[]) =>
  console.log(
    cells.map((cell, i) => (i === 0 ? String(cell).padEnd(18) : String(cell).padStart(12))).join(""),
  );

/** Tokens of the three texts in a file: nothing found, usual, very much. */
function tokensOf(text: string): number[] {
  return text
    .split(/^━━ .*\n/m)
    .slice(1)
    .map((part) => estimateTokens(part.trim()));
}

row(["", "nothing", "usual", "very much", "in all", `at ${commit}`]);
const totals = [0, 0, 0, 0, 0];
const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .sort()
    .map((file) => ({ folder, file })),
);
for (const { folder, file } of files) {
  const parts = tokensOf(readFileSync(join(root, folder, file), "utf8"));
  const shown = spawnSync("git", ["show", `${commit}:${folder}/${file}`], { cwd: root, encoding: "utf8" });
  const before = shown.status === 0 ? tokensOf(shown.stdout).reduce((a, b) => a + b, 0) : 0;
  const cells = [...parts, parts.reduce((a, b) => a + b, 0), before];
  for (const [i, cell] of cells.entries()) totals[i] = (totals[i] ?? 0) + cell;
  row([file.replace(/\.txt$/, ""), ...cells]);
}
row(["all", ...totals]);
