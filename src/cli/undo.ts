import { type Command, commonOptions, exit, UsageError } from "./command.ts";
import { openWield } from "./open.ts";
import { describe } from "./outcome.ts";

export const undo = reversal("undo", "Take changes back", [
  { command: "wield undo", note: "the last change, after showing it" },
  { command: "wield undo 3 --yes", note: "the last three, without asking" },
  { command: "wield undo 1a2b3c", note: "one certain change" },
]);

export const redo = reversal("redo", "Make undone changes again", [
  { command: "wield redo", note: "what was undone last" },
]);

function reversal(name: "undo" | "redo", summary: string, examples: Command["examples"]): Command {
  return {
    name,
    summary,
    usage: "[how many | change id]",
    options: { yes: { short: "y", help: "Do not ask" }, ...commonOptions },
    examples,
    async run(given, io) {
      const [which, ...more] = given.args;
      if (more.length > 0) throw new UsageError(`Use: wield ${name} [how many | change id]`);
      const steps = which !== undefined && /^\d{1,4}$/.test(which) ? Number(which) : undefined;
      const input = which === undefined ? {} : steps === undefined ? { changeId: which } : { steps };
      const wield = await openWield(given, io, [name]);
      try {
        const outcome = await wield.call(name, input, { signal: io.signal });
        io.out(describe(outcome, io));
        return outcome.result.ok ? exit.ok : exit.failed;
      } finally {
        wield.close();
      }
    },
  };
}
