import { textIn } from "../agent/conversation.ts";
import { currentEntries, type LogData } from "../agent/log.ts";
import type { LogEntry } from "../store/store.ts";
import { visibleText } from "../text/visible.ts";

/** Lines of the last answer that are shown again; the whole conversation is in `/show`. */
const mostLines = 12;

/** What was last said in a conversation that is continued: the person's message, and the answer to it. */
export function recap(entries: readonly LogEntry[]): { question: string; answer: string[] } | undefined {
  const all = currentEntries(entries).map(({ data }) => data as LogData);
  const asked = all.findLastIndex(({ kind }) => kind === "user");
  const question = all[asked];
  if (question?.kind !== "user") return undefined;
  const said = all.slice(asked).map((one) => (one.kind === "step" ? textIn(one.messages).trim() : ""));
  const lines = visibleText(said.filter(Boolean).at(-1) ?? "").split("\n");
  const shown = lines.length > mostLines ? [...lines.slice(0, mostLines), "…"] : lines;
  return { question: visibleText(question.text), answer: shown.filter((line, i) => line !== "" || i > 0) };
}
