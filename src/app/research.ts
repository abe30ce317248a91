import type { RunResult } from "../agent/agent.ts";
import { finishedRun } from "../agent/finished-run.ts";
import type { Limits } from "../agent/limits.ts";
import { researchRunSteps } from "../agent/profiles.ts";
import { citeInto, type FinishedReport, finishReport } from "../agent/report.ts";
import { type Source, SourceList } from "../agent/sources.ts";
import { addUsage, noUsage } from "../agent/usage.ts";
import type { Asker } from "../approval/approval.ts";
import { escapeGlob } from "../approval/path-pattern.ts";
import type { Rule } from "../approval/rules.ts";
import { Failure } from "../failure/failure.ts";
import { modelChoices } from "../model/providers.ts";
import { newId } from "../text/ids.ts";
import type { AgentOptions } from "./agents.ts";
import { PageBudget, type PageBudgetLimits } from "./page-budget.ts";
import { relatedReports } from "./related-reports.ts";
import {
  explorePrompt,
  type Finding,
  ideaIn,
  planPrompt,
  questionPrompt,
  questionsIn,
  reportPrompt,
} from "./research-prompts.ts";
import type { Wield } from "./wield.ts";

/** What a research did, phase by phase, before it is written to files. */
export interface Research extends FinishedReport {
  /** The session of the plan; the others are named after it. */
  session: string;
  idea: string;
  /** The sub-questions; empty when there was no plan. */
  questions: string[];
  /** The sessions of all phases, in order. */
  sessions: string[];
  model: string;
  steps: number;
  usage: RunResult["usage"];
  costUsd?: number;
}

export interface ResearchOptions extends Pick<AgentOptions, "model" | "limits"> {
  /** Sub-questions at most; 0: no plan, one run for everything. */
  questions: number;
  /** A session of an earlier research to continue; what is finished there is not done again. */
  session?: string;
  /** What it may read of the web without asking. */
  budget: PageBudgetLimits;
  /** Answers what the budget does not cover; left out: nobody is there. */
  person?: Asker | undefined;
  /** Folders and files of the workspace that it may read besides `ideas/`. */
  read?: readonly string[];
  /** Hears the plan, and each phase as it begins and ends. */
  tell?(news: ResearchNews): void;
}

export type ResearchNews =
  | { phase: "plan" | "report"; state: "start" }
  | { phase: "questions"; questions: readonly string[]; sessions: readonly string[] }
  | { phase: "question"; index: number; state: "end"; failure?: string };

/** Everything that a research may call: it looks and asks nobody. */
const tools = [
  "web_search",
  "read_research",
  "browseWeb",
  "web_fetch",
  "read_file",
  "list_directory",
  "read_result",
];

/**
 * Plans sub-questions, looks into all of them at the same time, each in a run of its own, and writes one report from the
 * findings. Each phase is a session whose id follows from the first one's, so a research that was stopped continues where
 * it was: finished phases are read from their log.
 */
export async function researchIdea(
  wield: Wield,
  given: string,
  options: ResearchOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<Research> {
  const session = options.session ?? newId("a");
  const idea = given || (await ideaOf(wield, session));
  const related = await relatedReports(wield, idea);
  const tell = options.tell ?? (() => undefined);
  const { budget: limits, person, read = [] } = options;
  const budget = new PageBudget({ limits, received: wield.webBytes, person, onlyFound: read.length > 0 });
  const stopListening = wield.on((event) => {
    if (event.type === "call-result") budget.noteFound(event.text);
    if (event.type === "search-add") budget.noteFound(event.results.map(({ url }) => url).join(" "));
  });
  const phases = new Phases(wield, options, budget.asker, signal);
  try {
    const planned = await plan();
    const isPlanned = planned.length > 1;
    const done = isPlanned ? await inParts(planned) : await inOneRun();
    const problems = [...done.problems, ...budget.problems()];
    return { session, idea, questions: isPlanned ? planned : [], ...done, problems, ...phases.totals() };
  } finally {
    stopListening();
  }

  async function plan(): Promise<string[]> {
    const most = options.questions;
    if (most < 2) return [];
    tell({ phase: "plan", state: "start" });
    const first = { ...planPhase, limits: { steps: 3 } };
    const { text } = await phases.run(session, planPrompt(idea, related, most), first);
    return questionsIn(text, most);
  }

  async function inOneRun(): Promise<FinishedReport> {
    tell({ phase: "report", state: "start" });
    const id = options.questions < 2 ? session : `${session}-report`;
    const { text, sources } = await phases.run(id, explorePrompt(idea, related), { tools });
    return finishReport(text, sources);
  }

  async function inParts(questions: readonly string[]): Promise<FinishedReport> {
    const ids = questions.map((_, index) => `${session}-${index + 1}`);
    tell({ phase: "questions", questions, sessions: ids });
    const answers = await Promise.all(
      questions.map(async (question, index) => {
        const others = questions.filter((other) => other !== question);
        const prompt = questionPrompt(idea, question, others);
        const share = { tools, share: questions.length };
        const answer = await phases.run(ids[index] ?? "", prompt, share).catch((error: unknown) => {
          signal.throwIfAborted();
          return { failure: error instanceof Error ? error.message : String(error) };
        });
        const why = "failure" in answer ? { failure: answer.failure } : {};
        tell({ phase: "question", index, state: "end", ...why });
        return answer;
      }),
    );
    const known = new SourceList();
    const problems: string[] = [];
    const findings = answers.map((answer, index): Finding => {
      const question = questions[index] ?? "";
      if ("failure" in answer) {
        problems.push(`There are no findings on “${question}”: ${answer.failure}`);
        return { question, text: undefined, why: answer.failure };
      }
      return { question, text: citeInto(known, answer.text, answer.sources).text };
    });
    if (findings.every(({ text }) => text === undefined))
      throw new Failure("UNAVAILABLE", findings[0]?.why ?? "No question was answered.");
    tell({ phase: "report", state: "start" });
    const prompt = reportPrompt(idea, findings, known.all);
    const { text } = await phases.run(`${session}-report`, prompt, { tools: [] });
    const report = finishReport(text, known.all);
    return { ...report, problems: [...problems, ...report.problems] };
  }
}

/** Reads earlier reports, and plans. */
const planPhase = { tools: ["read_research", "read_file"] };

interface Phase {
  tools: readonly string[];
  limits?: Limits;
  /** How many phases share what is left of the limits. */
  share?: number;
}

interface Answer {
  text: string;
  sources: readonly Source[];
}

/** The runs of one research: each once, whichever process it was in. */
class Phases {
  readonly #wield: Wield;
  readonly #options: ResearchOptions;
  readonly #asker: Asker;
  readonly #signal: AbortSignal;
  readonly #started = performance.now();
  readonly #sessions: string[] = [];
  #model = "";
  #steps = 0;
  #usage = noUsage;
  #costUsd: number | undefined;

  constructor(wield: Wield, options: ResearchOptions, asker: Asker, signal: AbortSignal) {
    this.#asker = asker;
    this.#wield = wield;
    this.#options = options;
    this.#signal = signal;
  }

  totals() {
    const cost = this.#costUsd === undefined ? {} : { costUsd: this.#costUsd };
    const [steps, usage] = [this.#steps, this.#usage];
    return { sessions: this.#sessions, model: this.#model, steps, usage, ...cost };
  }

  /** The answer of a phase; a phase without one is a failure. */
  async run(id: string, prompt: string, phase: Phase): Promise<Answer> {
    this.#sessions.push(id);
    const { store } = this.#wield;
    const record = await store.session(id);
    const finished = record && finishedRun(await store.entries(id));
    if (finished) {
      this.#count(finished);
      return finished;
    }
    const agent = await this.#wield.agent({
      ...this.#agentOptions(phase),
      ...(record ? { session: id } : { newSession: id }),
    });
    this.#model = agent.model;
    if (agent.model === "offline") {
      throw new Failure("UNAVAILABLE", `Research needs a language model. The choices:\n${modelChoices()}`);
    }
    const result = await (record ? agent.resume(this.#signal) : agent.send(prompt, this.#signal));
    this.#count(result);
    this.#signal.throwIfAborted();
    if (result.stop === "error")
      throw new Failure("UNAVAILABLE", result.message ?? "The model did not answer.");
    if (result.text.trim() === "") throw new Failure("UNAVAILABLE", noAnswer(result));
    return result;
  }

  #agentOptions({ tools: only, limits, share = 1 }: Phase): AgentOptions {
    const { model, read = [] } = this.#options;
    return {
      profile: "research",
      tools: only,
      limits: { steps: researchRunSteps, ...limits, ...this.#limitsLeft(share) },
      asker: this.#asker,
      rules: [readingRule(["ideas", ...read])],
      notes: false,
      ...(model !== undefined && { model }),
    };
  }

  /** Steps are counted for each run; tokens, cost and time for all together. */
  #limitsLeft(share: number): Limits {
    const { steps, tokens, costUsd, seconds } = this.#options.limits ?? {};
    const { inputTokens, outputTokens } = this.#usage;
    const elapsed = (performance.now() - this.#started) / 1000;
    return {
      ...(steps !== undefined && { steps }),
      ...(tokens !== undefined && {
        tokens: Math.max(1, Math.floor((tokens - inputTokens - outputTokens) / share)),
      }),
      ...(costUsd !== undefined && { costUsd: Math.max(1e-9, (costUsd - (this.#costUsd ?? 0)) / share) }),
      ...(seconds !== undefined && { seconds: Math.max(1, seconds - elapsed) }),
    };
  }

  #count({ steps, usage, costUsd }: Pick<RunResult, "steps" | "usage" | "costUsd">): void {
    this.#steps += steps;
    this.#usage = addUsage(this.#usage, usage);
    if (costUsd !== undefined) this.#costUsd = (this.#costUsd ?? 0) + costUsd;
  }
}

/** Denies reading everything but these folders and files. */
function readingRule(paths: readonly string[]): Rule {
  const [only = "", ...more] = paths.map((path) => escapeGlob(path.replace(/^\.\/|\/+$/g, "")));
  const pattern = more.length === 0 ? only : `{${[only, ...more].join(",")}}`;
  const reason = `a research reads nothing of the workspace but ${paths.join(", ")}`;
  return { decision: "deny", path: `!${pattern}/**`, reason };
}

function noAnswer({ steps, message }: RunResult): string {
  const why = message === undefined ? "" : ` ${message}`;
  return `The model gave no answer in ${steps === 1 ? "one step" : `${steps} steps`}.${why} Try again.`;
}

/** What an earlier research was about: it is the first message of its first session. */
async function ideaOf(wield: Wield, session: string): Promise<string> {
  const entries = await wield.store.entries(session);
  const first = entries
    .map(({ data }) => data as { kind: string; text?: string })
    .find(({ kind }) => kind === "user");
  const idea = ideaIn(first?.text ?? "");
  if (idea === "")
    throw new Failure(
      "INVALID_INPUT",
      `Session ${session} is no research. List the sessions with: wield sessions`,
    );
  return idea;
}
