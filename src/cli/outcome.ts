import { withoutCode } from "../failure/failure.ts";
import type { CallOutcome } from "../runtime/runtime.ts";
import { visibleText } from "../text/visible.ts";
import { type Io, painter } from "./terminal.ts";

/** Added to `APPROVAL_REQUIRED`, for the person who reads it. */
export const howToApprove = "To approve it, run this in a terminal without piped input, or add --yes.";

/** Prints the outcome of a call. */
export function tell(outcome: CallOutcome, io: Io, text = describe(outcome, io)): void {
  io.out(text);
  const { result } = outcome;
  if (!result.ok && result.error.code === "APPROVAL_REQUIRED") io.err(howToApprove);
}

/** The result for a person, with control characters made visible: a file must not send escape codes to the terminal. */
export function describe(
  outcome: CallOutcome,
  io: Pick<Io, "colour" | "terminal">,
  text = outcome.result.ok ? outcome.text : withoutCode(outcome.text),
): string {
  const safe = io.terminal ? visibleText(text) : text;
  return outcome.result.ok ? safe : painter(io)("red", safe);
}

/** A failure in one line: its sentence, and where that announces something, the first line of it. */
export function failureLine(text: string): string {
  const [first = "", ...rest] = withoutCode(text)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const [next, ...more] = rest;
  if (!first.endsWith(":") || next === undefined) return first;
  return `${first} ${next}${more.length > 0 ? " …" : ""}`;
}
