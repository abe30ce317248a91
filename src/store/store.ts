import type { CallRecord } from "../events/events.ts";
import type { Documents } from "./documents.ts";
import type { HeldRecords } from "./held.ts";
import type { Plans } from "./plans.ts";
import type { Uses } from "./uses.ts";

/** Everything Wield remembers between processes, apart from settings and the journal of file changes. */
export interface Store {
  recordCall(record: CallRecord): void;
  /** Newest first. */
  calls(query?: { limit?: number; tool?: string }): CallRecord[];
  call(id: string): CallRecord | undefined;
  statistics(since?: string): ToolStatistics[];

  /** The full text of a result, kept so that a shortened answer can be read on. */
  saveResult(result: StoredResult): void;
  result(id: string): StoredResult | undefined;

  savePending(pending: PendingApproval): void;
  pending(): PendingApproval[];
  takePending(id: string): PendingApproval | undefined;

  documents(workspace: string): Documents;
  plans(workspace: string): Plans;
  held(workspace: string): HeldRecords;
  uses(): Uses;
  /** Creates the session or changes what is said about it. */
  saveSession(session: SessionRecord): void;
  session(id: string): SessionRecord | undefined;
  /** Newest first; with a query, those in which these words were said. */
  sessions(query: { workspace: string; limit?: number; query?: string }): SessionRecord[];
  /** Adds to a session's log, for ever. `CONFLICT` when `seq` is taken: another process continues the same session. */
  appendEntry(session: string, entry: LogEntry): void;
  /** In order. */
  entries(session: string): LogEntry[];

  close(): void;
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
}

/** What happened in a session, as its agent wrote it down. */
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
}

/** An ask that was put before a person and not answered yet. */
export interface PendingApproval {
  id: string;
  workspace: string;
  tool: string;
  args: Record<string, unknown>;
  reason: string;
  /** The file states it was previewed against; an answer given later counts only for these. */
  seen: Record<string, string>;
  at: string;
}
