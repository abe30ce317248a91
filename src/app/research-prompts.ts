import type { Source } from "../agent/sources.ts";
import { fenceUntrusted } from "../text/untrusted.ts";
import { visibleLine } from "../text/visible.ts";

/** What the model is asked in each phase of a research. */

export function planPrompt(idea: string, related: readonly string[], most: number): string {
  return `Plan the research on this idea: ${idea}${earlier(related)}

Answer with a list of at most ${most} sub-questions and nothing else, one a line, each beginning with "- ". Choose those whose answers decide what the idea is worth: what exists already, who needs it, what it costs, what speaks against it. Each must be answerable on its own by searching the web, and none may overlap another.`;
}

/** The lines of a list, at most so many; empty when the model answered something else. */
export function questionsIn(plan: string, most: number): string[] {
  const lines = plan.split("\n").flatMap((line) => /^\s*(?:[-*•]|\d+[.)])\s+(.+)$/.exec(line)?.[1] ?? []);
  const questions = lines
    .map((line) => line.replaceAll(/\*\*/g, "").trim())
    .filter((line) => line.length > 3);
  return [...new Set(questions)].slice(0, most);
}

export function questionPrompt(idea: string, question: string, others: readonly string[]): string {
  const list = others.map((other) => `- ${other}`).join("\n");
  return `This is one part of the research on an idea: ${idea}

Find out: ${question}

Others look into these parts, so leave them out:
${list}

Search first, with several queries in one message, then read the pages that matter, several in one message. Then write down your findings in at most 500 words: facts with the number of their source, figures with their date, where sources contradict each other, and what you could not find out. No introduction, no list of sources.`;
}

/** The whole task in one run. */
export function explorePrompt(idea: string, related: readonly string[]): string {
  return `Explore this idea and write the report: ${idea}${earlier(related)}`;
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
  const list = sources.map(({ url, title }, at) => visibleLine(`[${at + 1}] ${title} ${url}`));
  return `Write the report on this idea: ${idea}

These are the findings, question by question. Their numbers refer to the sources below.

${parts.join("\n\n")}

${fenceUntrusted(list.join("\n"), "the sources")}

Write the report in the language of the idea: first a summary that answers what the idea is worth, then what exists, who would use it, what speaks for and against it. Under the heading "Contradictions" name each point where sources or findings contradict each other, with both numbers and which one is more likely right; if there are none, say so. Then open questions and next steps. Use only what the findings say, and keep the number of the source with every fact, like [3]. No list of sources: it is added.`;
}

/** The idea in the first message of a research; empty when it is none. */
export function ideaIn(prompt: string): string {
  const asked =
    /^(?:Plan the research on this idea|Explore this idea and write the report): ([\s\S]+?)(?=\n\nEarlier reports in this workspace|\n\nAnswer with a list of at most|$)/;
  return asked.exec(prompt)?.[1] ?? "";
}

function earlier(related: readonly string[]): string {
  if (related.length === 0) return "";
  const list = related.map((path) => `- ${visibleLine(path)}`).join("\n");
  return `\n\nEarlier reports in this workspace that may bear on it:\n${list}`;
}
