import { stripVTControlCharacters } from "node:util";
import { delegatedSession } from "../agent/log.ts";
import type { WieldEvent } from "../events/events.ts";
import { noticeForPerson } from "../text/notice.ts";
import { visibleLine, visibleText } from "../text/visible.ts";
import { wrap } from "../text/wrap.ts";
import { callLine, seconds } from "./call-line.ts";
import { processLine } from "./chat-processes.ts";
import { MarkdownStream } from "./markdown.ts";
import { failureLine } from "./outcome.ts";
import { PlanLines } from "./plan-lines.ts";
import { resultLines, savingHint } from "./result-lines.ts";
import { firstLine } from "./run-view.ts";
import { type Io, painter } from "./terminal.ts";

/**
 * The conversation on the screen: streamed Markdown, a card for each call, the plan, a token meter. With a footer, calls that
 * run are shown there.
 */
export function chatView(io: Io, hasFooter: boolean): (event: WieldEvent) => void {
  const paint = painter(io);
  const markdown = new MarkdownStream(io);
  const plan = new PlanLines();
  const inputs = new Map<string, { tool: string; input: unknown }>();
  const changed = new Map<string, string[]>();
  let running = false;
  /** The session that the person talks with; calls of runs that it delegated to are indented. */
  let session = "";
  let midLine = false;
  let waiting = false;

  const print = (text: string) => {
    if (waiting) io.write("\r\u001b[2K");
    waiting = false;
    if (text === "") return;
    io.write(text);
    midLine = !text.endsWith("\n");
  };
  const line = (text: string) => print(`${midLine ? "\n" : ""}${text}\n`);
  /** A status line that the next output replaces. */
  const status = (text: string) => {
    if (midLine) return;
    io.write(`\r\u001b[2K${paint("dim", visibleLine(text).slice(0, io.columns - 1))}`);
    waiting = true;
  };

  return (event) => {
    if (event.type === "run-start") {
      running = true;
      session = event.session;
    }
    // The command that a person runs reports its own calls.
    if (!running) return;
    switch (event.type) {
      case "message-add":
        line(`${paint(["bold", "cyan"], "› ")}${visibleText(event.text)}`);
        break;
      case "step-start":
        status("thinking …");
        break;
      case "text-delta":
        print(markdown.push(event.text));
        break;
      case "input-start":
        print(markdown.end());
        if (midLine) print("\n");
        status(`${event.tool} …`);
        break;
      case "step-end":
        print(markdown.end());
        if (midLine) print("\n");
        break;
      case "call-start":
        inputs.set(event.callId, event);
        if (hasFooter) print("");
        else status(`${stripVTControlCharacters(callLine(event.tool, event.input, io))} …`);
        break;
      case "process-change":
        line(processLine(event, io));
        break;
      case "approval-ask":
        print("");
        break;
      case "approval-answer":
        if (event.elsewhere)
          line(paint("dim", `Answered elsewhere: ${event.approved ? "approved" : "not approved"}.`));
        break;
      case "files-change":
        changed.set(event.callId, [...(changed.get(event.callId) ?? []), event.changeId]);
        break;
      case "call-end": {
        const { tool, ok, durationMs } = event.record;
        const about = callLine(tool, inputs.get(event.callId)?.input, io);
        inputs.delete(event.callId);
        const mark = ok ? paint("green", "●") : paint("red", "●");
        const indent = event.record.session === session ? "" : "  ";
        line(`${indent}${mark} ${about} ${paint("dim", seconds(durationMs))}`);
        if (tool === "explore" || tool === "task")
          line(paint("dim", `  /show ${delegatedSession(event.callId)} shows its run`));
        if (event.error)
          line(paint("red", wrap(`${indent}  ${visibleLine(failureLine(event.error.message))}`, io.columns)));
        if (event.files) line(paint("dim", savingHint(event.callId, event.files)));
        const changes = changed.get(event.callId);
        changed.delete(event.callId);
        if (changes && tool !== "undo" && tool !== "redo")
          line(paint("dim", `  /undo ${changes.join(" ")} undoes it`));
        break;
      }
      case "call-result": {
        const shown = resultLines(event, plan);
        if (shown.hint !== undefined) line(paint("dim", shown.hint.replace("wield ", "/")));
        if (event.ok && runTools.has(event.tool)) {
          const first = runLine(visibleLine(firstLine(event.text)));
          line(paint(isFailedRun(first) ? "red" : "dim", `  ${first}`));
        }
        for (const step of shown.plan) line(step);
        break;
      }
      case "notice-add":
        line(paint("yellow", wrap(`! ${visibleLine(firstLine(noticeForPerson(event.text)))}`, io.columns)));
        break;
      case "model-retry":
        line(
          paint(
            "yellow",
            wrap(
              `${visibleLine(event.reason)} Trying again in ${Math.ceil(event.waitMs / 1000)} s.`,
              io.columns,
            ),
          ),
        );
        break;
      case "context-shrink":
        line(paint("dim", `older results shortened: ${event.before} → ${event.after} tokens`));
        break;
      case "run-end":
        print(markdown.end());
        print(midLine ? "\n" : "");
        running = false;
        break;
    }
  };
}

/** Tools whose success does not mean that the program they ran succeeded. */
const runTools: ReadonlySet<string> = new Set(["run_code", "run_tests", "executeCode"]);

const isFailedRun = (first: string) => /^Exit code [^0]|\b[1-9]\d* failed|^No test/i.test(first);

/** `▓▓░░░░░░░░ 18%`: the used share of the context. */
export function meter(used: number, budget: number): string {
  const share = Math.min(1, used / budget);
  const full = Math.round(share * 10);
  return `${"▓".repeat(full)}${"░".repeat(10 - full)} ${Math.round(share * 100)}%`;
}

/** The first line of a run's result; how the model reads on is not for the person, who has /processes. */
function runLine(first: string): string {
  return first.replace(/^(Runs in the background as \S+\.) background_processes .*$/, "$1 See /processes.");
}
