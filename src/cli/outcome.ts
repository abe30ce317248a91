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

/** The text for the model, with control characters made visible: a file must not send escape codes to the terminal. */
export function describe({ text, result }: CallOutcome, io: Pick<Io, "colour" | "terminal">): string {
  const safe = io.terminal ? visibleText(text) : text;
  return result.ok ? safe : painter(io)("red", safe);
}
