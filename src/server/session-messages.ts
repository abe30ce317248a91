import { currentEntries, type LogData } from "../agent/log.ts";
import type { CallNote, ChatMessage } from "../api/chat.ts";
import type { CallRecord } from "../events/events.ts";
import type { LogEntry, Store } from "../store/store.ts";
import { callIdsIn, type HeldAnswer, messagesOf, openCallsIn } from "./chat-log.ts";

/** The messages of a session's log, with what the store knows about their calls. */
export async function sessionMessages(store: Store, entries: readonly LogEntry[]): Promise<ChatMessage[]> {
  const open = openCallsIn(currentEntries(entries));
  const ids = [...callIdsIn(entries), ...open.map(({ id }) => id)];
  const files = await store.files().list(ids);
  const noteOf = (record: CallRecord): CallNote => {
    const made = files.get(record.id);
    return { record, ...(made && { files: made }) };
  };
  const records = new Map((await store.calls({ ids })).map((record) => [record.id, record]));
  const kept = await Promise.all(
    open.map(async ({ id, ref, tool }) => {
      const [record, result] = [records.get(id), await store.result(id)];
      return record && result ? [{ id, ref, tool, ok: record.ok, text: result.text }] : [];
    }),
  );
  const notes = new Map([...records].map(([id, record]) => [id, noteOf(record)]));
  const answers = await heldAnswers(store, entries, [...records.values()]);
  return messagesOf(entries, notes, kept.flat(), answers);
}

const appliesHeld = "apply_held_changes";

/**
 * What became of the changes of runs that waited for a person: the calls that applied them, were denied or failed. They
 * follow a run by themselves, or come later from the approval queue, so they are not in the log.
 */
async function heldAnswers(
  store: Store,
  entries: readonly LogEntry[],
  records: readonly CallRecord[],
): Promise<HeldAnswer[]> {
  const runs = records.filter(({ tool }) => makesHeld.has(tool));
  const [first] = runs;
  if (!first) return [];
  const later = heldIdsIn(entries);
  const known = new Set(records.map(({ id }) => id));
  const made = [
    ...(await store.calls({ session: first.session })),
    ...(later.size > 0 ? await store.calls({ ids: [...later.keys()] }) : []),
  ].filter(({ id, tool }) => tool === appliesHeld && !known.has(id));
  const unique = [...new Map(made.map((record) => [record.id, record])).values()];
  const answers = unique.map(async (record): Promise<HeldAnswer[]> => {
    const before = runs.filter(({ at }) => at <= record.at).sort((a, b) => (a.at < b.at ? 1 : -1));
    const run = later.get(record.id) ?? before[0]?.id;
    const text = (await store.result(record.id))?.text ?? record.errorCode ?? "";
    return run === undefined ? [] : [{ run, record, text }];
  });
  return (await Promise.all(answers)).flat();
}

/** Tools whose changes may wait for a person. */
const makesHeld: ReadonlySet<string> = new Set(["run_code", "background_processes"]);

/** The held changes that results name, with the call that made them. */
function heldIdsIn(entries: readonly LogEntry[]): Map<string, string> {
  const found = entries.flatMap(({ data }) => {
    const entry = data as LogData;
    if (entry.kind !== "results") return [];
    return entry.results
      .filter(({ tool }) => makesHeld.has(tool))
      .flatMap(({ id, text }): [string, string][] => {
        const held = /wield approvals approve (h_\w+)/.exec(text)?.[1];
        return held === undefined ? [] : [[held, id]];
      });
  });
  return new Map(found);
}
