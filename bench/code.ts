// Code intelligence beside ctags, codegraph, ripgrep and itself. WIELD_BENCH_TREE names the trees to measure on, with
// commas between (for example checkouts of redis, django and kubernetes); without it, sources of Debian and npm packages
// are fetched once. ctags and codegraph are fetched where that is possible.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { corporaFolder } from "../scripts/corpora.ts";
import { createWield, type Wield } from "../src/app/wield.ts";
import { codegraphInit, fetchCodegraph } from "./code/codegraph.ts";
import { grepRows } from "./code/grep.ts";
import { growthRows } from "./code/growth.ts";
import { declaredNames, median, ms, ratio, time, timed, within } from "./code/measuring.ts";
import { oracleRows } from "./code/oracles.ts";
import { wholeIndexRow } from "./code/whole-index.ts";
import { verdict } from "./measure.ts";

interface Measured {
  ms: number;
  cpu: number;
  megabytes: number;
}

/** Names that stand nearly everywhere. */
const broadNames = ["new", "get", "close", "New", "Get", "Close", "Name", "name", "string", "run"];

/** On a larger tree codegraph takes many minutes. */
const codegraphBytes = 100e6;

const home = resolve(import.meta.dirname, "..");
const scratch = mkdtempSync(join(tmpdir(), "wield-bench-"));
const trees = (process.env["WIELD_BENCH_TREE"] ?? fetchCorpora()).split(",").map((tree) => resolve(tree));
let states = 0;
const newState = () => join(scratch, `state${states++}`);
execFileSync(process.execPath, [join(home, "scripts/build.ts"), "--quiet"], { stdio: "inherit" });
if (spawnSync("ctags", ["--version"]).status !== 0)
  spawnSync("apt-get", ["install", "-y", "-qq", "universal-ctags"], { stdio: "ignore" });
const hasCtags = spawnSync("ctags", ["--version"]).status === 0;
const codegraph = fetchCodegraph(join(scratch, "codegraph"));

for (const tree of trees) await measure(tree);
const [smallest = ""] = trees;
growthRows(smallest, scratch, (grown) => inOwnProcess("words", grown, newState()));
oracleRows();
rmSync(scratch, { recursive: true });

async function measure(tree: string): Promise<void> {
  const cold = await open(tree, newState());
  let bytes = 0;
  let files = 0;
  for await (const { type, size } of cold.workspace.walk({ hidden: true })) {
    if (type === "file") files++;
    if (type === "file") bytes += size;
  }
  console.log(`\n── ${tree}: ${files} files, ${(bytes / 1e6).toFixed(0)} MB`);
  const names = declaredNames(tree);
  const words = wordsRows(tree);
  await firstRow(tree, names[0] ?? "main", words);
  const state = newState();
  await cacheRows(tree, state, bytes);
  await wholeIndexRow(home, tree, newState());
  const warm = await open(tree, state);
  await definitionRows(warm, tree, names);
  await grepRows(warm, cold, tree, names);
  await searchRow(warm, bytes);
  await broadRow(warm);
  await warm.close();
  await cold.close();
  await commandRow(tree, state, names[1] ?? "main");
}

/** The middle of three turns each. */
function wordsRows(tree: string): number {
  const ours: Measured[] = [];
  const theirs: { ms: number; cpu: number }[] = [];
  for (let i = 0; i < 3; i++) {
    ours.push(inOwnProcess("words", tree, newState()));
    if (hasCtags) theirs.push(timed("ctags", ["-R", "-f", "/dev/null", tree]));
  }
  const of = (all: readonly { ms: number; cpu: number }[], what: "ms" | "cpu") =>
    median(all.map((one) => one[what]));
  const words = of(ours, "ms");
  const memory = Math.max(...ours.map((one) => one.megabytes));
  console.log(`\nWords index: ${ms(words)} (${ms(of(ours, "cpu"))} of processor time, all threads)`);
  if (hasCtags) {
    const ctags = of(theirs, "ms");
    console.log(`ctags: ${ms(ctags)} (${ms(of(theirs, "cpu"))} of processor time)`);
    verdict(`words index / ctags: ${ratio(words, ctags)}`, "≤ 1×", words <= ctags);
  } else console.log("ctags cannot be installed here");
  verdict(`memory of its process at most: ${memory.toFixed(0)} MB`, "≤ 400 MB", memory <= 400);
  return words;
}

/** The first question ever, on a tree that was never indexed. */
async function firstRow(tree: string, name: string, words: number): Promise<void> {
  const wield = await open(tree, newState());
  const first = await time(() => wield.call("definition", { symbol: name }));
  await wield.close();
  verdict(
    `first definition ever: ${ms(first)}, ${ratio(first, words)} of the words index`,
    "≤ 1.5×",
    first <= 1.5 * words,
  );
}

/** The whole syntax cache, by one and by two threads; the index of the last one is left in `state`. */
async function cacheRows(tree: string, state: string, bytes: number): Promise<void> {
  const build = (threads: number, into: string) => {
    inOwnProcess("words", tree, into);
    return inOwnProcess("fill", tree, into, threads);
  };
  const alone = build(1, newState());
  const together = build(2, state);
  const told = (one: Measured) => `${ms(one.ms)} (${ms(one.cpu)} of processor time)`;
  console.log(`\nWhole syntax cache: one thread ${told(alone)}, two threads ${told(together)}`);
  verdict(`two threads are ${ratio(alone.ms, together.ms)} as fast`, "≥ 1.7×", alone.ms >= 1.7 * together.ms);
  const memory = together.megabytes;
  verdict(`memory of its process at most: ${memory.toFixed(0)} MB`, "≤ 500 MB", memory <= 500);
  if (bytes > codegraphBytes) return console.log("  codegraph: not measured on so large a tree");
  const theirs = codegraph && (await codegraphInit(codegraph, tree, scratch));
  if (!theirs) return console.log(`  codegraph: ${codegraph ? "failed here" : "cannot be installed here"}`);
  verdict(
    `codegraph init takes ${ms(theirs)}, ${ratio(theirs, together.ms)} our time`,
    "≥ 5×",
    theirs >= 5 * together.ms,
  );
}

async function definitionRows(wield: Wield, tree: string, names: string[]): Promise<void> {
  console.log("\ndefinition");
  const code = await wield.code();
  const unseen: number[] = [];
  const seen: number[] = [];
  await code.definitions("warm", undefined);
  for (const name of names.slice(0, 300)) {
    await code.status();
    unseen.push(await time(() => code.definitions(name, undefined)));
    seen.push(await time(() => code.definitions(name, undefined)));
  }
  within("name never asked for", unseen, 2);
  within("name asked for before", seen, 0.2);
  // One changed file: by ourselves, who know which; and by others, which takes a look at all.
  const target = `wield-bench-${process.pid}.ts`;
  for (const told of [true, false]) {
    const updates: number[] = [];
    for (let i = 0; i < 10; i++) {
      writeFileSync(join(tree, target), `export function benchmarked${i}${told}() {}\n`);
      if (i === 0) code.invalidate();
      updates.push(
        await time(async () => {
          code.invalidate(told ? [target] : undefined);
          await code.definitions(`benchmarked${i}${told}`, undefined);
        }),
      );
    }
    if (told) within("in a file that Wield has changed just now", updates.slice(1), 50);
    else console.log(`  in a file that another has changed just now: p50 ${ms(median(updates))}`);
  }
  rmSync(join(tree, target));
  code.invalidate();
  await code.status();
}

async function searchRow(wield: Wield, bytes: number): Promise<void> {
  const code = await wield.code();
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
  const times: number[] = [];
  for (const question of questions.flatMap((q) => [q, `${q} of the client`])) {
    await code.status();
    times.push(await time(() => code.search(question)));
  }
  console.log("");
  within(`search_code on about ${Math.round(bytes / 1500)} chunks`, times, 15);
}

/** Counted and sorted as far as that can be done at once. */
async function broadRow(wield: Wield): Promise<void> {
  const times: number[] = [];
  for (const symbol of broadNames) times.push(await time(() => wield.call("references", { symbol })));
  const slowest = Math.max(...times);
  verdict(`references of a broad name: ${ms(slowest)} at most`, "≤ 1 s", slowest <= 1_000);
}

/** From the command line, with the index on disk, beside an empty program. */
async function commandRow(tree: string, state: string, name: string): Promise<void> {
  const env = { ...process.env, XDG_STATE_HOME: state, XDG_CONFIG_HOME: join(state, "config") };
  const call = (tool: string, input: object) =>
    // As bin/wield starts it.
    execFileSync(
      process.execPath,
      [
        "--min-semi-space-size=32",
        join(home, "dist/cli.js"),
        "call",
        tool,
        JSON.stringify(input),
        "-w",
        tree,
      ],
      { env, stdio: ["ignore", "pipe", "ignore"] },
    );
  const asked: number[] = [];
  const empty: number[] = [];
  for (let i = -1; i < 11; i++) {
    const took = await time(() => call("definition", { symbol: name }));
    const nothing = await time(() => execFileSync(process.execPath, ["-e", "0"]));
    if (i >= 0) {
      asked.push(took);
      empty.push(nothing);
    }
  }
  verdict(
    `definition from the command line: p50 ${ms(median(asked))}, ${ratio(median(asked), median(empty))} of an empty program`,
    "≤ 2×",
    median(asked) <= 2 * median(empty),
  );
  const broad: number[] = [];
  for (const symbol of broadNames.slice(0, 5)) broad.push(await time(() => call("references", { symbol })));
  verdict(
    `references of a broad name from the command line: p50 ${ms(median(broad))}`,
    "≤ 1 s",
    median(broad) <= 1_000,
  );
}

function inOwnProcess(work: "words" | "fill", tree: string, state: string, threads = 1): Measured {
  const program = join(import.meta.dirname, "code/own-process.mjs");
  const output = execFileSync(process.execPath, [program, work, tree, state, String(threads)], {
    encoding: "utf8",
  });
  return JSON.parse(output) as Measured;
}

function open(tree: string, state: string): Promise<Wield> {
  const env = { ...process.env, XDG_STATE_HOME: state, XDG_CONFIG_HOME: join(state, "config") };
  return createWield({ workspace: tree, env });
}

function fetchCorpora(): string {
  spawnSync(process.execPath, [join(home, "scripts/corpora.ts")], { stdio: "inherit" });
  if (!existsSync(corporaFolder)) {
    console.log("No sources to measure on: set WIELD_BENCH_TREE to a folder.");
    process.exit(0);
  }
  return corporaFolder;
}
