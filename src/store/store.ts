import type { Usage } from "../events/agent-events.ts";
import type { CallRecord } from "../events/events.ts";
import type { Documents } from "./documents.ts";
import type { Files, NewFile } from "./files.ts";
import type { HeldRecords } from "./held.ts";
import type { KeptChanges } from "./kept-changes.ts";
import type { Plans } from "./plans.ts";
import type { SessionStates } from "./session-states.ts";
import type { Upkeep } from "./upkeep.ts";
import type { Uses } from "./uses.ts";

/**
 * Everything Wield remembers between processes, apart from settings and the journal of file changes. Several processes may
 * share it, so no method relies on what was read before: each is one atomic change, and ids are made by the caller, so that
 * a call whose answer was lost can be repeated. A method that cannot do its work rejects.
 */
export interface Store {
  /** A second record under the same id replaces the first: how a call began, then how it ended. */
  recordCall(record: CallRecord): Promise<void>;
  /** Newest first; with `ids`, those calls. */
  calls(query?: CallQuery): Promise<CallRecord[]>;
  call(id: string): Promise<CallRecord | undefined>;
  /** By tool, the most used first; of calls since this time (ISO 8601), or of all. */
  statistics(since?: string): Promise<ToolStatistics[]>;

  /** The full text of a result, stored so that the rest of a shortened result can be read. */
  saveResult(result: StoredResult): Promise<void>;
  result(id: string): Promise<StoredResult | undefined>;
  /**
   * `recordCall`, `saveResult` and the files of the call in one transaction: a stored result implies that the end of
   * the call is stored.
   */
  finishCall(record: CallRecord, text: string, files?: readonly NewFile[], reach?: Reach): Promise<void>;

  savePending(pending: PendingApproval): Promise<void>;
  pending(): Promise<PendingApproval[]>;
  /** Removes and returns it; if several processes try, only one gets it. */
  takePending(id: string): Promise<PendingApproval | undefined>;

  session(id: string): Promise<SessionRecord | undefined>;
  /** Pinned first, then newest; with a query, those in which the person or the agent said these words; with a prefix, those whose id begins with it. */
  sessions(query: SessionQuery): Promise<SessionRecord[]>;
  /** What the person sets for a session. Their title stays, whatever is appended later. */
  markSession(id: string, mark: SessionMark): Promise<void>;
  /** Removes its log, its state, and the results and files of its calls; the figures of its calls stay. */
  removeSession(id: string): Promise<void>;
  /**
   * Appends to a session's log and saves the session's record, in one transaction. Each `seq` is used once: another
   * entry at the same `seq` is a `CONFLICT` (another process continues the session); the same entry again is not.
   */
  appendEntry(session: SessionRecord, entry: LogEntry): Promise<void>;
  /** In order. */
  entries(session: string): Promise<LogEntry[]>;

  /** `holder` is shown to people: who works on the session. */
  claim(session: string, holder: string): Promise<Claim>;

  /** Tokens that models used, by session, model and ten minutes; newest first. */
  usage(query?: UsageQuery): Promise<UsageRow[]>;

  documents(workspace: string): Documents;
  plans(workspace: string): Plans;
  held(workspace: string): HeldRecords;
  sessionStates(): SessionStates;
  files(): Files;
  keptChanges(): KeptChanges;
  uses(): Uses;
  /** Omitted if the database is maintained elsewhere. */
  upkeep?(): Upkeep;

  /** Later calls reject. */
  close(): Promise<void>;
}

/**
 * The right to continue a session. A later claim takes it over: from then on writes under the earlier claim are
 * refused, however late they arrive. `epoch` counts the claims of a session.
 */
export interface Claim {
  readonly session: string;
  readonly epoch: number;
  /** Claims in a row, this one included, since the log of the session last grew or a claim was released. */
  readonly attempts: number;
  /** The same store, whose writes succeed only while the claim is valid; afterwards they are a `CONFLICT`. */
  readonly store: Store;
  holds(): Promise<boolean>;
  /**
   * Releases the claim. Nothing can be written through it any more, even if the response is lost and `release` is
   * repeated.
   */
  release(): Promise<void>;
}

export interface CallQuery {
  limit?: number;
  tool?: string;
  ids?: readonly string[];
  /** All calls of one session. */
  session?: string;
}

export interface SessionQuery {
  /** Left out: of all folders. */
  workspace?: string;
  limit?: number;
  query?: string;
  prefix?: string;
}

export interface UsageQuery {
  workspace?: string;
  /** ISO 8601. */
  since?: string;
}

export interface UsageRow {
  session: string;
  title: string;
  /** When the ten minutes began, ISO 8601. */
  at: string;
  /** Empty where it was not noted. */
  model: string;
  usage: Usage;
}

/** One conversation with an agent. */
export interface SessionRecord {
  id: string;
  workspace: string;
  agent: string;
  /** How it began, for lists. */
  title: string;
  at: string;
  updated: string;
  /** Kept at the top of lists. */
  pinned?: true;
}

export interface SessionMark {
  title?: string;
  pinned?: boolean;
}

/** An entry of a session's log. */
export interface LogEntry {
  seq: number;
  at: string;
  data: unknown;
}

export interface ToolStatistics {
  tool: string;
  calls: number;
  failures: number;
  failuresByCode: Record<string, number>;
  p50Ms: number;
  p95Ms: number;
  tokensIn: number;
  tokensOut: number;
  asked: number;
  approved: number;
  edited: number;
}

export interface StoredResult {
  id: string;
  tool: string;
  at: string;
  text: string;
  /** Left out: nobody knows. */
  reach?: Reach;
}

/** Which files a result may show: these, or all that the rules of that time let the tool read. */
export type Reach = { paths: readonly string[] } | { denials: readonly string[] };

/** An approval request that a person has not answered yet. */
export interface PendingApproval {
  id: string;
  workspace: string;
  tool: string;
  args: Record<string, unknown>;
  reason: string;
  /** The file states of its preview; a later answer is valid only for these. */
  seen: Record<string, string>;
  at: string;
  /** The session that asks: it gets the result, whichever process runs the call. */
  session?: string;
}
