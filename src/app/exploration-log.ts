import { sessionAsMarkdown } from "../agent/export.ts";
import type { LogData } from "../agent/log.ts";
import { codeLines } from "../agent/own-sources.ts";
import { searchesIn } from "../agent/searches.ts";
import type { CallRecord } from "../events/events.ts";
import type { LogEntry, SessionRecord } from "../store/store.ts";
import { visibleLine } from "../text/visible.ts";
import type { Research } from "./research.ts";

/** A phase of a research as it was recorded. */
export interface RecordedPhase {
  record: SessionRecord;
  entries: readonly LogEntry[];
  calls: readonly CallRecord[];
}

/** Of a page that was read: enough to see what it is. */
const mostLines = 30;

/** Everything that was done: plan, searches, what was read, usage by step, and what was said in each phase. */
export function explorationLog(research: Research, phases: readonly RecordedPhase[]): string {
  const { idea, session, model, questions, steps, usage, costUsd, problems, refused } = research;
  const cost = costUsd === undefined ? "" : `, $${costUsd.toFixed(4)}`;
  const head = `# Exploration: ${oneLine(idea)}

Research ${session} with ${model || "a model"}, ${phases[0]?.record.at ?? ""}. ${steps} steps, ${usage.inputTokens} tokens in, ${usage.outputTokens} out${cost}.`;
  return `${[
    head,
    section(
      "Plan",
      questions.map((question, at) => `${at + 1}. ${oneLine(question)}`),
    ),
    section("Searches", searchLines(phases)),
    section("Calls", callLines(phases)),
    section("Steps", stepLines(phases)),
    section(
      "Checks of the citations",
      problems.length === 0
        ? ["Every number in the report refers to a source, and every source in the list is cited."]
        : problems.map((problem) => `- ${oneLine(problem)}`),
    ),
    section(
      "Requests that were refused",
      refused.map((line) => `- ${oneLine(line)}`),
    ),
    ...phases.map(({ record, entries }) =>
      withDeeperHeadings(sessionAsMarkdown({ ...record, workspace: "." }, entries, mostLines)),
    ),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .trimEnd()}\n`;
}

function withDeeperHeadings(markdown: string): string {
  const lines = markdown.split("\n");
  const inCode = codeLines(lines);
  return lines.map((line, at) => (inCode[at] || !line.startsWith("#") ? line : `#${line}`)).join("\n");
}

function searchLines(phases: readonly RecordedPhase[]): string[] {
  const searches = phases.flatMap(({ entries }) => searchesIn(entries));
  return searches.flatMap(({ query, results, failure }, at) => [
    `${at + 1}. ${code(query)}${failure === undefined ? "" : ` failed: ${oneLine(failure)}`}`,
    ...results.map(({ url, title }) => `   - ${oneLine(title) || "(no title)"} <${url}>`),
  ]);
}

/** The fields that are logged of each call: name, input, milliseconds, bytes and the error. */
function callLines(phases: readonly RecordedPhase[]): string[] {
  const rows = phases.flatMap(({ entries, calls }) => {
    const records = new Map(calls.map((call) => [call.id, call]));
    return entries.flatMap(({ data }) => {
      const entry = data as LogData;
      return entry.kind === "results"
        ? entry.results.map(({ id, tool, input, ok, text }) => {
            const record = records.get(id);
            const errorType = ok
              ? /^(file_not_found|path_validation|file_too_large|api_error):/.exec(text)?.[1]
              : undefined;
            const failed = errorType ?? (ok ? "" : (record?.errorCode ?? "failed"));
            const told = [
              tool,
              code(JSON.stringify(input)),
              Math.round(record?.durationMs ?? 0),
              record?.bytes ?? "",
              failed,
            ];
            return `| ${told.join(" | ")} |`;
          })
        : [];
    });
  });
  return rows.length === 0 ? [] : ["| Tool | Input | ms | Bytes | Error |", "|---|---|--:|--:|---|", ...rows];
}

function stepLines(phases: readonly RecordedPhase[]): string[] {
  const rows = phases.flatMap(({ record, entries }) => {
    const steps = entries.flatMap(({ data }) => {
      const entry = data as LogData;
      return entry.kind === "step" ? [entry] : [];
    });
    return steps.map(
      ({ usage: { inputTokens, cachedTokens, outputTokens }, calls }, at) =>
        `| ${record.id} | ${at + 1} | ${calls.length} | ${inputTokens} | ${cachedTokens} | ${outputTokens} |`,
    );
  });
  const head = [
    "| Session | Step | Calls | Tokens in | of them cached | Tokens out |",
    "|---|--:|--:|--:|--:|--:|",
  ];
  return rows.length === 0 ? [] : [...head, ...rows];
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `## ${title}\n\n${lines.join("\n")}`;
}

function oneLine(text: string): string {
  return visibleLine(text.replaceAll(/\s+/g, " ").trim());
}

/** As code, whatever it holds; a bar would end the cell of a table. */
function code(text: string): string {
  const line = oneLine(text).replaceAll("|", "\\|");
  return line.includes("`") ? `\`\` ${line} \`\`` : `\`${line}\``;
}
