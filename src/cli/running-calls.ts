import { stripVTControlCharacters } from "node:util";
import type { WieldEvent } from "../events/events.ts";
import { visibleLine } from "../text/visible.ts";
import { callLine, seconds } from "./call-line.ts";
import { type Io, painter } from "./terminal.ts";

interface Running {
  tool: string;
  input: unknown;
  since: number;
  /** It waits for an answer, which the prompt shows. */
  isAsked: boolean;
  message: string;
  output: string;
}

/** A call that is over sooner is not shown: lines that come and go cannot be read. */
const shownAfterMs = 400;
const mostCalls = 4;

/** The calls that run now: what each does, for how long, and the last lines that it printed. */
export class RunningCalls {
  readonly #calls = new Map<string, Running>();
  readonly #now: () => number;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  follow(event: WieldEvent): void {
    if (event.type === "call-start") {
      const { callId, tool, input } = event;
      this.#calls.set(callId, {
        ...{ tool, input, since: this.#now(), isAsked: false },
        ...{ message: "", output: "" },
      });
    } else if (event.type === "call-end") this.#calls.delete(event.callId);
    else if (event.type === "call-progress") {
      const { callId, message, done = 0, total, output } = event;
      const call = this.#calls.get(callId);
      if (!call) return;
      call.message = total === undefined ? message : `${message} ${done}/${total}`;
      call.output = output ?? call.output;
    } else if (event.type === "approval-ask" || event.type === "approval-answer") {
      const call = this.#calls.get(event.callId);
      if (call) Object.assign(call, { isAsked: event.type === "approval-ask", since: this.#now() });
    }
  }

  /** The last lines that the calls printed. */
  tail(most: number): string[] {
    return [...this.#calls.values()].flatMap(({ output }) => lastLines(output, most)).slice(-most);
  }

  /** For the bottom of the screen, at most so many rows. */
  lines(rows: number, io: Pick<Io, "colour" | "columns">): string[] {
    const paint = painter(io);
    const now = this.#now();
    const calls = [...this.#calls.values()].filter(
      ({ since, isAsked }) => !isAsked && now - since >= shownAfterMs,
    );
    const heads = calls.slice(-Math.min(mostCalls, rows));
    const more = calls.length - heads.length;
    const each = Math.floor((rows - heads.length) / Math.max(1, heads.filter(hasMore).length));
    return heads.flatMap((call, at) => {
      const name = stripVTControlCharacters(
        callLine(call.tool, call.input, { colour: false, columns: io.columns - 8 }),
      );
      const others = at === 0 && more > 0 ? `  and ${more} more` : "";
      const head = `${paint("cyan", "◌")} ${name} ${paint("dim", seconds(now - call.since) + others)}`;
      const printed = lastLines(call.output, each).map((line) => `  ${line}`);
      const told = call.output === "" && call.message !== "" && !name.includes(call.message);
      const below = told && each > 0 ? [`  ${visibleLine(call.message)}`] : printed;
      return [head, ...below.map((line) => paint("dim", line))];
    });
  }
}

function hasMore({ output, message }: Running): boolean {
  return output !== "" || message !== "";
}

function lastLines(text: string, most: number): string[] {
  if (most <= 0) return [];
  const lines = text.trimEnd().split("\n");
  return lines[0] === "" && lines.length === 1
    ? []
    : lines.slice(-most).map((line) => visibleLine(line.replaceAll("\t", "  ")));
}
