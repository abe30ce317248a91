import { Failure } from "../failure/failure.ts";
import type { SessionRecord, Store } from "../store/store.ts";
import { newId } from "../text/ids.ts";
import { currentEntries, type LogData } from "./log.ts";
import { noUsage } from "./usage.ts";

/**
 * A new session that begins as another one did, up to a message of the person. The permission mode and what the session has
 * seen of private and foreign content come with it.
 */
export async function forkSession(
  store: Store,
  from: SessionRecord,
  /** The place in the log of the first message that is left out; undefined: nothing is. */
  upTo: number | undefined,
  now: () => Date,
): Promise<SessionRecord> {
  const entries = await store.entries(from.id);
  const before = upTo ?? entries.length;
  const current = currentEntries(entries).filter(({ data }) => (data as LogData).kind !== "rewind");
  const first = current.find(({ seq }) => seq === before)?.data as LogData | undefined;
  const kept = current.filter(({ seq }) => seq < before);
  const isPlace = first ? first.kind === "user" : before === entries.length;
  if (kept.length === 0 || !isPlace)
    throw new Failure(
      "INVALID_INPUT",
      "A session can be forked before any of the person's messages except the first.",
    );
  const at = now().toISOString();
  const { pinned: _, ...known } = from;
  const fork = { ...known, id: newId("a"), title: `${known.title} (fork)`, at, updated: at };
  const state = await store.sessionStates().get(from.id);
  if (state) await store.sessionStates().change(fork.id, () => state);
  const last = kept.at(-1)?.data as LogData;
  // A message in the middle of a run: what came before it counts as a finished run.
  const end: LogData[] = last.kind === "end" ? [] : [{ kind: "end", stop: "done" }];
  for (const [seq, data] of [...kept.map((entry) => unpaid(entry.data as LogData)), ...end].entries())
    await store.appendEntry(fork, { seq, at: kept[seq]?.at ?? at, data });
  return fork;
}

/** Usage is counted in the session where it occurred. */
function unpaid(data: LogData): LogData {
  if (data.kind === "step") return { ...data, usage: noUsage, usedBefore: data.usedBefore ?? data.usage };
  return data.kind === "summary" ? { ...data, usage: noUsage } : data;
}
