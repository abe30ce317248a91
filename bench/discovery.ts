// Finding the right tool: how well and how fast, side by side with other ways, in one run.
//   npm run bench:discovery -- [--data DIR] [--quick]
// DIR holds <set>/tools.jsonl and <set>/queries.jsonl. Wield's numbers were set on the odd lines; what it looks
// at at all was chosen with the results of all lines in view, so the even ones are no stranger to it either.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { ToolDocument } from "../src/discovery/tool-document.ts";
import { ToolIndex } from "../src/discovery/tool-index.ts";
import { openDatabase } from "../src/store/database.ts";
import { sqliteUses } from "../src/store/sqlite-uses.ts";
import type { Uses } from "../src/store/uses.ts";
import { type Engine, engines, type Search, wield } from "./discovery-engines.ts";

interface Query {
  query: string;
  gold: string[];
}
interface Corpus {
  name: string;
  tools: ToolDocument[];
  queries: Query[];
}

const { values } = parseArgs({ options: { data: { type: "string" }, quick: { type: "boolean" } } });
const folder = resolve(values.data ?? join(import.meta.dirname, "../../shared/data/tool-search"));
if (!existsSync(folder)) {
  console.error(`bench:discovery: no data in ${folder}. Name the folder with --data DIR.`);
  process.exit(1);
}
const sets = readdirSync(folder).map(
  (name): Corpus => ({ name, tools: lines(name, "tools"), queries: lines(name, "queries") }),
);
const merged = sets.flatMap(({ name, tools }) => tools.map((t) => ({ ...t, name: `${t.name}@${name}` })));

await quality();
await halves();
await together();
await afterUse();
if (!values.quick) await speed();

function lines<T>(set: string, file: string): T[] {
  const text = readFileSync(join(folder, set, `${file}.jsonl`), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

async function quality(): Promise<void> {
  heading("Each set alone, all queries: R@1/3/5/10 · NDCG@10");
  for (const { name, tools, queries } of sets) {
    console.log(`${name}: ${tools.length} tools, ${queries.length} queries`);
    for (const engine of engines) {
      row(engine.name, await measure(await engine.build(tools), queries));
    }
  }
}

async function halves(): Promise<void> {
  heading("wield on the lines that its numbers were set on (odd) and on the others (even)");
  for (const { name, tools, queries } of sets) {
    const search = await wield.build(tools);
    row(
      name,
      `odd ${await measure(search, half(queries, 0))}   even ${await measure(search, half(queries, 1))}`,
    );
  }
}

async function together(): Promise<void> {
  heading(`All sets in one catalogue of ${merged.length} tools`);
  for (const engine of engines.filter(({ name }) => name === "bm25f" || name === "wield")) {
    const search = await engine.build(merged);
    for (const { name, queries } of sets) {
      const renamed = queries.map(({ query, gold }) => ({ query, gold: gold.map((g) => `${g}@${name}`) }));
      row(`${engine.name} ${name}`, await measure(search, renamed));
    }
  }
}

/**
 * The odd lines happened, the even lines are asked; what led to which tool goes through the store. First as if every odd line had
 * led to its tools, then as in a session that only ever calls what its search found among the first five.
 */
async function afterUse(): Promise<void> {
  heading("wield with use history: odd lines as past uses, even lines asked");
  for (const { name, tools, queries } of sets) {
    for (const found of [false, true]) {
      const db = openDatabase(":memory:", "");
      const uses = sqliteUses(db);
      const index = new ToolIndex();
      for (const document of tools) index.add(document);
      const documents = new Map(tools.map((document) => [document.name, document]));
      for (const { query, gold } of half(queries, 0)) {
        const reached = found ? index.search(query, 5) : gold;
        for (const tool of gold.filter((wanted) => reached.includes(wanted))) uses.record(query, tool);
        if (found) learn(index, documents, uses, gold);
      }
      learn(index, documents, uses, [...documents.keys()]);
      const search: Search = (query, limit) => index.search(query, limit);
      row(`${name} ${found ? "what was found" : "every use"}`, await measure(search, half(queries, 1)));
      db.close();
    }
  }
}

function learn(
  index: ToolIndex,
  documents: ReadonlyMap<string, ToolDocument>,
  uses: Uses,
  names: readonly string[],
): void {
  const recent = uses.recent(ToolIndex.usesKept);
  for (const name of names) {
    const document = documents.get(name);
    if (document && recent.has(name)) index.add({ ...document, uses: recent.get(name) ?? [] });
  }
}

async function speed(): Promise<void> {
  heading("Build ms, then p50, p95 and mean CPU ms of a query of at most 20 words");
  const queries = sets
    .flatMap((set) => set.queries.map(({ query }) => query))
    .filter((query) => query.split(/\s+/).length <= 20)
    .filter((_, i) => i % 9 === 0);
  for (const count of [100, 1_000, 10_000, 50_000]) {
    const tools = Array.from({ length: count }, (_, i) => {
      const copy = merged[(i * 7919) % merged.length] as ToolDocument;
      return i < merged.length ? copy : { ...copy, name: `${copy.name}_${i}` };
    });
    console.log(`${count} tools, ${queries.length} queries`);
    for (const engine of engines) {
      row(engine.name, await timed(engine, tools, queries));
    }
  }
}

async function timed(engine: Engine, tools: ToolDocument[], queries: string[]): Promise<string> {
  const started = performance.now();
  const search = await engine.build(tools);
  const built = performance.now() - started;
  // Whoever is slow is asked for some seconds only, and at least a few dozen times.
  const ask = async (least: number, ms: number) => {
    const times: number[] = [];
    const began = performance.now();
    for (const query of queries) {
      if (times.length >= least && performance.now() - began > ms) break;
      const at = performance.now();
      await search(query, 5);
      times.push(performance.now() - at);
    }
    return times.sort((a, b) => a - b);
  };
  await ask(5, 500);
  const before = process.cpuUsage();
  const times = await ask(40, 4_000);
  const { user, system } = process.cpuUsage(before);
  const quantile = (q: number) => (times[Math.floor(times.length * q)] ?? 0).toFixed(2);
  const cpu = ((user + system) / 1000 / times.length).toFixed(2);
  return `${built.toFixed(0)} / ${quantile(0.5)} / ${quantile(0.95)} / ${cpu}`;
}

async function measure(search: Search, queries: readonly Query[]): Promise<string> {
  const cuts = [1, 3, 5, 10];
  const recall = cuts.map(() => 0);
  let gain = 0;
  for (const { query, gold } of queries) {
    const found = await search(query, 10);
    const wanted = new Set(gold);
    for (const [at, cut] of cuts.entries())
      recall[at] = (recall[at] ?? 0) + found.slice(0, cut).filter((n) => wanted.has(n)).length / wanted.size;
    const dcg = found.reduce((sum, n, i) => sum + (wanted.has(n) ? 1 / Math.log2(i + 2) : 0), 0);
    const ideal = [...wanted].slice(0, 10).reduce((sum, _, i) => sum + 1 / Math.log2(i + 2), 0);
    gain += dcg / ideal;
  }
  const percent = (value: number) => ((100 * value) / queries.length).toFixed(1);
  return `${recall.map(percent).join("/")} · ${percent(gain)}`;
}

function half<T>(items: readonly T[], which: 0 | 1): T[] {
  return items.filter((_, i) => i % 2 === which);
}

function heading(text: string): void {
  console.log(`\n## ${text}`);
}

function row(name: string, text: string): void {
  console.log(`  ${name.padEnd(20)} ${text}`);
}
