import type { LogEntry, SessionRecord } from "../store/store.ts";
import { noticeForPerson } from "../text/notice.ts";
import { inWords } from "./attachments.ts";
import { summaryText, textIn } from "./conversation.ts";
import { currentEntries, type LogData } from "./log.ts";
import { providerSearches, type Search } from "./searches.ts";

/** One JSON object a line: the session first, then its log as it was written. */
export function sessionAsJsonLines(session: SessionRecord, entries: readonly LogEntry[]): string {
  const lines = [{ session }, ...entries.map(({ seq, at, data }) => ({ seq, at, ...(data as LogData) }))];
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}

/** For people: who said what, which calls were made with which result, how it ended. Longer results are cut after `mostLines`. */
export function sessionAsMarkdown(
  session: SessionRecord,
  entries: readonly LogEntry[],
  mostLines = Number.POSITIVE_INFINITY,
): string {
  const head = `# ${session.title || "Session"}\n\n${session.agent} agent, session ${session.id}, ${session.at}, in \`${session.workspace}\``;
  const parts = currentEntries(entries)
    .map(({ data }) => entryAsMarkdown(data as LogData, (text) => firstLines(text, mostLines, session.id)))
    .filter((part) => part !== "");
  return `${[head, ...parts].join("\n\n")}\n`;
}

function entryAsMarkdown(entry: LogData, shortened: (text: string) => string): string {
  switch (entry.kind) {
    case "user":
      return `## Person\n\n${inWords(entry)}`;
    case "notice":
      return quoted(noticeForPerson(entry.text));
    case "step": {
      const { inputTokens, outputTokens } = entry.usage;
      const text = (entry.cited ?? textIn(entry.messages)).trim();
      const used = `*${inputTokens} tokens in, ${outputTokens} out*`;
      const searches = providerSearches(entry).map(searchAsMarkdown);
      return ["## Agent", ...searches, ...(text ? [text] : []), used].join("\n\n");
    }
    case "results":
      return entry.results
        .map(({ tool, input, ok, text }) => {
          const title = `**${tool}** \`${JSON.stringify(input)}\`${ok ? "" : " failed"}`;
          return `${title}\n\n${fenced(shortened(text))}`;
        })
        .join("\n\n");
    case "partial":
      return `## Agent\n\n${entry.text.trim()}\n\n*(broke off here)*`;
    case "summary":
      return quoted(summaryText(entry.summary));
    case "end":
      return `*${entry.stop}${entry.message ? `: ${entry.message}` : ""}*`;
    default:
      return "";
  }
}

function firstLines(text: string, most: number, session: string): string {
  const lines = text.split("\n");
  if (lines.length <= most) return text;
  return [
    ...lines.slice(0, most),
    `… ${lines.length - most} more lines: wield sessions ${session} has all of it`,
  ].join("\n");
}

function searchAsMarkdown({ tool, query, results, failure }: Search): string {
  const lines = failure === undefined ? results.map(({ url, title }) => `${title} ${url}`.trim()) : [failure];
  const title = `**${tool}** \`${JSON.stringify({ query })}\` (run by the provider)`;
  return `${title}\n\n${fenced(lines.join("\n") || "No results.")}`;
}

function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

/** A fence longer than any in the text, so that the text cannot end it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
