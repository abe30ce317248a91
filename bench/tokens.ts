// Tokens and calls for "where is X defined, show its body" and "who uses X": grep and read against definition and
// references, over symbols of three real packages, drawn with a fixed seed.
import { cpSync, existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { testWield } from "../src/testing/testing.ts";
import { estimateTokens } from "../src/text/tokens.ts";
import { type Answer, askAll, readQuestions, summary } from "./code-search.ts";
import { verdict } from "./measure.ts";

const packages = ["zod/src", "ai/src", "@ai-sdk/provider-utils/src"];
const perPackage = [67, 67, 66];

interface Found {
  name: string;
  file: string;
  line: number;
  startLine: number;
  endLine: number;
}
interface Cost {
  tokens: number;
  calls: number;
}

const totals = { definition: { old: zero(), ours: zero() }, usage: { old: zero(), ours: zero() } };
let asked = 0;
for (const [index, folder] of packages.entries()) {
  const place = await testWield();
  cpSync(resolve(import.meta.dirname, "../node_modules", folder), join(place.root, "src"), {
    recursive: true,
  });
  await (await place.wield.code()).build({ threads: 1 });
  const say = async (tool: string, input: Record<string, unknown>, cost: Cost) => {
    const outcome = await place.wield.callAny(tool, input);
    cost.tokens += estimateTokens(outcome.text) + estimateTokens(JSON.stringify(input));
    cost.calls++;
    return outcome.result;
  };
  for (const symbol of draw(await declared(place.wield), perPackage[index] ?? 0, index + 1)) {
    asked++;
    await grepAndRead(symbol, say, totals.definition.old);
    await definitionAndRead(symbol, say, totals.definition.ours);
    await grepAll(symbol, say, totals.usage.old);
    await say("references", { symbol: `${symbol.file}#${symbol.name}` }, totals.usage.ours);
  }
  await place.close();
}
for (const [question, { old, ours }] of Object.entries(totals)) {
  const per = (cost: Cost) =>
    `${Math.round(cost.tokens / asked)} tokens, ${(cost.calls / asked).toFixed(1)} calls`;
  console.log(
    `\n${question === "definition" ? "Where is X defined, and show its body" : "Who uses X"} (${asked} symbols, a question)`,
  );
  console.log(`  grep and read   ${per(old)}`);
  console.log(`  ours            ${per(ours)}`);
  verdict(
    `1/${(old.tokens / ours.tokens).toFixed(1)} of the tokens`,
    "≤ 1/10",
    old.tokens >= 10 * ours.tokens,
  );
  verdict(`${(ours.calls / asked).toFixed(1)} calls`, "≤ 2", ours.calls <= 2 * asked);
}
await findTheFile();

/** Issue texts, each asked once with search_code: is a file that the fix changed among those shown with code? */
async function findTheFile(): Promise<void> {
  console.log("\nWhich file is this issue about, one search_code");
  const shared = join(import.meta.dirname, "../../shared/data/code-search/queries.jsonl");
  const { WIELD_CODE_SEARCH: queries = existsSync(shared) ? shared : "", WIELD_REPOSITORIES: repositories } =
    process.env;
  const answers: Answer[] = [];
  if (queries && repositories)
    for await (const answer of askAll(readQuestions(queries), repositories, console.log))
      answers.push(answer);
  if (answers.length === 0) {
    console.log("  not measured: set WIELD_CODE_SEARCH (questions) and WIELD_REPOSITORIES (git directories)");
    return;
  }
  const { shown, accuracy, ndcg } = summary(answers);
  const percent = (share: number | undefined) => `${(100 * (share ?? 0)).toFixed(1)} %`;
  const within = new Map(shown).get(2_000) ?? 0;
  verdict(`${percent(within)} of ${answers.length} questions within 2,000 tokens`, "≥ 88 %", within >= 0.88);
  const at = new Map(accuracy);
  console.log(`  right file first ${percent(at.get(1))}, among five ${percent(at.get(5))}`);
  verdict(`NDCG@10 ${ndcg.toFixed(3)}`, "≥ 0.83", ndcg >= 0.83);
}

type Say = (
  tool: string,
  input: Record<string, unknown>,
  cost: Cost,
) => Promise<{ ok: boolean; value?: unknown }>;

/** The old way: 50 matches, then 300 lines around each in turn until the definition is among them; then on to its end. */
async function grepAndRead(symbol: Found, say: Say, cost: Cost): Promise<void> {
  let cursor: string | undefined;
  for (let page = 0; page < 10; page++) {
    const result = await say(
      "search_files",
      { pattern: `\\b${symbol.name}\\b`, ...(cursor && { cursor }) },
      cost,
    );
    const value = result.value as { matches: { file: string; line: number }[]; nextCursor?: string };
    const seen = new Set<string>();
    for (const { file, line } of value.matches) {
      const start = Math.floor((line - 1) / 300) * 300 + 1;
      if (seen.has(`${file}:${start}`)) continue;
      seen.add(`${file}:${start}`);
      await say("read", { file, start_line: start, num_lines: 300 }, cost);
      if (file !== symbol.file || symbol.line < start || symbol.line >= start + 300) continue;
      for (let next = start + 300; next <= symbol.endLine; next += 300)
        await say("read", { file, start_line: next, num_lines: 300 }, cost);
      return;
    }
    cursor = value.nextCursor;
    if (!cursor) return;
  }
}

async function definitionAndRead(symbol: Found, say: Say, cost: Cost): Promise<void> {
  const result = await say("definition", { symbol: symbol.name }, cost);
  const { matches } = result.value as { matches: Found[] };
  const place = matches.find((m) => m.file === symbol.file && m.line === symbol.line) ?? symbol;
  await say(
    "read",
    {
      file: place.file,
      start_line: place.startLine,
      num_lines: Math.min(300, place.endLine - place.startLine + 1),
    },
    cost,
  );
}

/** The old way: every page of matches, then 300 lines of each file once, to see which function each use is in. */
async function grepAll(symbol: Found, say: Say, cost: Cost): Promise<void> {
  let cursor: string | undefined;
  const files = new Map<string, number>();
  do {
    const result = await say(
      "search_files",
      { pattern: `\\b${symbol.name}\\b`, ...(cursor && { cursor }) },
      cost,
    );
    const value = result.value as { matches: { file: string; line: number }[]; nextCursor?: string };
    for (const { file, line } of value.matches) if (!files.has(file)) files.set(file, line);
    cursor = value.nextCursor;
  } while (cursor);
  for (const [file, line] of files)
    await say("read", { file, start_line: Math.max(1, line - 150), num_lines: 300 }, cost);
}

/** Every top-level function, class and type of the package's own code. */
async function declared(wield: Awaited<ReturnType<typeof testWield>>["wield"]): Promise<Found[]> {
  const all: Found[] = [];
  for await (const { path: file } of wield.workspace.walk({ under: "src" })) {
    if (!file.endsWith(".ts") || /\.test\.|\/tests\//.test(file)) continue;
    const { syntax } = await (await wield.code()).outline(file);
    for (const { name, kind, line, startLine, endLine, parent } of syntax.declarations) {
      if (parent === -1 && /^(?:func|class|interface|type)$/.test(kind) && name.length > 3)
        all.push({ name, file, line, startLine, endLine });
    }
  }
  return all;
}

/** The same ones every time. */
function draw<T>(all: readonly T[], count: number, seed: number): T[] {
  let state = seed * 2_654_435_761;
  const left = [...all];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return left.splice(state % left.length, 1)[0] as T;
  });
}

function zero(): Cost {
  return { tokens: 0, calls: 0 };
}
