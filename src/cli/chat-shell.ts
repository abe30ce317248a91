import type { Asker } from "../approval/approval.ts";
import { visibleLine } from "../text/visible.ts";
import type { ChatContext } from "./chat-context.ts";
import { describe } from "./outcome.ts";
import { painter } from "./terminal.ts";

/** Nobody is asked about a run of ten minutes; the person stops it sooner with Esc. */
const longestSeconds = 600;
const shownLines = 20;

/**
 * A line of the person's own: in the sandbox, or outside where their own settings say so. What it printed is told to the
 * model with the next message.
 */
export async function runShellLine(line: string, chat: ChatContext): Promise<void> {
  const { wield, io, running, pendingNotices, whileWorking } = chat;
  const paint = painter(io);
  const isOutside = wield.settings.user().execution.shell === "outside";
  const input = {
    ...{ language: "bash" as const, code: line, timeout: longestSeconds },
    ...(isOutside && { outside: true, why: "the person typed it" }),
  };
  const { outcome, tail } = await whileWorking("the command", async (signal) => {
    let last: string[] = [];
    const keep = () => {
      last = running.tail(shownLines);
    };
    signal.addEventListener("abort", keep, { once: true });
    const made = await wield.call("run_code", input, {
      ...{ signal, byPerson: true },
      ...(isOutside && { asker: typedIt }),
    });
    return { value: { outcome: made, tail: last }, isDone: true };
  });
  const { result } = outcome;
  if (!result.ok && result.error.code === "ABORTED") {
    for (const each of tail) io.out(each);
    io.out(paint("yellow", "Stopped."));
    pendingNotices.push(
      `The person ran this in the shell themselves and stopped it: ${line}\n${tail.join("\n")}`,
    );
    return;
  }
  io.out(describe(outcome, io));
  pendingNotices.push(
    `The person ran this in the shell themselves${isOutside ? ", outside the sandbox" : ""}: ${visibleLine(line)}\n${outcome.text}`,
  );
}

/** Outside, nothing is held back that could be asked about later: the only question is whether this line runs. */
const typedIt: Asker = async (asks) => asks.map(() => ({ approved: true }));
