// Tokens that the explore agent needs for an answer, and what the same questions cost with files and text search alone.
// The offline model asks on both sides, so that the difference is that of the tools. A language model takes more steps;
// what its first look costs is the same.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createWield } from "../src/app/wield.ts";

const questions = [
  "Where is createRuntime defined?",
  "Where is SessionLog defined?",
  "Who uses judgeLoop?",
  "Who uses estimateTokens?",
  "What files use src/text/digest.ts?",
  "Outline src/runtime/runtime.ts",
  "Outline src/workspace/change-sets.ts",
  "Show the structure of src",
  "Find /new Failure\\(\\s*$/",
  "What is the version in package.json?",
];
const goal = 60_000;

const home = mkdtempSync(join(tmpdir(), "wield-bench-"));
const env = { HOME: home, PATH: process.env["PATH"] };
const wield = await createWield({ workspace: resolve(import.meta.dirname, ".."), env });
try {
  const width = Math.max(...questions.map((question) => question.length));
  const line = (name: string, values: readonly (number | string)[]) =>
    console.log([name.padEnd(width), ...values.map((value) => String(value).padStart(15))].join(""));
  line("", ["in all", "results", "plain results"]);
  const rows: number[][] = [];
  for (const question of questions) {
    const explore = await costOf("explore", question);
    const plain = await costOf("code", question);
    rows.push([explore.all, explore.results, plain.results]);
    line(question, [explore.all, explore.results, plain.results]);
  }
  const [all = 0, results = 0, plain = 1] = [0, 1, 2].map((column) =>
    average(rows.map((row) => row[column] ?? 0)),
  );
  line("average", [all, results, plain]);
  console.log(`results, explore/plain: ${(results / plain).toFixed(2)}`);
  console.log(`in all: ${all <= goal ? "within" : "over"} ${goal} tokens an answer`);
} finally {
  await wield.close();
  rmSync(home, { recursive: true, force: true });
}

/** Tokens of a whole run, and of what its calls returned. */
async function costOf(
  profile: "explore" | "code",
  question: string,
): Promise<{ all: number; results: number }> {
  const plain = ["read_file", "list_files", "search_files", "find_files"];
  const agent = await wield.agent({ profile, model: "offline", ...(profile === "code" && { tools: plain }) });
  const { usage, session } = await agent.send(question);
  const newest = await wield.store.calls({ limit: 100 });
  const calls = newest.filter((call) => call.session === session);
  const results = calls.reduce((sum, call) => sum + call.tokensOut, 0);
  return { all: usage.inputTokens + usage.outputTokens, results };
}

function average(values: readonly number[]): number {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}
