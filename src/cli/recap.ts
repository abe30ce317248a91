import { textIn } from "../agent/conversation.ts";
import { currentEntries, type LogData } from "../agent/log.ts";
import type { LogEntry } from "../store/store.ts";
import { visibleText } from "../text/visible.ts";
import { callLine } from "./call-line.ts";
import { MarkdownStream } from "./markdown.ts";
import { type Io, painter } from "./terminal.ts";

/** Turns that are shown again when a conversation is continued; `/show` has all of it. */
const mostTurns = 5;

/** A continued conversation as it was on the screen: the messages, and one line for each call. */
export function history(entries: readonly LogEntry[], io: Io): string[] {
  const paint = painter(io);
  const all = currentEntries(entries).map(({ data }) => data as LogData);
  const asked = all.flatMap(({ kind }, at) => (kind === "user" ? [at] : []));
  const from = asked.at(-mostTurns) ?? 0;
  const earlier = asked.length - mostTurns;
  return [
    ...(earlier > 0 ? [paint("dim", `… ${earlier} earlier ${earlier === 1 ? "message" : "messages"}`)] : []),
    ...all.slice(from).flatMap((entry) => linesOf(entry, io)),
  ];
}

function linesOf(entry: LogData, io: Io): string[] {
  const paint = painter(io);
  if (entry.kind === "user") return [`${paint(["bold", "cyan"], "›")} ${visibleText(entry.text)}`];
  if (entry.kind === "step" || entry.kind === "partial") {
    const said = (entry.kind === "partial" ? entry.text : (entry.cited ?? textIn(entry.messages))).trim();
    const markdown = new MarkdownStream(io);
    return said === "" ? [] : [markdown.push(said) + markdown.end()];
  }
  if (entry.kind === "results")
    return entry.results.map(({ tool, input, ok }) => {
      const mark = ok ? paint("green", "●") : paint("red", "●");
      return `${mark} ${callLine(tool, input, io)}`;
    });
  if (entry.kind === "end" && entry.stop !== "done")
    return [
      paint("yellow", entry.stop === "aborted" ? "Stopped." : visibleText(entry.message ?? entry.stop)),
    ];
  return [];
}
