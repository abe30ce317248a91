import { callsOf } from "../app/rewind.ts";
import type { Asker } from "../approval/approval.ts";
import { visibleLine } from "../text/visible.ts";
import type { Change } from "../workspace/workspace.ts";
import type { ChatContext } from "./chat-context.ts";
import { localTime } from "./local-time.ts";
import { askInTerminal } from "./open.ts";
import { describe } from "./outcome.ts";
import { fewerThanAsked, whichChanges } from "./undo.ts";

/** Shown in the question; the rest is counted. */
const mostShown = 5;

/**
 * `/undo` and `/redo`. Changes that the person names, and those that the agent made in this conversation, are reversed at once;
 * others are shown and asked about first.
 */
export function reversal(
  tool: "undo" | "redo",
): (chat: ChatContext, args: readonly string[]) => Promise<void> {
  return async (chat, args) => {
    const { wield, pendingNotices, io } = chat;
    const given = whichChanges(args, `/${tool}`);
    const others = "changeId" in given ? [] : await changesFromElsewhere(chat, tool, given);
    if (others.length > 0 && !(await confirmed(tool, others))) {
      io.out(
        `Nothing was ${tool === "undo" ? "undone" : "redone"}. /changes lists the changes, /${tool} <id> takes one of them.`,
      );
      return;
    }
    // Exactly what was shown, whatever has changed since.
    const input = others.length > 0 ? { changeId: others.map(({ id }) => id) } : given;
    const asker = confirmLoss(askInTerminal(io));
    const outcome = await wield.call(tool, input, { byPerson: true, asker });
    io.out(describe(outcome, io));
    for (const line of fewerThanAsked(tool, given, outcome)) io.out(line);
    if (outcome.result.ok) pendingNotices.push(`The person used ${tool}. ${outcome.text}`);
  };
}

/** What would be reversed, if any of it is not the work of the agent in this conversation. */
async function changesFromElsewhere(
  { wield, agent }: ChatContext,
  tool: "undo" | "redo",
  given: Record<string, unknown>,
): Promise<readonly Change[]> {
  // The call itself reports what is wrong with it.
  const changes = await wield.workspace.planReversal(tool, { steps: 1, ...given }).then(
    (planned) => planned.changes,
    () => [],
  );
  const { session } = agent;
  const calls = new Set(await callsOf(wield.store, session, await wield.store.entries(session)));
  return changes.every(({ callId }) => calls.has(callId)) ? [] : changes;
}

async function confirmed(tool: "undo" | "redo", changes: readonly Change[]): Promise<boolean> {
  const { confirm, log } = await import("@clack/prompts");
  const lines = changes.slice(0, mostShown).map(({ id, at, description, files }) => {
    const paths = files.slice(0, mostShown).map(({ path }) => path);
    const more = files.length > mostShown ? ` and ${files.length - mostShown} more` : "";
    return visibleLine(`${id}  ${localTime(at)}  ${description} (${paths.join(", ")}${more})`);
  });
  const rest = changes.length > mostShown ? [`… and ${changes.length - mostShown} more changes`] : [];
  log.message([...lines, ...rest].join("\n"));
  const what =
    changes.length === 1 ? "this change, which" : `these ${changes.length} changes, not all of which`;
  const made = changes.length === 1 ? "the agent did not make" : "the agent made";
  const message = `${tool === "undo" ? "Undo" : "Redo"} ${what} ${made} in this conversation?`;
  return (await confirm({ message, initialValue: false })) === true;
}

/** Reversible changes need no approval: the person has just asked for them. */
function confirmLoss(ask: Asker): Asker {
  return async (asks, signal) =>
    asks.every(({ preview }) => preview && preview.notes.length === 0)
      ? asks.map(() => ({ approved: true }))
      : ask(asks, signal);
}
