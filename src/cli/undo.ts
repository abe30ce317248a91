import type { TypedOutcome } from "../app/wield-members.ts";
import { type Command, commonOptions, exit, UsageError } from "./command.ts";
import { openWield } from "./open.ts";
import { tell } from "./outcome.ts";

export const undo = reversal("undo", "Undo changes", [
  { command: "wield undo", note: "show the last change, then undo it" },
  { command: "wield undo 3 --yes", note: "undo the last three without asking" },
  { command: "wield undo 1a2b3c", note: "undo one change by its id" },
]);

export const redo = reversal("redo", "Redo undone changes", [
  { command: "wield redo", note: "redo what was undone last" },
]);

function reversal(name: "undo" | "redo", summary: string, examples: Command["examples"]): Command {
  return {
    name,
    summary,
    usage: "[count | change ids]",
    completes: [{ lookup: "change" }],
    options: { yes: { short: "y", help: "Do not ask" }, ...commonOptions },
    examples,
    async run(given, io) {
      const input = whichChanges(given.args, `wield ${name}`);
      const wield = await openWield(given, io, [name]);
      try {
        const outcome = await wield.call(name, input, { signal: io.signal, byPerson: true });
        tell(outcome, io);
        for (const line of fewerThanAsked(name, input, outcome)) io.err(line);
        return outcome.result.ok ? exit.ok : exit.failed;
      } finally {
        await wield.close();
      }
    },
  };
}

/** A number of changes, or ids; by default the last change. An id may be all digits, so only one or two digits are a number. */
export function whichChanges(args: readonly string[], use: string): Record<string, unknown> {
  const [which, ...more] = args;
  const isNumber = which !== undefined && /^\d{1,2}$/.test(which);
  if (isNumber && more.length > 0) throw new UsageError(`Use: ${use} [count | change ids]`);
  if (which === undefined) return {};
  return isNumber ? { steps: Number(which) } : { changeId: args };
}

/** Said where there were fewer changes than the person named. */
export function fewerThanAsked(
  name: "undo" | "redo",
  { steps }: Record<string, unknown>,
  { result }: TypedOutcome<{ restored: readonly unknown[] }>,
): string[] {
  const count = result.ok ? result.value.restored.length : Number.POSITIVE_INFINITY;
  if (typeof steps !== "number" || count >= steps) return [];
  return [`There ${count === 1 ? "was only 1 change" : `were only ${count} changes`} to ${name}.`];
}
