import type { ModelMessage } from "ai";
import type { StopReason, Usage } from "../events/agent-events.ts";
import { Failure } from "../failure/failure.ts";
import type { SessionRecord, Store } from "../store/store.ts";
import { newId } from "../text/ids.ts";

/** A call as the model made it. Its id is fixed before it runs, so that it can be found again after a kill. */
export interface PlannedCall {
  id: string;
  /** The model's own name for the call. */
  ref: string;
  tool: string;
  input: unknown;
}

/** What the model was told of a call. */
export interface CallResult extends PlannedCall {
  ok: boolean;
  text: string;
  /** What stands for the text once it is old. */
  short: string;
  /** Equal keys: the same call, in the same state of the workspace, with the same result. */
  key: string;
  /** For a failure: equal kinds, the same error, whatever the input was. */
  failure?: string;
  /** The lines of a file that the text shows in full. */
  shows?: ShownLines;
  /** Tools that a search for tools named. */
  found?: string[];
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

/** Everything an agent does is one of these, written down before the next begins; its whole state is their fold. */
export type LogData =
  | { kind: "user"; text: string }
  | { kind: "notice"; text: string }
  | { kind: "step"; messages: ModelMessage[]; calls: PlannedCall[]; usage: Usage; final: boolean }
  | { kind: "results"; results: CallResult[] }
  /** These results are shown in their short form from here on. */
  | { kind: "shorten"; ids: string[] }
  /** Stands for all but the last `keep` turns. */
  | { kind: "summary"; summary: Summary; keep: number; usage: Usage }
  /** A person let the run go on past a limit. */
  | { kind: "continue" }
  | { kind: "end"; stop: StopReason; message?: string };

/** A session's log in the store. */
export class SessionLog {
  readonly record: SessionRecord;
  readonly #store: Store;
  readonly #now: () => Date;
  #seq: number;

  constructor(store: Store, record: SessionRecord, entries: number, now: () => Date) {
    this.#store = store;
    this.record = record;
    this.#seq = entries;
    this.#now = now;
  }

  append(data: LogData): void {
    const at = this.#now().toISOString();
    this.#store.appendEntry(this.record.id, { seq: this.#seq, at, data });
    this.#seq++;
    if (data.kind === "user" && this.record.title === "") this.record.title = titleOf(data.text);
    this.record.updated = at;
    this.#store.saveSession(this.record);
  }
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
): OpenSession {
  const at = now().toISOString();
  const record = { id: newId("a"), ...about, title: "", at, updated: at };
  return { log: new SessionLog(store, record, 0, now), entries: [] };
}

/** An earlier session by id, or the newest of the workspace with `latest`. */
export function openSession(
  store: Store,
  which: string,
  about: { workspace: string },
  now: () => Date,
): OpenSession {
  const known = store.sessions({ workspace: about.workspace, limit: 1000 });
  const record = which === "latest" ? known[0] : known.find(({ id }) => id.startsWith(which));
  if (!record) {
    throw new Failure(
      "FILE_NOT_FOUND",
      which === "latest"
        ? "There is no session in this folder yet. Start one with: wield ask"
        : `There is no session ${which} in this folder. List them with: wield sessions`,
    );
  }
  const entries = store.entries(record.id).map(({ data }) => data as LogData);
  return { log: new SessionLog(store, record, entries.length, now), entries };
}

function titleOf(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
