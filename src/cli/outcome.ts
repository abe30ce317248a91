import type { CallOutcome } from "../runtime/runtime.ts";
import { visibleText } from "../text/visible.ts";
import { type Io, painter } from "./terminal.ts";

/** Nobody was there to ask; the one who reads this can be. */
export const howToApprove = "To approve it: run this in a terminal with no pipe into it, or add --yes.";

/** Prints what came of a call that was made here. */
export function tell(outcome: CallOutcome, io: Io, text = describe(outcome, io)): void {
  io.out(text);
  const { result } = outcome;
  if (!result.ok && result.error.code === "APPROVAL_REQUIRED") io.err(howToApprove);
}

/** What the model would read, safe for a terminal: a file's escape codes must not drive it. */
export function describe({ text, result }: CallOutcome, io: Pick<Io, "colour" | "terminal">): string {
  const safe = io.terminal ? visibleText(text) : text;
  return result.ok ? safe : painter(io)("red", safe);
}
