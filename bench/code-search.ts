// Issue text → the file its fix changed. Usage: code-search.ts <queries.jsonl> <folder of git repositories> [every nth]
// The repositories are not part of this package: each line names its repository and commit, and
// <folder>/<owner>+<name>/repo is expected to be a git directory that has it. Prints shares of questions, for the odd
// ones (those that weights may be tuned on), the even ones and all. WIELD_BENCH_CACHE names a folder to keep
// what was parsed. A line may name a `folder` of the commit, of which alone files are searched, and a `category`.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { indexFolderAt, temporaryFolder } from "../src/code/folder.suite.ts";
import { Project } from "../src/code/project/project.ts";
import { searchCode } from "../src/code/search/search.ts";
import { answerParts, chunkOf } from "../src/tools/explore/search-code.ts";
import { GitFiles } from "./git-files.ts";
import { quantile } from "./measure.ts";

export interface Question {
  number: number;
  repo: string;
  base_commit: string;
  query: string;
  gold_files: string[];
  folder?: string;
  category?: string;
}

export interface Answer {
  question: Question;
  /** Found files, best first. */
  files: string[];
  /** The file of each place that was found. */
  places: string[];
  /** Whether a gold file is shown with its code or its signature, for each of the budgets. */
  shown: boolean[];
  milliseconds: number;
}

const budgets = [500, 2_000, 8_000];

export function readQuestions(file: string): Question[] {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line, index) => ({ ...(JSON.parse(line) as Question), number: index + 1 }));
}

/** Each question with its repository as it was then. */
export async function* projectsOf(
  questions: readonly Question[],
  repositories: string,
  say: (remark: string) => void,
): AsyncIterable<{ question: Question; project: Project }> {
  const kept = process.env["WIELD_BENCH_CACHE"];
  for (const [repo, group] of Map.groupBy(questions, (question) => question.repo)) {
    const name = repo.replace("/", "+");
    const gitDir = join(repositories, name, "repo");
    if (!existsSync(gitDir)) {
      say(`${repo}: not here, ${group.length} questions left out`);
      continue;
    }
    const git = new GitFiles(gitDir);
    const state = kept ? join(kept, name) : temporaryFolder();
    for (const question of group) {
      // The words are those of one commit, the syntax is by content: shared by all commits.
      const folder = indexFolderAt(join(state, `words-${process.pid}-${question.number}`));
      const project = new Project(git.at(question.base_commit, question.folder), { ...folder, path: state });
      await project.index.refresh();
      yield { question, project };
      project.close();
      rmSync(folder.path, { recursive: true });
    }
    git.close();
    if (!kept) rmSync(state, { recursive: true });
  }
}

/** Asks each question as `search_code` would be asked. */
export async function* askAll(
  questions: readonly Question[],
  repositories: string,
  say: (remark: string) => void,
): AsyncIterable<Answer> {
  for await (const { question, project } of projectsOf(questions, repositories, say)) {
    const started = performance.now();
    const found = await searchCode(project, question.query);
    const milliseconds = performance.now() - started;
    const chunks = found.map(chunkOf);
    yield {
      question,
      files: [...new Set(found.map((chunk) => chunk.file))],
      places: found.map((chunk) => chunk.file),
      shown: budgets.map((budget) =>
        answerParts(chunks, budget).some(({ file }) => question.gold_files.includes(file)),
      ),
      milliseconds,
    };
  }
}

export function placeOfGold({ question, files }: Answer): number {
  const at = files.findIndex((file) => question.gold_files.includes(file));
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

export function summary(answers: readonly Answer[]) {
  const share = (test: (answer: Answer) => boolean) => answers.filter(test).length / answers.length;
  return {
    questions: answers.length,
    shown: budgets.map((budget, i) => [budget, share(({ shown }) => shown[i] === true)] as const),
    accuracy: [1, 3, 5, 10].map((k) => [k, share((answer) => placeOfGold(answer) < k)] as const),
    ndcg: meanOf(answers, ({ question, files }) => ndcgOf(question, files)),
    ndcgOfPlaces: meanOf(answers, ({ question, places }) => ndcgOf(question, places)),
  };
}

const meanOf = (answers: readonly Answer[], value: (answer: Answer) => number) =>
  answers.reduce((sum, answer) => sum + value(answer), 0) / answers.length;

/** A file counts once, where it is found first. */
function ndcgOf({ gold_files: gold }: Question, found: readonly string[]): number {
  const gain = (place: number) => 1 / Math.log2(place + 2);
  const gained = found
    .slice(0, 10)
    .reduce((sum, file, i) => sum + (gold.includes(file) && found.indexOf(file) === i ? gain(i) : 0), 0);
  return gained / gold.slice(0, 10).reduce((sum, _, i) => sum + gain(i), 0);
}

export function printSummary(title: string, answers: readonly Answer[]): void {
  const { questions, shown, accuracy, ndcg, ndcgOfPlaces } = summary(answers);
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  console.log(`\n${title}: ${questions} questions`);
  for (const [budget, part] of shown)
    console.log(`  gold file shown with code or signature within ${budget} tokens: ${percent(part)}`);
  console.log(`  file accuracy ${accuracy.map(([k, part]) => `@${k} ${percent(part)}`).join(", ")}`);
  console.log(`  NDCG@10 ${ndcg.toFixed(3)}, of the list of places ${ndcgOfPlaces.toFixed(3)}`);
}

async function main(): Promise<void> {
  const [
    queriesFile = process.env["WIELD_CODE_SEARCH"],
    repositories = process.env["WIELD_REPOSITORIES"],
    nth = "1",
  ] = process.argv.slice(2);
  if (!queriesFile || !repositories) {
    console.log("not measured: name the questions and the folder of git repositories");
    console.log("  node bench/code-search.ts <queries.jsonl> <folder> [every nth question]");
    console.log("  or set WIELD_CODE_SEARCH and WIELD_REPOSITORIES");
    return;
  }
  const questions = readQuestions(queriesFile).filter((_, i) => i % Number(nth) === 0);
  const answers: Answer[] = [];
  for await (const answer of askAll(questions, repositories, console.log)) answers.push(answer);
  printSummary(
    "Odd",
    answers.filter(({ question }) => question.number % 2 === 1),
  );
  printSummary(
    "Even",
    answers.filter(({ question }) => question.number % 2 === 0),
  );
  printSummary("All", answers);
  for (const [category, group] of Map.groupBy(answers, ({ question }) => question.category))
    if (category !== undefined) printSummary(category, group);
  for (const [repo, group] of Map.groupBy(answers, ({ question }) => question.repo))
    console.log(
      `  ${repo}: @5 ${group.filter((answer) => placeOfGold(answer) < 5).length} of ${group.length}`,
    );
  const times = answers.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  console.log(
    `  search: p50 ${quantile(times, 0.5).toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)} ms (files read and parsed on the way)`,
  );
}

if (import.meta.main) await main();
