import type { PageBudgetLimits } from "../app/page-budget.ts";
import { convertReport, type ReportFormat, reportFormats } from "../app/report-formats.ts";
import type { Research, ResearchOptions } from "../app/research.ts";
import { researchIdea } from "../app/research.ts";
import { commitResearch, writeResearch } from "../app/research-files.ts";
import type { Wield } from "../app/wield.ts";
import { Failure } from "../failure/failure.ts";
import { visibleLine, visibleText } from "../text/visible.ts";
import { type GitHubSettings, webParts } from "../web/web-settings.ts";
import { questionFrom, tellProblems } from "./ask.ts";
import { type Command, commonOptions, exit, type Given, UsageError } from "./command.ts";
import { askerFor, openWield } from "./open.ts";
import { ResearchView } from "./research-view.ts";
import { exitCodes, limitsFrom, numberFrom, resumeOptions, runOptions } from "./run-options.ts";
import { type Io, painter } from "./terminal.ts";

const standardQuestions = 4;
const mostQuestions = 8;

export const research: Command = {
  name: "research",
  summary: "Research an idea and write a report with sources",
  usage: "<idea>",
  details: `Plans sub-questions, looks into all of them at the same time, and writes ideas/<date>-<idea>/research.md with numbered sources, and exploration.md with every search and step. Needs a language model. The report also goes to standard output, what happens on the way to standard error.
Exit codes: 0 the report was written, 1 it was not, 2 wrong usage, 130 stopped. With --continue or --resume, finished searches are not repeated.`,
  options: {
    questions: {
      value: "N",
      help: `Sub-questions at most, up to ${mostQuestions} (default: ${standardQuestions}); 0: no plan, one run of 5 steps`,
    },
    format: {
      value: "NAME",
      help: `The report as ${reportFormats.join(", ")} (default: md); research.md is always written`,
      completes: { known: reportFormats },
    },
    commit: {
      help: "Commit the files to ideas/ of the repository that web.research in the settings names (needs GITHUB_TOKEN)",
    },
    "max-sites": {
      value: "N",
      help: "Sites to read without asking (default: research.sites in the settings, 30)",
    },
    "max-megabytes": {
      value: "N",
      help: "What to read of them in all (default: research.megabytes in the settings, 50)",
    },
    read: {
      value: "PATHS",
      help: "Also read these files and folders of the workspace, with commas between; without it only ideas/",
    },
    ...resumeOptions,
    ...runOptions,
    ...commonOptions,
  },
  examples: [
    { command: `wield research "Solar roofs for garden sheds"`, note: "write a report into the workspace" },
    { command: `wield research --continue`, note: "continue after a stop" },
    {
      command: `wield research --continue --format docx --commit`,
      note: "a finished report as Word file and commit",
    },
  ],
  run: async (given, io) => {
    const json = given.flag("json");
    const isContinued = given.flag("continue") || given.value("resume") !== undefined;
    const idea = isContinued ? "" : await questionFrom(given, io, true);
    const questions = questionsFrom(given);
    const format = formatFrom(given);
    const wield = await openWield(given, json ? { ...io, interactive: false } : io);
    const view = new ResearchView(io);
    const stopWatching = json ? wield.on((event) => io.out(JSON.stringify(event))) : view.watch(wield);
    try {
      tellProblems(wield, io);
      const { browser, research: repository } = webParts(wield.settings.user().web, io.env);
      const target = given.flag("commit") ? requireRepository(repository) : undefined;
      // Whether it can be printed should be known before the work is done.
      if (format === "pdf") await convertReport("", format, browser);
      const model = given.value("model");
      const options: ResearchOptions = {
        questions,
        limits: limitsFrom(given),
        budget: budgetFrom(given, wield),
        person: askerFor(given, json ? { ...io, interactive: false } : io),
        read: (given.value("read") ?? "").split(",").filter((path) => path.trim() !== ""),
        ...(model !== undefined && { model }),
        ...(isContinued && { session: await sessionFrom(given, wield) }),
        tell: (news) => (json ? undefined : view.tell(news)),
      };
      const result = await researchIdea(wield, idea, options, io.signal);
      const files = await writeResearch(wield, result, { format, browser });
      if (!json) tellResult(result, files, io);
      const commit = target && (await commitResearch(wield, result, files, target, io.signal));
      if (json)
        io.out(JSON.stringify({ type: "research-end", ...result, ...files, ...(commit && { commit }) }));
      else if (commit)
        io.err(`${commit.isNew ? "Committed" : "Committed before"}: ${visibleLine(commit.url)}`);
      return exit.ok;
    } catch (error) {
      if (!io.signal.aborted) throw error;
      io.err(painter(io)("yellow", "Stopped. Continue with: wield research --continue"));
      return exitCodes.aborted;
    } finally {
      stopWatching();
      await wield.close();
    }
  },
};

function questionsFrom(given: Given): number {
  const text = given.value("questions") ?? String(standardQuestions);
  const count = Number(text);
  if (Number.isInteger(count) && count >= 0 && count <= mostQuestions) return count;
  throw new UsageError(`--questions takes a whole number from 0 to ${mostQuestions}.`);
}

/** Where to commit, known before the work is done. */
function requireRepository(repository: GitHubSettings | undefined): GitHubSettings {
  const example = '{ "web": { "research": { "repository": "owner/name" } } }';
  if (!repository)
    throw new Failure("UNAVAILABLE", `--commit needs a repository. Name it in the settings: ${example}`);
  if (repository.token === undefined)
    throw new Failure(
      "UNAVAILABLE",
      `--commit needs a token that may write to ${repository.repository}: set GITHUB_TOKEN, or "token" beside the repository in the settings.`,
    );
  return repository;
}

function formatFrom(given: Given): ReportFormat {
  const name = given.value("format") ?? "md";
  const known = reportFormats.find((format) => format === name);
  if (known) return known;
  throw new UsageError(
    `There is no format ${JSON.stringify(name)}. The formats: ${reportFormats.join(", ")}.`,
  );
}

function budgetFrom(given: Given, wield: Wield): PageBudgetLimits {
  const { sites, megabytes } = wield.settings.user().research;
  return {
    sites: numberFrom(given, "max-sites", true) ?? sites,
    megabytes: numberFrom(given, "max-megabytes", false) ?? megabytes,
  };
}

/** The research that is meant: by the id of any of its sessions, or the newest. */
async function sessionFrom(given: Given, wield: Wield): Promise<string> {
  const id = given.value("resume");
  const sessions = await wield.sessions.list(200);
  const found = sessions.find((session) =>
    id === undefined ? session.agent === "research" : session.id.startsWith(id),
  );
  if (!found)
    throw new Failure(
      "FILE_NOT_FOUND",
      id === undefined
        ? "There is no research to continue in this folder."
        : `There is no session ${visibleLine(id)} in this folder. List them with: wield sessions`,
    );
  return found.id.replace(/-(?:\d+|report)$/, "");
}

function tellResult(result: Research, files: { report: string; log: string }, io: Io): void {
  const paint = painter(io);
  const { sources, problems, steps, usage, costUsd, session } = result;
  io.write(io.terminal ? visibleText(result.text) : result.text);
  for (const problem of problems) io.err(paint("yellow", `! ${visibleLine(problem)}`));
  io.err(`Report: ${files.report}`);
  io.err(`Log: ${files.log}`);
  const cost = costUsd === undefined ? "" : `, $${costUsd.toFixed(4)}`;
  const count = `${sources.length} ${sources.length === 1 ? "source" : "sources"}`;
  const used = `${steps} steps, ${usage.inputTokens} tokens in, ${usage.outputTokens} out${cost}`;
  io.err(paint("dim", `${count}, ${used} · session ${session}`));
}
