import type { ModelMessage } from "ai";
import type { Plan, StopReason, Usage } from "../events/agent-events.ts";
import { Failure } from "../failure/failure.ts";
import type { LogEntry, Reach, SessionRecord, Store } from "../store/store.ts";
import { newId } from "../text/ids.ts";
import { inWords, type PersonMessage } from "./attachments.ts";
import type { ResearchGiven, ResearchResult } from "./research-log.ts";
import type { Source } from "./sources.ts";

/** A call as the model made it. Its id is fixed before it runs, so it can be found again after a crash. */
export interface PlannedCall {
  id: string;
  /** The model's own name for the call. */
  ref: string;
  tool: string;
  input: unknown;
  /** Its message was cut off at the output limit, so the input may be incomplete: it is never run. */
  cut?: true;
}

/** What the model got of a call. */
export interface CallResult extends PlannedCall {
  ok: boolean;
  text: string;
  /** What replaces the text once it is old. */
  short: string;
  /** Equal keys: the same call, in the same state of the workspace, with the same result. */
  key: string;
  /** Which files the text may show; left out: nobody knows. */
  reach?: Reach;
  /** For a failure: equal kinds, the same error, whatever the input was. */
  failure?: string;
  /** The lines of a file that the text shows in full. */
  shows?: ShownLines;
  /** Tools that a search for tools named. */
  found?: string[];
  /** What a run used that this call delegated to. */
  used?: Usage;
  /** What it found or read that can be cited. */
  sources?: Source[];
  /** The plan after the call, for people. */
  plan?: Plan;
}

/** What is left of dropped turns. */
export interface Summary {
  /** The person's words, word for word. */
  said: string[];
  done: string;
  /** The plan as it stood. */
  plan: string;
  /** Results that can still be read by id. */
  readable: string;
}

export interface ShownLines {
  path: string;
  /** Size and time of the file: equal, then unchanged. */
  state: string;
  from: number;
  to: number;
}

/**
 * Everything an agent does is one of these entries, stored before the next step; its whole state is computed from
 * them.
 */
export type LogData =
  /** With the position of the journal of changes at that moment. */
  | ({ kind: "user"; position?: number } & PersonMessage)
  /** The first entry of a research session: its options, so that a continuation uses the same ones. */
  | { kind: "research"; given: ResearchGiven }
  | { kind: "notice"; text: string }
  | {
      kind: "step";
      messages: ModelMessage[];
      calls: PlannedCall[];
      usage: Usage;
      /** In a fork: what the step used in the session that it was copied from, where it is counted. */
      usedBefore?: Usage;
      /** Who answered. */
      model?: string;
      final: boolean;
      /** What the provider's own search found and what it cited. */
      sources?: Source[];
      /** The words of the messages, with the number of each source that the provider cited and the list of sources. */
      cited?: string;
      /** What the person's message names was looked up before the model was asked: no model took this step. */
      lookup?: true;
      /** The report of a research: what it is made of. No model was asked for this step; the phases have separate sessions. */
      research?: ResearchResult;
    }
  | { kind: "results"; results: CallResult[] }
  /** These results are shown in their short form from here on. */
  | { kind: "shorten"; ids: string[] }
  /** Stands for all but the last `keep` turns. */
  | { kind: "summary"; summary: Summary; keep: number; usage: Usage; model?: string }
  /** The part of an interrupted answer that was received: for people, not for the model. */
  | { kind: "partial"; text: string }
  /** The person went back: entries from this place on no longer count. */
  | { kind: "rewind"; to: number }
  /** A person let the run continue past a limit. */
  | { kind: "continue" }
  | { kind: "end"; stop: StopReason; message?: string };

/**
 * A session's log in the store. What is appended is remembered even when the store fails: it stays in memory, in order,
 * until it can be written, and nothing is written before it.
 */
export class SessionLog {
  readonly record: SessionRecord;
  readonly #store: Store;
  readonly #now: () => Date;
  readonly #unwritten: LogEntry[] = [];
  #length: number;

  constructor(store: Store, record: SessionRecord, entries: number, now: () => Date) {
    this.#store = store;
    this.record = record;
    this.#length = entries;
    this.#now = now;
  }

  /** Entries so far, with those that are not in the store yet. */
  get length(): number {
    return this.#length;
  }

  async append(data: LogData): Promise<void> {
    const at = this.#now().toISOString();
    this.#unwritten.push({ seq: this.#length++, at, data });
    if (data.kind === "user" && this.record.title === "") this.record.title = titleOf(inWords(data));
    this.record.updated = at;
    await this.flush();
  }

  /** Writes what an earlier failure of the store left in memory. */
  async flush(): Promise<void> {
    for (let entry = this.#unwritten[0]; entry; entry = this.#unwritten[0]) {
      await this.#store.appendEntry({ ...this.record }, entry).catch((error: unknown) => {
        throw notWritten(error);
      });
      this.#unwritten.shift();
    }
  }
}

function notWritten(error: unknown): Error {
  if (error instanceof Failure) return error;
  const cause = error instanceof Error ? error.message : String(error);
  const message = `The session could not be saved (${cause}). What was done is kept in memory and saved first when you continue; no call is made twice.`;
  return new Failure("UNAVAILABLE", message);
}

/** The current entries: those removed by a rewind are omitted, and the last rewind is at the end. */
export function currentEntries(entries: readonly LogEntry[]): LogEntry[] {
  let current: LogEntry[] = [];
  for (const entry of entries) {
    const data = entry.data as LogData;
    if (data.kind === "rewind") current = current.filter(({ seq }) => seq < data.to);
    current.push(entry);
  }
  return current;
}

export interface OpenSession {
  log: SessionLog;
  entries: LogData[];
}

/** A new session; it is in the store from its first entry on. */
export function newSession(
  store: Store,
  about: { workspace: string; agent: string },
  now: () => Date,
  id = newId("a"),
): OpenSession {
  const at = now().toISOString();
  const record = { id, ...about, title: "", at, updated: at };
  return { log: new SessionLog(store, record, 0, now), entries: [] };
}

/** An earlier session by its id or the beginning of it, or the newest of the workspace with `latest`. */
export async function openSession(
  store: Store,
  which: string,
  about: { workspace: string },
  now: () => Date,
): Promise<OpenSession> {
  const record = await findSession(store, which, about.workspace);
  const all = await store.entries(record.id);
  const entries = currentEntries(all).map(({ data }) => data as LogData);
  return { log: new SessionLog(store, record, all.length, now), entries };
}

export async function findSession(store: Store, which: string, workspace: string): Promise<SessionRecord> {
  if (which === "") throw new Failure("INVALID_INPUT", `A session id must not be empty. ${listThem}`);
  if (which === "latest") {
    const recent = await store.sessions({ workspace, prefix: chatPrefix, limit: 50 });
    const newest = recent
      .filter(({ id }) => !isResearchPhase(id))
      .reduce<SessionRecord | undefined>(
        (best, one) => (best && best.updated >= one.updated ? best : one),
        undefined,
      );
    if (newest) return newest;
    throw new Failure("FILE_NOT_FOUND", "There is no session in this folder yet. Start one with: wield ask");
  }
  const found = await store.sessions({ workspace, prefix: which, limit: mostCandidates });
  const [record, another] = found;
  const exact = found.find(({ id }) => id === which) ?? (another ? undefined : record);
  if (exact) return exact;
  const message = another
    ? `Several sessions begin with ${which}: ${found.map(({ id }) => id).join(", ")}. Give more of the id.`
    : `There is no session ${which} in this folder. ${listThem}`;
  throw new Failure(another ? "INVALID_INPUT" : "FILE_NOT_FOUND", message);
}

/** Sessions of people; a delegated run has another kind of id and is in no list. */
export const chatPrefix = "a_";

/** A part of a research, whose id is that of the research with an ending: not a separate conversation. */
export function isResearchPhase(id: string): boolean {
  return id.includes("-");
}

/** The session of the run that a call delegates to: always the same for one call, so that it is found again after a crash. */
export function delegatedSession(callId: string): string {
  return `t${callId.slice(callId.indexOf("_"))}`;
}

const listThem = "List them with: wield sessions";
const mostCandidates = 10;

/** The first line of what a session was asked first. */
export function titleOf(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

/** Removes a session with the runs that its calls delegated to; nothing of it is left beside the store. */
export async function removeSession(store: Store, id: string): Promise<void> {
  const entries = (await store.entries(id)).map(({ data }) => data as LogData);
  const calls = entries.flatMap((entry) => (entry.kind === "step" ? entry.calls : []));
  for (const call of calls) await store.removeSession(delegatedSession(call.id));
  if (entries[0]?.kind === "research") await removePhases(store, id);
  await store.removeSession(id);
  await store.upkeep?.().compact(false);
}

/** The sessions of a research's phases are named after it. */
async function removePhases(store: Store, id: string): Promise<void> {
  const record = await store.session(id);
  if (!record) return;
  const phases = await store.sessions({ workspace: record.workspace, prefix: `${id}-`, limit: 100 });
  for (const phase of phases) await store.removeSession(phase.id);
}
