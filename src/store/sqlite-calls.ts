import type { CallRecord } from "../events/events.ts";
import type { Database } from "./database.ts";
import type { Store, StoredResult, ToolStatistics } from "./store.ts";

export const callsSchema = `
  CREATE TABLE IF NOT EXISTS calls (
    id TEXT PRIMARY KEY, session TEXT NOT NULL, tool TEXT NOT NULL, at TEXT NOT NULL, durationMs REAL NOT NULL,
    ok INTEGER NOT NULL, errorCode TEXT, bytes INTEGER NOT NULL, tokensIn INTEGER NOT NULL, tokensOut INTEGER NOT NULL,
    approval TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS calls_by_time ON calls (at);
  CREATE TABLE IF NOT EXISTS results (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, tool TEXT NOT NULL, at TEXT NOT NULL, text TEXT NOT NULL
  ) STRICT;
`;
const keptResults = 2000;

type CallMethods = Pick<
  Store,
  "recordCall" | "calls" | "call" | "statistics" | "saveResult" | "result" | "finishCall"
>;

export function sqliteCalls(db: Database): CallMethods {
  const { sql } = db;
  const record = (r: CallRecord) => {
    const end = [r.durationMs, r.ok ? 1 : 0, r.errorCode, r.bytes, r.tokensIn, r.tokensOut, r.approval];
    sql("INSERT OR REPLACE INTO calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
      ...[r.id, r.session, r.tool, r.at, ...end],
    );
  };
  const save = (r: StoredResult) => {
    const insert = "INSERT OR REPLACE INTO results (id, tool, at, text) VALUES (?, ?, ?, ?)";
    const { lastInsertRowid } = sql(insert).run(r.id, r.tool, r.at, r.text);
    if (Number(lastInsertRowid) % 100 === 0)
      sql("DELETE FROM results WHERE seq <= ?").run(Number(lastInsertRowid) - keptResults);
  };
  return {
    recordCall: async (call) => record(call),
    calls: async ({ limit = 100, tool, ids } = {}) => {
      if (ids) {
        const chosen =
          "SELECT * FROM calls WHERE id IN (SELECT value FROM json_each(?)) ORDER BY at DESC, rowid DESC";
        return sql(chosen).all(JSON.stringify(ids)).map(callOf);
      }
      return sql("SELECT * FROM calls WHERE tool = coalesce(?, tool) ORDER BY at DESC, rowid DESC LIMIT ?")
        .all(tool ?? null, limit)
        .map(callOf);
    },
    call: async (id) => {
      const row = sql("SELECT * FROM calls WHERE id = ?").get(id);
      return row && callOf(row);
    },
    statistics: async (since = "") =>
      summarise(sql("SELECT * FROM calls WHERE at >= ?").all(since) as unknown as CallRow[]),

    saveResult: async (result) => save(result),
    result: async (id) =>
      sql("SELECT id, tool, at, text FROM results WHERE id = ?").get(id) as unknown as
        | StoredResult
        | undefined,
    finishCall: async (call, text) =>
      db.transaction(() => {
        record(call);
        save({ id: call.id, tool: call.tool, at: call.at, text });
      }),
  };
}

function callOf(row: Record<string, unknown>): CallRecord {
  return { ...row, ok: row["ok"] === 1 } as unknown as CallRecord;
}

type CallRow = Omit<CallRecord, "ok"> & { ok: number };
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
