import type { ResearchGiven } from "../agent/research-log.ts";
import { convertReport, type ReportFormat, reportFormats } from "../app/report-formats.ts";
import type { Research, ResearchOptions } from "../app/research.ts";
import { researchIdea } from "../app/research.ts";
import { commitResearch, writeResearch } from "../app/research-files.ts";
import { findResearch, type RecordedResearch } from "../app/research-session.ts";
import type { Wield } from "../app/wield.ts";
import { Failure } from "../failure/failure.ts";
import { visibleLine, visibleText } from "../text/visible.ts";
import { type GitHubSettings, webParts } from "../web/web-settings.ts";
import { printProblems, questionFrom } from "./ask.ts";
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
Exit codes: 0 the report was written, 1 it was not, 2 wrong usage, 130 stopped. With --continue or --resume, finished searches are not repeated, and the options of the first start hold unless you give others.`,
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
    const asked = askedFor(given);
    const wield = await openWield(given, json ? { ...io, interactive: false } : io);
    const view = new ResearchView(io);
    const stopWatching = json ? wield.on((event) => io.out(JSON.stringify(event))) : view.watch(wield);
    try {
      printProblems(wield, io);
      const { browser, research: repository } = webParts(wield.settings.user().web, io.env);
      const target = given.flag("commit") ? requireRepository(repository) : undefined;
      const earlier = isContinued ? await findResearch(wield, given.value("resume")) : undefined;
      const wanted = researchGiven(wield, idea, asked, earlier);
      const format = formatNamed(wanted.format);
      // Whether it can be printed should be known before the work is done.
      if (format === "pdf") await convertReport("", format, browser);
      const options: ResearchOptions = {
        person: askerFor(given, json ? { ...io, interactive: false } : io),
        ...(earlier && { earlier }),
        tell: (news) => (json ? undefined : view.tell(news)),
      };
      const result = await researchIdea(wield, wanted, options, io.signal);
      const files = await writeResearch(wield, result, { format, browser });
      const isFinishedBefore = earlier?.result !== undefined;
      if (!json) tellResult(result, files, isFinishedBefore, io);
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

/** The options of the command line; missing ones come from the research that is continued, or are defaults. */
function askedFor(given: Given): Partial<ResearchGiven> {
  const [sites, megabytes] = [
    numberFrom(given, "max-sites", true),
    numberFrom(given, "max-megabytes", false),
  ];
  const [questions, format, limits] = [questionsFrom(given), given.value("format"), limitsFrom(given)];
  const [read, model] = [given.value("read"), given.value("model")];
  return {
    ...(questions !== undefined && { questions }),
    ...(format !== undefined && { format: formatNamed(format) }),
    ...(sites !== undefined && { sites }),
    ...(megabytes !== undefined && { megabytes }),
    ...(read !== undefined && { read: read.split(",").filter((path) => path.trim() !== "") }),
    ...(model !== undefined && { model }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}

function researchGiven(
  wield: Wield,
  idea: string,
  asked: Partial<ResearchGiven>,
  earlier: RecordedResearch | undefined,
): ResearchGiven {
  const { sites, megabytes } = wield.settings.user().research;
  const standard = {
    idea,
    questions: standardQuestions,
    sites,
    megabytes,
    read: [],
    limits: {},
    format: "md",
  };
  return { ...standard, ...earlier?.given, ...asked };
}

function questionsFrom(given: Given): number | undefined {
  const text = given.value("questions");
  if (text === undefined) return undefined;
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

function formatNamed(name: string): ReportFormat {
  const known = reportFormats.find((format) => format === name);
  if (known) return known;
  throw new UsageError(
    `There is no format ${JSON.stringify(name)}. The formats: ${reportFormats.join(", ")}.`,
  );
}

function tellResult(
  result: Research,
  files: { report: string; log: string },
  isFinishedBefore: boolean,
  io: Io,
): void {
  const paint = painter(io);
  const { sources, problems, refused, steps, usage, costUsd, session } = result;
  io.write(io.terminal ? visibleText(result.text) : result.text);
  for (const problem of [...problems, ...refused]) io.err(paint("yellow", `! ${visibleLine(problem)}`));
  io.err(`Report: ${files.report}`);
  io.err(`Log: ${files.log}`);
  const cost = costUsd === undefined ? "" : `, $${costUsd.toFixed(4)}`;
  const count = `${sources.length} ${sources.length === 1 ? "source" : "sources"}`;
  const used = `${steps} steps, ${usage.inputTokens} tokens in, ${usage.outputTokens} out${cost}`;
  const when = isFinishedBefore ? "finished earlier with " : "";
  io.err(paint("dim", `${count}, ${when}${used} · session ${session}`));
}
