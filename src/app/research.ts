import { citeInto, type FinishedReport, finishReport } from "../agent/report.ts";
import type { ResearchGiven, ResearchResult } from "../agent/research-log.ts";
import { SourceList } from "../agent/sources.ts";
import type { Asker } from "../approval/approval.ts";
import { Failure } from "../failure/failure.ts";
import { newId } from "../text/ids.ts";
import { PageBudget } from "./page-budget.ts";
import { relatedReports } from "./related-reports.ts";
import { ResearchPhases } from "./research-phases.ts";
import {
  explorePrompt,
  type Finding,
  planPrompt,
  questionPrompt,
  questionsIn,
  reportPrompt,
} from "./research-prompts.ts";
import { beginResearch, endResearch, type RecordedResearch } from "./research-session.ts";
import type { Wield } from "./wield.ts";

/** A research and its results, before they are written to files. */
export interface Research extends ResearchResult {
  /** The session of the research; those of its phases are named after it. */
  session: string;
  idea: string;
}

export interface ResearchOptions {
  /** An earlier research to continue; what is finished there is not done again. */
  earlier?: RecordedResearch;
  /** Answers requests that the budget does not cover; left out: nobody can be asked. */
  person?: Asker | undefined;
  /** Hears the plan, and each phase as it begins and ends. */
  tell?(news: ResearchNews): void;
}

export type ResearchNews =
  | { phase: "plan" | "report"; state: "start" }
  /** It was finished before: nothing is asked or read. */
  | { phase: "finished" }
  | { phase: "questions"; questions: readonly string[]; sessions: readonly string[] }
  | { phase: "question"; index: number; state: "end"; failure?: string };

/** The tools of a research: they only read and need no approval. */
const tools = ["web_search", "read_research", "browseWeb", "read_file", "list_directory", "read_result"];

/**
 * Plans sub-questions, researches all of them at the same time, each in a separate run, and writes one report from the
 * findings. Each phase is a session whose id follows from that of the research, so a research that was stopped continues
 * where it was: finished phases are read from their log.
 */
export async function researchIdea(
  wield: Wield,
  given: ResearchGiven,
  options: ResearchOptions = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Research> {
  const { earlier, person } = options;
  const session = earlier?.session ?? newId("a");
  const { idea, read, questions: most } = given;
  const tell = options.tell ?? (() => undefined);
  if (earlier?.result) {
    tell({ phase: "finished" });
    return { session, idea, ...earlier.result };
  }
  const related = await relatedReports(wield, idea);
  const limits = { sites: given.sites, megabytes: given.megabytes };
  const budget = new PageBudget({ limits, received: wield.webBytes, person, onlyFound: read.length > 0 });
  const stopListening = wield.on((event) => {
    if (event.type === "call-result") budget.noteFound(event.text);
    if (event.type === "search-add") budget.noteFound(event.results.map(({ url }) => url).join(" "));
  });
  const phases = new ResearchPhases(wield, given, budget.asker, signal);
  try {
    await phases.requireModel();
    if (!earlier) await beginResearch(wield, session, given);
    const planned = await plan();
    const isPlanned = planned.length > 1;
    const done = isPlanned ? await inParts(planned) : await inOneRun();
    const result: ResearchResult = {
      ...done,
      refused: budget.refused(),
      questions: isPlanned ? planned : [],
      ...phases.totals(),
    };
    await endResearch(wield, session, result);
    return { session, idea, ...result };
  } finally {
    stopListening();
  }

  async function plan(): Promise<string[]> {
    if (most < 2) return [];
    tell({ phase: "plan", state: "start" });
    const readers = related.length > 0 ? ["read_research", "read_file"] : ["read_research"];
    const phase = { tools: readers, limits: { steps: 3 } };
    const { text } = await phases.run(`${session}-plan`, planPrompt(idea, related, most), phase);
    return questionsIn(text, most);
  }

  async function inOneRun(): Promise<FinishedReport> {
    tell({ phase: "report", state: "start" });
    const { text, sources } = await phases.run(`${session}-report`, explorePrompt(idea, related), { tools });
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
      const cited = citeInto(known, answer.text, answer.sources, `the findings on “${question}”`);
      problems.push(...cited.problems);
      return { question, text: cited.text };
    });
    if (findings.every(({ text }) => text === undefined))
      throw new Failure("UNAVAILABLE", findings[0]?.why ?? "No question was answered.");
    tell({ phase: "report", state: "start" });
    const prompt = reportPrompt(idea, findings, known.all);
    const written = await phases.run(`${session}-report`, prompt, { tools, sources: known.all });
    const report = finishReport(written.text, written.sources);
    return { ...report, problems: [...problems, ...report.problems] };
  }
}
