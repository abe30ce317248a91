import { currentEntries } from "../agent/log.ts";
import type { CallNote, ChatMessage } from "../api/chat.ts";
import type { CallRecord } from "../events/events.ts";
import type { LogEntry, Store } from "../store/store.ts";
import { callIdsIn, messagesOf, openCallsIn } from "./chat-log.ts";

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
  return messagesOf(entries, notes, kept.flat());
}
