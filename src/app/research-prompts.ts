import type { Source } from "../agent/sources.ts";
import { fenceUntrusted } from "../text/untrusted.ts";
import { visibleLine } from "../text/visible.ts";

/** What the model is asked in each phase of a research. */

export function planPrompt(idea: string, related: readonly string[], most: number): string {
  return `Plan the research on: ${idea}${earlier(related)}

Answer with a list of at most ${most} sub-questions and nothing else, one a line, each beginning with "- ". Choose those whose answers decide the matter. For an idea these are what exists already, who needs it, what it costs, what speaks against it; for a question or a comparison, the points on which its answer depends. Each must be answerable on its own by searching the web, and none may overlap another.`;
}

/** The lines of a list, up to a maximum; empty if the model's answer is not a list. */
export function questionsIn(plan: string, most: number): string[] {
  const lines = plan.split("\n").flatMap((line) => /^\s*(?:[-*•]|\d+[.)])\s+(.+)$/.exec(line)?.[1] ?? []);
  const questions = lines
    .map((line) => line.replaceAll(/\*\*/g, "").trim())
    .filter((line) => line.length > 3);
  return [...new Set(questions)].slice(0, most);
}

export function questionPrompt(idea: string, question: string, others: readonly string[]): string {
  const list = others.map((other) => `- ${other}`).join("\n");
  return `This is one part of the research on: ${idea}

Find out: ${question}

Others look into these parts, so leave them out:
${list}

Search first, with several queries in one message, then read the pages that matter, several in one message. Then write down your findings on this part, not a whole report, in at most 500 words: facts with the number of their source, figures with their date, where sources contradict each other, and what you could not find out. No introduction, no list of sources.`;
}

/** The whole task in one run. */
export function explorePrompt(idea: string, related: readonly string[]): string {
  return `Research this and write the report: ${idea}${earlier(related)}

First decide on the sub-questions, then look into all of them at once. A list of sources is added to the report.`;
}

export interface Finding {
  question: string;
  /** Undefined: there is none, and `why` says why. */
  text: string | undefined;
  why?: string;
}

export function reportPrompt(idea: string, findings: readonly Finding[], sources: readonly Source[]): string {
  const parts = findings.map(({ question, text, why = "" }) =>
    text === undefined
      ? `Question: ${question}\nThere are no findings: ${why}`
      : `Question: ${question}\n${fenceUntrusted(text, "the findings")}`,
  );
  const list = sources.map((source, at) =>
    visibleLine(`[${at + 1}] ${source.title} ${source.url} (${howKnown(source)})`),
  );
  return `Write the report on: ${idea}

These are the findings, question by question. Their numbers refer to the sources below.

${parts.join("\n\n")}

${fenceUntrusted(list.join("\n"), "the sources")}

Write the report in the language of the task. First a summary that answers it: the question that was asked, or what the idea is worth. Then what this rests on, in the form that fits: a comparison as a table; for an idea what exists, who would use it, what speaks for and against it. Under the heading "Contradictions" name each point where sources or findings contradict each other, with both numbers and which one is more likely right; if there are none, say so. Where one search or page would decide such a point, look it up first. Then open questions and next steps. Use only what the findings and your own results say, and keep the number of the source with every fact, like [3]. What was not retrieved is no evidence. No list of sources: it is added.`;
}

function howKnown({ read, named }: Source): string {
  return named ? "not retrieved" : read ? "page read" : "found by a search";
}

function earlier(related: readonly string[]): string {
  if (related.length === 0) return "";
  const list = related.map((path) => `- ${visibleLine(path)}`).join("\n");
  return `\n\nEarlier reports in this workspace that may bear on it:\n${list}`;
}
