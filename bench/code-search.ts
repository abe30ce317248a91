// Issue text → the file its fix changed. Usage: code-search.ts <queries.jsonl> <folder of git repositories> [every nth]
// The repositories are not part of this package: each line names its repository and commit, and
// <folder>/<owner>+<name>/repo is expected to be a git directory that has it. Prints shares of questions.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { filesBelow, indexFolderAt, temporaryFolder } from "../src/code/folder.suite.ts";
import { Project } from "../src/code/project.ts";
import { type FoundChunk, searchCode } from "../src/code/search.ts";
import { estimateTokens } from "../src/text/tokens.ts";

interface Question {
  repo: string;
  base_commit: string;
  query: string;
  gold_files: string[];
}

const [
  queriesFile = process.env["WIELD_CODE_SEARCH"],
  repositories = process.env["WIELD_REPOSITORIES"],
  nth = "1",
] = process.argv.slice(2);
if (!queriesFile || !repositories) {
  console.log("not measured: name the questions and the folder of git repositories");
  console.log("  node bench/code-search.ts <queries.jsonl> <folder> [every nth question]");
  console.log("  or set WIELD_CODE_SEARCH and WIELD_REPOSITORIES");
  process.exit(0);
}
const questions = readFileSync(queriesFile, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Question)
  .sort((a, b) => (a.repo === b.repo ? 0 : a.repo < b.repo ? -1 : 1))
  .filter((_, i) => i % Number(nth) === 0);

const budgets = [500, 2_000, 8_000];
const shownWithin = budgets.map(() => 0);
const accuracy = new Map([1, 5, 10].map((k) => [k, 0]));
let ndcg = 0;
let asked = 0;
let milliseconds: number[] = [];
const perRepo = new Map<string, { asked: number; at5: number }>();
for (const [repo, group] of Map.groupBy(questions, (question) => question.repo)) {
  const gitDir = join(repositories, repo.replace("/", "+"), "repo");
  if (!existsSync(gitDir)) {
    console.log(`${repo}: not here, ${group.length} questions left out`);
    continue;
  }
  const root = temporaryFolder();
  const state = temporaryFolder();
  const project = new Project(filesBelow(root), indexFolderAt(state));
  let tree = new Map<string, string>();
  for (const question of group) {
    tree = checkOut(gitDir, question.base_commit, root, tree);
    project.words.invalidate();
    await project.words.refresh();
    const started = performance.now();
    const found = await searchCode(project, question.query, { limit: 60 });
    milliseconds.push(performance.now() - started);
    asked++;
    const at = judge(found, question.gold_files);
    const stats = perRepo.get(repo) ?? { asked: 0, at5: 0 };
    perRepo.set(repo, { asked: stats.asked + 1, at5: stats.at5 + (at < 5 ? 1 : 0) });
    if (process.env["VERBOSE"])
      console.log(
        at < 1 ? "  " : at < 5 ? " ." : "XX",
        at,
        repo,
        question.gold_files.join(),
        "|",
        found
          .slice(0, 3)
          .map((c) => `${c.file}:${c.symbol ?? c.startLine}`)
          .join(" "),
        "|",
        question.query.slice(0, 80).replaceAll("\n", " "),
      );
  }
  project.close();
  rmSync(root, { recursive: true });
  rmSync(state, { recursive: true });
}
milliseconds = milliseconds.sort((a, b) => a - b);
const share = (n: number) => `${((100 * n) / asked).toFixed(1)} %`;
console.log(`questions: ${asked}`);
for (const [i, budget] of budgets.entries()) {
  console.log(`gold file shown with code within ${budget} tokens: ${share(shownWithin[i] ?? 0)}`);
}
for (const [k, n] of accuracy) console.log(`file accuracy @${k}: ${share(n)}`);
console.log(`NDCG@10: ${(ndcg / asked).toFixed(3)}`);
console.log(
  `search: p50 ${milliseconds[Math.floor(asked / 2)]?.toFixed(0)} ms, p95 ${milliseconds[Math.floor(asked * 0.95)]?.toFixed(0)} ms (files parsed on the way)`,
);
for (const [repo, { asked: n, at5 }] of perRepo) console.log(`  ${repo}: @5 ${at5} of ${n}`);

/** Counts one answer; returns the place of the first gold file among the files found. */
function judge(found: FoundChunk[], gold: string[]): number {
  let tokens = 0;
  let shownAt = Number.POSITIVE_INFINITY;
  for (const chunk of found) {
    tokens += estimateTokens(
      `${chunk.file}:${chunk.startLine}-${chunk.endLine} ${chunk.symbol ?? ""}\n${snippet(chunk)}\n`,
    );
    if (gold.includes(chunk.file)) {
      shownAt = tokens;
      break;
    }
  }
  budgets.forEach((budget, i) => {
    if (shownAt <= budget) shownWithin[i] = (shownWithin[i] ?? 0) + 1;
  });
  const files = [...new Set(found.map((chunk) => chunk.file))];
  const at = files.findIndex((file) => gold.includes(file));
  for (const [k, n] of accuracy) if (at >= 0 && at < k) accuracy.set(k, n + 1);
  const gain = files
    .slice(0, 10)
    .reduce((sum, file, i) => sum + (gold.includes(file) ? 1 / Math.log2(i + 2) : 0), 0);
  const ideal = gold.slice(0, 10).reduce((sum, _, i) => sum + 1 / Math.log2(i + 2), 0);
  ndcg += gain / ideal;
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

function snippet(chunk: FoundChunk): string {
  return chunk.text.split("\n").slice(0, 12).join("\n");
}

/** Brings the folder to a commit by writing what differs; files that the copy of the repository lacks are left out. */
function checkOut(
  gitDir: string,
  commit: string,
  root: string,
  before: Map<string, string>,
): Map<string, string> {
  const git = (args: string[], input?: string) =>
    spawnSync("git", ["--git-dir", gitDir, ...args], {
      maxBuffer: 1 << 30,
      ...(input !== undefined && { input }),
      env: { ...process.env, GIT_NO_LAZY_FETCH: "1" },
    }).stdout;
  const after = new Map<string, string>();
  for (const line of git(["ls-tree", "-r", "-z", commit]).toString().split("\0")) {
    const [, mode, id, path] = /^(\d+) blob (\w+)\t(.*)$/s.exec(line) ?? [];
    if (id && path && mode !== "120000") after.set(path, id);
  }
  for (const path of before.keys()) if (!after.has(path)) rmSync(join(root, path), { force: true });
  const changed = [...after].filter(([path, id]) => before.get(path) !== id);
  const blobs = git(["cat-file", "--batch"], changed.map(([, id]) => id).join("\n"));
  let at = 0;
  for (const [path] of changed) {
    const end = blobs.indexOf(10, at);
    const size = Number(/ blob (\d+)$/.exec(blobs.toString("latin1", at, end))?.[1]);
    at = end + 1;
    if (Number.isNaN(size)) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), blobs.subarray(at, at + size));
    at += size + 1;
  }
  return after;
}
