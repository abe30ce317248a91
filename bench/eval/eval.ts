// `npm run eval`: question sets against arms with a model at work. See the usage below and docs/eval.md.
import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { knownModels, programOf } from "./agents.ts";
import { agentArms, arms, homeIn } from "./arms.ts";
import { type Question, readQuestions } from "./questions.ts";
import { giveReplies, printReplays, recordedRuns } from "./replay.ts";
import { RunFolder } from "./run-folder.ts";
import { printTable } from "./table.ts";
import { takeTurn } from "./take-turn.ts";
import { copyOf, isSolved } from "./tasks.ts";
import { startWire } from "./wire-server.ts";

const usage = `npm run eval -- run --arm ARM --only D01[,D03|odd|even|all] [--reader NAME] [--model played|NAME]
npm run eval -- turn RUN [REPLY]     print the open request of a run, or hand in a reply (a JSON file, or - for standard input)
npm run eval -- replay --from FOLDER [--only …]   the replies of finished runs again, on this code: tokens read then and now
npm run eval -- table [--only …]     averages of all finished runs, arms against each other
npm run eval -- forget RUN           delete a run so that it can be run again

Arms: ${Object.keys(arms).join(", ")}. A run is named ARM-QUESTION-READER; a finished one is not run again.
--questions FILE   lines of JSON: id, repo, kind, question, gold_files, gold_symbols, gold_places (or WIELD_EVAL_QUESTIONS)
--repos FOLDER     where the repositories are checked out, each by its name (or WIELD_EVAL_REPOS)
--runs FOLDER      where transcripts are kept; default bench/eval/runs
--wield FILE       the program of the arm wield, such as another checkout's src/cli/wield.ts; --as NAME calls that arm so
--mcp COMMAND      the server of the arm mcp, such as "npx @colbymchenry/codegraph serve --mcp"; {folder} stands for the repository
--agents FOLDER    where other agents are installed, each in a folder of its arm's name (or WIELD_EVAL_AGENTS); else on the path
--base ARM         what the table compares with; default plain
The model "played" is a person or another reader who takes turns; any other name goes to the Anthropic provider.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    arm: { type: "string", default: "wield" },
    as: { type: "string" },
    only: { type: "string", default: "all" },
    reader: { type: "string", default: "a" },
    model: { type: "string", default: "played" },
    questions: { type: "string", default: process.env["WIELD_EVAL_QUESTIONS"] ?? "" },
    repos: { type: "string", default: process.env["WIELD_EVAL_REPOS"] ?? "" },
    runs: { type: "string", default: process.env["WIELD_EVAL_RUNS"] ?? join(import.meta.dirname, "runs") },
    wield: { type: "string", default: join(import.meta.dirname, "../../src/cli/wield.ts") },
    mcp: { type: "string", default: "" },
    agents: { type: "string", default: process.env["WIELD_EVAL_AGENTS"] ?? "" },
    base: { type: "string", default: "plain" },
    from: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});
const runs = resolve(values.runs);
const [command, name = "", replyFile] = positionals;

if (values.help) console.log(usage);
else if (command === "turn" && name) console.log(await takeTurn(runs, name, replyFile));
else if (command === "forget" && name) rmSync(new RunFolder(runs, name).path, { recursive: true });
else if (command === "table") printTable(runs, readQuestions(values.questions, values.only), values.base);
else if (command === "run" && values.questions && values.repos) await runAll();
else if (command === "replay" && values.questions && values.repos && values.from) await replay(values.from);
else {
  console.log(usage);
  process.exitCode = 2;
}

async function runAll(): Promise<void> {
  if (agentArms.includes(values.arm) && !programOf(values.arm, values.agents)) {
    console.log(`${values.arm} is not installed: its runs are left out.`);
    return;
  }
  const to = process.env["ANTHROPIC_BASE_URL"] ?? "https://api.anthropic.com/v1";
  const name = knownModels[values.arm];
  const wire = await startWire(
    runs,
    values.model === "played"
      ? { kind: "played", ...(name !== undefined && { name }) }
      : { kind: "forwarded", to, name: values.model },
  );
  for (const question of readQuestions(values.questions, values.only))
    await runOne(question, values.reader, wire.url);
  wire.close();
}

/** Measures a change of the results without a reader: nobody decides anew, so the calls stay the same. */
async function replay(from: string): Promise<void> {
  const arm = values.as ?? values.arm;
  const recorded = recordedRuns(resolve(from), values.arm, readQuestions(values.questions, values.only));
  const wire = await startWire(runs, { kind: "played" });
  for (const { question, reader, run } of recorded)
    await runOne(question, reader, wire.url, (to) => giveReplies(run, to));
  wire.close();
  printReplays(runs, arm, recorded);
}

async function runOne(
  question: Question,
  reader: string,
  urlOf: (run: string) => string,
  prepare: (folder: RunFolder) => void = () => undefined,
): Promise<void> {
  const run = `${values.as ?? values.arm}-${question.id}-${reader}`;
  const folder = new RunFolder(runs, run).open();
  if (folder.result()) {
    console.log(`${run}: finished before`);
    return;
  }
  if (folder.lastRequest() > 0) {
    // What was played of an unfinished run cannot be taken up in the middle of a process: it starts again.
    rmSync(folder.path, { recursive: true });
    folder.open();
  }
  prepare(folder);
  const arm = arms[values.arm];
  const repository = join(resolve(values.repos), question.repo.slice(question.repo.indexOf("/") + 1));
  if (!arm) throw new Error(`There is no arm ${values.arm}. There are: ${Object.keys(arms).join(", ")}.`);
  if (!existsSync(repository)) throw new Error(`${question.repo} is not in ${repository}.`);
  const isTask = question.kind === "task";
  const isAgent = agentArms.includes(values.arm);
  if (isTask && !isAgent && !["wield", "plain"].includes(values.arm))
    throw new Error(`${question.id} is a task, which the arm ${values.arm} does not do.`);
  if (!isTask && isAgent) throw new Error(`The arm ${values.arm} only does tasks; ${question.id} is none.`);
  const model = values.model === "played" ? (knownModels[values.arm] ?? run) : values.model;
  console.log(`${run}: started`);
  const started = performance.now();
  const work = isTask ? copyOf(repository, join(folder.path, "work")) : repository;
  const { wield, mcp, agents } = values;
  const place = { folder: work, url: urlOf(run), model, runs, home: homeIn(runs, run), wield, mcp, agents };
  const { answer, exitCode } = await arm(question, place);
  const milliseconds = Math.round(performance.now() - started);
  const result = {
    arm: values.as ?? values.arm,
    question: question.id,
    reader,
    answer,
    exitCode,
    milliseconds,
    ...(isTask && { solved: isSolved(question, work) }),
  };
  folder.write("result.json", JSON.stringify(result, null, 1));
  console.log(`${run}: ended (${exitCode}) after ${folder.turns().length} steps`);
}
