// Code intelligence beside ctags, ripgrep and itself. WIELD_BENCH_TREE names the tree to index (for example a checkout of
// kubernetes); without it, sources of Debian and npm packages are fetched once. ctags is installed where that is possible.
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { corporaFolder } from "../scripts/corpora.ts";
import { CodeIntelligence } from "../src/code/code.ts";
import { openWorkspace } from "../src/workspace/open-workspace.ts";
import { quantile, verdict } from "./measure.ts";

const home = resolve(import.meta.dirname, "..");
const scratch = mkdtempSync(join(tmpdir(), "wield-bench-"));
const tree = resolve(process.env["WIELD_BENCH_TREE"] ?? fetchCorpora());
if (spawnSync("ctags", ["--version"]).status !== 0)
  spawnSync("apt-get", ["install", "-y", "-qq", "universal-ctags"], { stdio: "ignore" });
const hasCtags = spawnSync("ctags", ["--version"]).status === 0;
let states = 0;
const newState = () => join(scratch, `state${states++}`);
const workspace = await openWorkspace(tree, { stateDir: newState() });

const { changed: all } = await workspace.survey(undefined);
const bytes = all.reduce((sum, { size }) => sum + size, 0);
const count = all.length;
console.log(`${tree}: ${count} files, ${(bytes / 1e6).toFixed(0)} MB`);

// Words index against ctags.
const state = newState();
let code = new CodeIntelligence(workspace, state);
const before = process.memoryUsage().rss;
const words = await time(() => code.status());
const memory = (process.memoryUsage().rss - before) / 1e6;
const ctags = hasCtags
  ? await time(() => execFileSync("ctags", ["-R", "-f", "/dev/null", tree], { stdio: "ignore" }))
  : Number.NaN;
console.log(`\nWords index: ${ms(words)}, ctags: ${ms(ctags)}`);
verdict(`words index / ctags: ${ratio(words, ctags)}`, "≤ 1×", words <= ctags);
verdict(`memory: ${memory.toFixed(0)} MB more`, "≤ 400 MB", memory <= 400);
code.close();

// The first question ever, on a tree that was never indexed.
const names = declaredNames(tree);
code = new CodeIntelligence(workspace, newState());
const first = await time(() => code.definitions(names[0] ?? "main", undefined));
verdict(
  `first definition ever: ${ms(first)}, ${ratio(first, words)} of the words index`,
  "≤ 1.5×",
  first <= 1.5 * words,
);
code.close();

// The whole syntax cache, by one and by two threads.
const builds: number[] = [];
for (const threads of [1, 2]) {
  code = new CodeIntelligence(workspace, threads === 2 ? state : newState());
  await code.status();
  builds.push(await time(() => code.build({ threads })));
  if (threads === 1) code.close();
}
const [alone = 0, together = 0] = builds;
console.log(`\nWhole syntax cache: one thread ${ms(alone)}, two threads ${ms(together)}`);
verdict(`two threads are ${ratio(alone, together)} as fast`, "≥ 1.7×", alone >= 1.7 * together);
verdict(
  `memory: ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB in all`,
  "≤ 500 MB",
  process.memoryUsage().rss < 500e6,
);

// Definitions in a warm process.
const unseen: number[] = [];
const seen: number[] = [];
await code.definitions("warm", undefined);
for (const name of names.slice(0, 300)) {
  await code.status();
  unseen.push(await time(() => code.definitions(name, undefined)));
  seen.push(await time(() => code.definitions(name, undefined)));
}
report("definition, name never asked for", unseen, 2);
report("definition, name asked for before", seen, 0.2);

// One changed file: by ourselves, who know which; and by others, which takes a look at all.
const target = `wield-bench-${process.pid}.ts`;
for (const told of [true, false]) {
  const updates: number[] = [];
  for (let i = 0; i < 10; i++) {
    writeFileSync(join(tree, target), `export function benchmarked${i}${told}() {}\n`);
    const asked = `benchmarked${i}${told}`;
    if (i === 0) code.invalidate();
    updates.push(
      await time(async () => {
        code.invalidate(told ? [target] : undefined);
        await code.definitions(asked, undefined);
      }),
    );
  }
  if (told) report("definition in a file that Wield has changed just now", updates.slice(1), 50);
  else console.log(`  definition in a file that another has changed just now: p50 ${ms(median(updates))}`);
}
rmSync(join(tree, target));
code.invalidate();

// grep: the warm index against ripgrep.
const rare = names.slice(0, 20);
const ours: number[] = [];
const theirs: number[] = [];
await code.status();
for (const pattern of rare) {
  await code.status();
  ours.push(await time(async () => searchIn((await code.filesThatMayMatch(pattern)) ?? [], pattern)));
  theirs.push(await time(() => spawnSync(rgPath, ["--no-config", "--hidden", "-n", "-e", pattern, tree])));
}
console.log(`\ngrep, selective pattern: ours p50 ${ms(median(ours))}, ripgrep p50 ${ms(median(theirs))}`);
verdict(`ours is ${ratio(median(theirs), median(ours))} as fast`, "≥ 3×", median(theirs) >= 3 * median(ours));

// search_code.
const searches: number[] = [];
const questions = [
  "retry with backoff",
  "parse a header",
  "close the connection",
  "read the configuration file",
  "hash table insert",
  "split a string",
  "print an error message",
  "allocate memory",
];
for (const question of questions) await code.search(question);
for (const question of questions.flatMap((q) => [q, `${q} of the client`])) {
  await code.status();
  searches.push(await time(() => code.search(question)));
}
report(`search_code on about ${Math.round(bytes / 1500)} chunks`, searches, 15);
code.close();

// From the command line, with the index on disk, beside an empty program.
if (existsSync(join(home, "dist/cli.js"))) {
  const env = { ...process.env, XDG_STATE_HOME: newState(), XDG_CONFIG_HOME: join(scratch, "config") };
  const call = () =>
    execFileSync(
      process.execPath,
      [join(home, "dist/cli.js"), "call", "definition", JSON.stringify({ symbol: names[1] }), "-w", tree],
      { env, stdio: ["ignore", "pipe", "ignore"] },
    );
  execFileSync(process.execPath, [join(home, "dist/cli.js"), "index", "-w", tree], { env, stdio: "ignore" });
  const cli: number[] = [];
  const empty: number[] = [];
  for (let i = 0; i < 7; i++) {
    cli.push(await time(call));
    empty.push(await time(() => execFileSync(process.execPath, ["-e", "0"])));
  }
  console.log(`\ndefinition from the command line: p50 ${ms(median(cli))}, node -e 0: ${ms(median(empty))}`);
  verdict(
    `${ratio(median(cli), median(empty))} of an empty program`,
    "≤ 2×",
    median(cli) <= 2 * median(empty),
  );
} else console.log("\ndefinition from the command line: not measured, run 'npm run build' first");

// Growth.
console.log("\nGrowth of the words index with the bytes");
const part = join(scratch, "part");
copySome(tree, part, 8e6);
const growth: { size: number; took: number }[] = [];
for (const times of [1, 4, 16]) {
  const root = join(scratch, `grown${times}`);
  for (let i = 0; i < times; i++) cpSync(part, join(root, `copy${i}`), { recursive: true });
  const grown = await openWorkspace(root, { stateDir: newState() });
  const index = new CodeIntelligence(grown, newState());
  const took = await time(() => index.status());
  growth.push({ size: times, took });
  console.log(`  ${times}×: ${ms(took)}`);
  index.close();
  grown.close();
}
const [small, , large] = growth;
if (small && large)
  verdict(
    `16× the bytes take ${ratio(large.took, small.took)} the time`,
    "≤ 20×",
    large.took <= 20 * small.took,
  );
rmSync(scratch, { recursive: true });
workspace.close();

async function time(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function report(title: string, times: number[], goal: number): void {
  const sorted = times.toSorted((a, b) => a - b);
  const p50 = quantile(sorted, 0.5);
  verdict(`${title}: p50 ${ms(p50)}, p95 ${ms(quantile(sorted, 0.95))}`, `< ${goal} ms`, p50 < goal);
}

function median(times: number[]): number {
  return quantile(
    times.toSorted((a, b) => a - b),
    0.5,
  );
}

function ms(value: number): string {
  return value < 1
    ? `${(value * 1000).toFixed(0)} µs`
    : value < 100
      ? `${value.toFixed(1)} ms`
      : `${(value / 1000).toFixed(2)} s`;
}

function ratio(a: number, b: number): string {
  return `${(a / b).toFixed(2)}×`;
}

/** Lines with the text, as the grep tool reads them. */
function searchIn(files: string[], text: string): number {
  let found = 0;
  for (const file of files)
    for (const line of readFileSync(join(tree, file), "utf8").split("\n")) if (line.includes(text)) found++;
  return found;
}

/** Some names that are declared in the tree, the same ones every time. */
function declaredNames(root: string): string[] {
  const { stdout } = spawnSync(
    rgPath,
    ["--no-config", "-I", "-N", "-o", "-e", "(func|fn|def|class|struct|function) +[A-Za-z]\\w{7,}", root],
    { maxBuffer: 1 << 28, encoding: "utf8" },
  );
  const names = [...new Set(stdout.split("\n").map((line) => line.split(/ +/)[1] ?? ""))]
    .filter(Boolean)
    .sort();
  const step = Math.max(1, Math.floor(names.length / 400));
  return names.filter((_, i) => i % step === 0);
}

/** Whole folders of the tree until there are so many bytes. */
function copySome(from: string, to: string, most: number): void {
  let size = 0;
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || size > most || !/\.(?:go|rs|c|h|cc|java|py|ts)$/.test(entry.name)) continue;
    const bytes = readFileSync(join(entry.parentPath, entry.name));
    size += bytes.length;
    writeFileSync(join(to, `${size}-${entry.name}`), bytes);
  }
}

function fetchCorpora(): string {
  spawnSync(process.execPath, [join(home, "scripts/corpora.ts")], { stdio: "inherit" });
  if (!existsSync(corporaFolder)) {
    console.log("No sources to measure on: set WIELD_BENCH_TREE to a folder.");
    process.exit(0);
  }
  return corporaFolder;
}
