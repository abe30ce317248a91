import type { Wield } from "../app/wield.ts";
import type { CallOutcome } from "../runtime/runtime.ts";

/**
 * A person undoes or redoes changes: they saw which, and nothing is lost, since each can be reversed
 * again and foreign changes refuse it. Rules that deny still hold; nobody is asked a second time.
 */
export function reverseByPerson(
  wield: Wield,
  tool: "undo" | "redo",
  input: { changeId: string | string[] } | { steps: number },
  signal: AbortSignal,
): Promise<CallOutcome> {
  const asker = async (asks: readonly unknown[]) => asks.map(() => ({ approved: true }));
  return wield.call(tool, input, { signal, byPerson: true, asker });
}
