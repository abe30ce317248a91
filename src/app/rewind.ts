import { currentEntries, delegatedSession, findSession, type LogData } from "../agent/log.ts";
import type { RewindMessage, RewindView, RewoundView } from "../api/rewind.ts";
import type { WieldEvent } from "../events/events.ts";
import { Failure } from "../failure/failure.ts";
import type { LogEntry, SessionRecord, Store } from "../store/store.ts";
import { newId } from "../text/ids.ts";
import { previewOf } from "../tool/change-tool.ts";
import type { Rewind, RewindPoint, Workspace } from "../workspace/workspace.ts";

export type RewindWhat = "conversation" | "files" | "both";

interface RewindParts {
  store: Store;
  workspace: Workspace;
  emit(event: WieldEvent): void;
}

type SentMessage = Extract<LogData, { kind: "user" }>;

/** The person's messages that a conversation can be rewound to, oldest first. */
export async function rewindMessages(
  { store, workspace }: RewindParts,
  session: string,
): Promise<RewindMessage[]> {
  const { entries } = await opened(store, workspace, session);
  return currentEntries(entries).flatMap(({ seq, at, data }) => {
    const entry = data as LogData;
    return entry.kind === "user" ? [{ entry: seq, at, text: entry.text }] : [];
  });
}

/** What a rewind to before this message would do to files; changes nothing. A conflict is reported, not thrown. */
export async function planRewind(parts: RewindParts, session: string, to: number): Promise<RewindView> {
  const { record, entries } = await opened(parts.store, parts.workspace, session);
  const said = messageAt(entries, to);
  const dropped = currentEntries(entries).filter(({ seq }) => seq >= to);
  const common = {
    text: said.text,
    messages: dropped.filter(({ data }) => (data as LogData).kind === "user").length,
  };
  try {
    const { plan, left } = await parts.workspace.planRewind(
      await pointAt(parts.store, record, entries, said),
    );
    const { files } = await previewOf("rewind", plan);
    const shown = files.map(({ path, change, from, diff, added, removed }) => ({
      ...{ path, change, diff, added, removed },
      ...(from !== undefined && { from }),
    }));
    return { ...common, files: shown, left: pathsLeft(left) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...common, files: [], left: [], conflict: error.message };
  }
}

/**
 * Takes the conversation, the files, or both back to before a message; the message comes back, to be changed and sent again.
 * Files first: if someone else changed one of them since, nothing happens. Nothing is lost: the log keeps all entries, and
 * each change of a file can be done again. Not during a run of the session.
 */
export async function rewindSession(
  parts: RewindParts,
  session: string,
  to: number,
  what: RewindWhat,
): Promise<RewoundView> {
  const { store, workspace, emit } = parts;
  const { record, entries } = await opened(store, workspace, session);
  const said = messageAt(entries, to);
  let files: string[] = [];
  let left: string[] = [];
  if (what !== "conversation") {
    const by = { callId: newId("c"), tool: "rewind", description: "rewind" };
    const done = await workspace.rewind(await pointAt(store, record, entries, said), by);
    files = [
      ...new Set(done.plan.files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]))),
    ];
    left = pathsLeft(done.left);
    for (const { id } of done.changes)
      emit({ type: "files-change", callId: by.callId, changeId: id, paths: files });
  }
  if (what !== "files") {
    const at = new Date().toISOString();
    const data: LogData = { kind: "rewind", to };
    await store.appendEntry({ ...record, updated: at }, { seq: entries.length, at, data });
  }
  return { text: said.text, files, left };
}

async function opened(
  store: Store,
  workspace: Workspace,
  session: string,
): Promise<{ record: SessionRecord; entries: LogEntry[] }> {
  const record = await findSession(store, session, workspace.root);
  return { record, entries: await store.entries(record.id) };
}

function messageAt(entries: readonly LogEntry[], to: number): SentMessage {
  const data = currentEntries(entries).find(({ seq }) => seq === to)?.data as LogData | undefined;
  if (data?.kind === "user") return data;
  throw new Failure("INVALID_INPUT", "There is no message of yours at this place of the conversation.");
}

async function pointAt(
  store: Store,
  { id }: SessionRecord,
  entries: readonly LogEntry[],
  { position }: SentMessage,
): Promise<RewindPoint> {
  if (position !== undefined) return { position, callIds: await callsOf(store, id, entries) };
  const message = "An older version of Wield, which did not note where the files stood, took this message.";
  throw new Failure("UNAVAILABLE", `${message} Rewind the conversation alone.`);
}

/** Of the session and of the runs that it delegated to; calls that an earlier rewind dropped changed files, too. */
export async function callsOf(
  store: Store,
  session: string,
  entries: readonly LogEntry[],
): Promise<string[]> {
  const made = entries.flatMap(({ data }) => {
    const entry = data as LogData;
    return entry.kind === "step" ? entry.calls : [];
  });
  const delegated = made.filter(({ tool }) => tool === "explore" || tool === "task");
  const below = await Promise.all(
    delegated.map(async ({ id }) => {
      const child = delegatedSession(id);
      return callsOf(store, child, await store.entries(child));
    }),
  );
  const recorded = await store.calls({ session });
  return [...new Set([...made, ...recorded].map(({ id }) => id).concat(below.flat()))];
}

function pathsLeft(left: Rewind["left"]): string[] {
  return [...new Set(left.flatMap(({ files }) => files.map(({ path }) => path)))];
}
