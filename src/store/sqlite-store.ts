import type { CallRecord } from "../events/events.ts";
import { Failure } from "../failure/failure.ts";
import { openDatabase } from "./database.ts";
import { openDocuments } from "./documents.ts";
import { openHeld } from "./held.ts";
import { openPlans } from "./plans.ts";
import type { PendingApproval, SessionRecord, Store, StoredResult, ToolStatistics } from "./store.ts";
import { openUses } from "./uses.ts";

const schema = `
  CREATE TABLE IF NOT EXISTS calls (
    id TEXT PRIMARY KEY, session TEXT NOT NULL, tool TEXT NOT NULL, at TEXT NOT NULL, durationMs REAL NOT NULL,
    ok INTEGER NOT NULL, errorCode TEXT, bytes INTEGER NOT NULL, tokensIn INTEGER NOT NULL, tokensOut INTEGER NOT NULL,
    approval TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS calls_by_time ON calls (at);
  CREATE TABLE IF NOT EXISTS results (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, tool TEXT NOT NULL, at TEXT NOT NULL, text TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS pending (
    id TEXT PRIMARY KEY, workspace TEXT NOT NULL, tool TEXT NOT NULL, args TEXT NOT NULL, reason TEXT NOT NULL,
    seen TEXT NOT NULL, at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS sessions (
    id TEXT PRIMARY KEY, workspace TEXT NOT NULL, agent TEXT NOT NULL, title TEXT NOT NULL, at TEXT NOT NULL, updated TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS entries (
    session TEXT NOT NULL, seq INTEGER NOT NULL, at TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (session, seq)
  ) STRICT, WITHOUT ROWID;
`;
const keptResults = 2000;

/** `file` may be ":memory:". Several processes may share one file. */
export function openSqliteStore(file: string): Store {
  const db = openDatabase(file, schema);
  const { sql } = db;

  return {
    recordCall: (r) => {
      sql("INSERT OR REPLACE INTO calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
        ...[
          r.id,
          r.session,
          r.tool,
          r.at,
          r.durationMs,
          r.ok ? 1 : 0,
          r.errorCode,
          r.bytes,
          r.tokensIn,
          r.tokensOut,
          r.approval,
        ],
      );
    },
    calls: ({ limit = 100, tool } = {}) =>
      sql("SELECT * FROM calls WHERE tool = coalesce(?, tool) ORDER BY at DESC, rowid DESC LIMIT ?")
        .all(tool ?? null, limit)
        .map(callOf),
    call: (id) => {
      const row = sql("SELECT * FROM calls WHERE id = ?").get(id);
      return row && callOf(row);
    },
    statistics: (since = "") =>
      summarise(sql("SELECT * FROM calls WHERE at >= ?").all(since) as unknown as CallRow[]),

    saveResult: (r) => {
      const insert = "INSERT OR REPLACE INTO results (id, tool, at, text) VALUES (?, ?, ?, ?)";
      const { lastInsertRowid } = sql(insert).run(r.id, r.tool, r.at, r.text);
      if (Number(lastInsertRowid) % 100 === 0)
        sql("DELETE FROM results WHERE seq <= ?").run(Number(lastInsertRowid) - keptResults);
    },
    result: (id) =>
      sql("SELECT id, tool, at, text FROM results WHERE id = ?").get(id) as unknown as
        | StoredResult
        | undefined,

    savePending: (p) => {
      sql("INSERT OR REPLACE INTO pending VALUES (?, ?, ?, ?, ?, ?, ?)").run(
        ...[p.id, p.workspace, p.tool, JSON.stringify(p.args), p.reason, JSON.stringify(p.seen), p.at],
      );
    },
    pending: () => sql("SELECT * FROM pending ORDER BY at").all().map(pendingOf),
    takePending: (id) => {
      const row = sql("DELETE FROM pending WHERE id = ? RETURNING *").get(id);
      return row && pendingOf(row);
    },

    saveSession: (s) => {
      sql(
        `INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET title = excluded.title, updated = excluded.updated`,
      ).run(s.id, s.workspace, s.agent, s.title, s.at, s.updated);
    },
    session: (id) =>
      sql("SELECT * FROM sessions WHERE id = ?").get(id) as unknown as SessionRecord | undefined,
    sessions: ({ workspace, limit = 50, query = "" }) =>
      sql(
        `SELECT * FROM sessions WHERE workspace = ?1 AND (?3 = '' OR instr(lower(title), ?3) OR EXISTS
           (SELECT 1 FROM entries WHERE session = id AND data ->> 'kind' = 'user' AND instr(lower(data ->> 'text'), ?3)))
         ORDER BY updated DESC, rowid DESC LIMIT ?2`,
      ).all(workspace, limit, query.toLowerCase()) as unknown as SessionRecord[],
    appendEntry: (session, { seq, at, data }) => {
      const added = sql("INSERT OR IGNORE INTO entries VALUES (?, ?, ?, ?)").run(
        session,
        seq,
        at,
        JSON.stringify(data),
      );
      if (added.changes > 0) return;
      throw new Failure(
        "CONFLICT",
        `Another process continues the session ${session}. Go on there, or start a new session.`,
      );
    },
    entries: (session) =>
      sql("SELECT seq, at, data FROM entries WHERE session = ? ORDER BY seq")
        .all(session)
        .map(({ seq, at, data }) => ({ seq: Number(seq), at: String(at), data: JSON.parse(String(data)) })),

    documents: (workspace) => openDocuments(db, workspace),
    plans: (workspace) => openPlans(db, workspace),
    held: (workspace) => openHeld(db, workspace),
    uses: () => openUses(db),

    close: () => db.close(),
  };
}

function callOf(row: Record<string, unknown>): CallRecord {
  return { ...row, ok: row["ok"] === 1 } as unknown as CallRecord;
}

type CallRow = Omit<CallRecord, "ok"> & { ok: number };

function pendingOf(row: Record<string, unknown>): PendingApproval {
  return {
    ...row,
    args: JSON.parse(String(row.args)),
    seen: JSON.parse(String(row.seen)),
  } as unknown as PendingApproval;
}

function summarise(rows: readonly CallRow[]): ToolStatistics[] {
  const byTool = Map.groupBy(rows, (row) => row.tool);
  return [...byTool]
    .map(([tool, calls]) => {
      const times = calls.map((c) => c.durationMs).sort((a, b) => a - b);
      const failed = calls.filter((c) => c.ok === 0);
      const codes = Map.groupBy(failed, (c) => c.errorCode ?? "");
      return {
        tool,
        calls: calls.length,
        failures: failed.length,
        failuresByCode: Object.fromEntries([...codes].map(([code, group]) => [code, group.length])),
        p50Ms: quantile(times, 0.5),
        p95Ms: quantile(times, 0.95),
        tokensIn: sum(calls.map((c) => c.tokensIn)),
        tokensOut: sum(calls.map((c) => c.tokensOut)),
        asked: calls.filter((c) => ["approved", "edited", "denied"].includes(c.approval)).length,
        approved: calls.filter((c) => c.approval === "approved" || c.approval === "edited").length,
        edited: calls.filter((c) => c.approval === "edited").length,
      };
    })
    .sort((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1));
}

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
