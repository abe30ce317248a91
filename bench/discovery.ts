// Finding the right tool: how well and how fast, side by side with other ways, in one run.
//   npm run bench:discovery -- [--data DIR] [--quick]
// DIR holds <set>/tools.jsonl and <set>/queries.jsonl. Wield's numbers were tuned on the odd lines only.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { ToolDocument } from "../src/discovery/tool-document.ts";
import { ToolIndex } from "../src/discovery/tool-index.ts";
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
      const asked = engine.sample ? queries.filter((_, i) => i % (engine.sample ?? 1) === 0) : queries;
      const result = await measure(await engine.build(tools), asked);
      row(engine.name, `${result}${engine.sample ? `  (every ${engine.sample}th query)` : ""}`);
    }
  }
}

async function halves(): Promise<void> {
  heading("wield on the lines it was tuned on (odd) and on the others (even)");
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

/** The odd lines happened: each led to a call. The even lines are asked. */
async function afterUse(): Promise<void> {
  heading("wield after use: odd lines remembered, even lines asked");
  for (const { name, tools, queries } of sets) {
    const uses = new Map<string, string[]>();
    for (const { query, gold } of half(queries, 0))
      for (const tool of gold) uses.set(tool, [...(uses.get(tool) ?? []), query].slice(-ToolIndex.usesKept));
    const search = await wield.build(tools.map((t) => ({ ...t, uses: uses.get(t.name) ?? [] })));
    row(name, await measure(search, half(queries, 1)));
  }
}

async function speed(): Promise<void> {
  heading("Build ms, then p50 and p95 ms of a query of at most 20 words");
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
      if (count > (engine.most ?? Number.POSITIVE_INFINITY)) continue;
      row(engine.name, await timed(engine, tools, queries));
    }
  }
}

async function timed(engine: Engine, tools: ToolDocument[], queries: string[]): Promise<string> {
  const started = performance.now();
  const search = await engine.build(tools);
  const built = performance.now() - started;
  const asked = queries.filter((_, i) => i % (engine.sample ?? 1) === 0);
  for (const query of asked.slice(0, 40)) await search(query, 5);
  const times: number[] = [];
  for (const query of asked) {
    const at = performance.now();
    await search(query, 5);
    times.push(performance.now() - at);
  }
  times.sort((a, b) => a - b);
  const quantile = (q: number) => (times[Math.floor(times.length * q)] ?? 0).toFixed(2);
  return `${built.toFixed(0)} / ${quantile(0.5)} / ${quantile(0.95)}`;
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
