import type { Wield } from "../app/wield.ts";
import type { WieldEvent } from "../events/events.ts";
import { visibleLine, visibleText } from "../text/visible.ts";
import { callLine } from "./call-line.ts";
import { failureLine, howToApprove } from "./outcome.ts";
import { PlanLines } from "./plan-lines.ts";
import { resultLines, savingHint } from "./result-lines.ts";
import { type Io, painter } from "./terminal.ts";

/** Shows a run: the answer streams to standard output, tool calls go to standard error. */
export function watchRun(wield: Pick<Wield, "on">, io: Io, json: boolean): () => void {
  return wield.on(json ? (event) => io.out(JSON.stringify(event)) : plainView(io));
}

function plainView(io: Io): (event: WieldEvent) => void {
  const paint = painter(io);
  const plans = new PlanLines();
  let atLineStart = true;
  const line = (text: string) => {
    if (!atLineStart) io.write("\n");
    atLineStart = true;
    io.err(text);
  };
  return (event) => {
    switch (event.type) {
      case "text-delta":
        io.write(io.terminal ? visibleText(event.text) : event.text);
        atLineStart = event.text.endsWith("\n");
        break;
      case "call-start":
        line(paint("dim", `→ ${callLine(event.tool, event.input, { colour: false, columns: io.columns })}`));
        break;
      case "call-result": {
        if (!event.ok) line(paint("red", `✗ ${visibleLine(`${event.tool}: ${failureLine(event.text)}`)}`));
        const shown = resultLines(event, plans);
        if (shown.hint !== undefined) line(paint("dim", shown.hint));
        for (const step of shown.plan) line(step);
        break;
      }
      case "call-end":
        if (event.error?.code === "APPROVAL_REQUIRED") line(paint("dim", howToApprove));
        if (event.files) line(paint("dim", savingHint(event.callId, event.files)));
        break;
      case "model-retry":
        line(
          paint("yellow", `${visibleLine(event.reason)}; retrying in ${Math.ceil(event.waitMs / 1000)} s`),
        );
        break;
      case "context-shrink":
        line(paint("dim", `(older results shortened: ${event.before} → ${event.after} tokens)`));
        break;
      case "step-end":
      case "run-end":
        if (!atLineStart) io.write("\n");
        atLineStart = true;
        break;
    }
  };
}

export function briefly(input: unknown, width = 100): string {
  const text = visibleLine(typeof input === "string" ? input : (JSON.stringify(input) ?? ""));
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}

export function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}
