import type { CallOutcome } from "../runtime/runtime.ts";
import { visibleText } from "../text/visible.ts";
import { type Io, painter } from "./terminal.ts";

/** What the model would read, safe for a terminal: a file's escape codes must not drive it. */
export function describe({ text, result }: CallOutcome, io: Pick<Io, "colour" | "terminal">): string {
  const safe = io.terminal ? visibleText(text) : text;
  return result.ok ? safe : painter(io)("red", safe);
}
