import { setImmediate } from "node:timers/promises";
import type { CallRecord } from "../events/events.ts";
import type { Database } from "./database.ts";
import { addFiles } from "./sqlite-files.ts";
import type { Reach, Store, StoredResult, ToolStatistics } from "./store.ts";

export const callsSchema = `
  CREATE TABLE IF NOT EXISTS calls (
    id TEXT PRIMARY KEY, session TEXT NOT NULL, tool TEXT NOT NULL, at TEXT NOT NULL, durationMs REAL NOT NULL,
    ok INTEGER NOT NULL, errorCode TEXT, bytes INTEGER NOT NULL, tokensIn INTEGER NOT NULL, tokensOut INTEGER NOT NULL,
    approval TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS calls_by_time ON calls (at);
  CREATE INDEX IF NOT EXISTS calls_by_session ON calls (session);
  CREATE INDEX IF NOT EXISTS calls_for_statistics ON calls (tool, durationMs, at, ok, errorCode, tokensIn, tokensOut, approval);
  CREATE TABLE IF NOT EXISTS results (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, tool TEXT NOT NULL, at TEXT NOT NULL, text TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS result_reach (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
  CREATE TRIGGER IF NOT EXISTS result_reach_end AFTER DELETE ON results BEGIN
    DELETE FROM result_reach WHERE id = OLD.id;
  END;
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
    if (r.reach) sql("INSERT OR REPLACE INTO result_reach VALUES (?, ?)").run(r.id, JSON.stringify(r.reach));
    if (Number(lastInsertRowid) % 100 === 0)
      sql("DELETE FROM results WHERE seq <= ?").run(Number(lastInsertRowid) - keptResults);
  };
  return {
    recordCall: async (call) => record(call),
    calls: async ({ limit = 100, tool, ids, session } = {}) => {
      if (session !== undefined)
        return sql("SELECT * FROM calls WHERE session = ? ORDER BY at DESC, rowid DESC")
          .all(session)
          .map(callOf);
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
    statistics: (since = "") => statistics(db, since),

    saveResult: async (result) => save(result),
    result: async (id) => {
      const row = sql(
        "SELECT id, tool, at, text, body FROM results LEFT JOIN result_reach USING (id) WHERE id = ?",
      );
      const { body, ...result } = (row.get(id) ?? {}) as Record<string, unknown>;
      if (result["id"] === undefined) return undefined;
      const reach = typeof body === "string" ? { reach: JSON.parse(body) as Reach } : {};
      return { ...result, ...reach } as unknown as StoredResult;
    },
    finishCall: async (call, text, files = [], reach) =>
      db.transaction(() => {
        record(call);
        save({ id: call.id, tool: call.tool, at: call.at, text, ...(reach && { reach }) });
        addFiles(db, call.id, files);
      }),
  };
}

function callOf(row: Record<string, unknown>): CallRecord {
  return { ...row, ok: row["ok"] === 1 } as unknown as CallRecord;
}

/** Counted by SQLite, tool by tool: between two tools other work gets its turn. */
async function statistics({ sql }: Database, since: string): Promise<ToolStatistics[]> {
  const found: ToolStatistics[] = [];
  for (const tool of toolsCalled(sql)) {
    const counted = sql(
      `SELECT count(*) AS calls, total(ok = 0) AS failures, total(tokensIn) AS tokensIn, total(tokensOut) AS tokensOut,
         total(approval IN ('approved', 'edited', 'denied')) AS asked, total(approval IN ('approved', 'edited')) AS approved,
         total(approval = 'edited') AS edited
       FROM calls WHERE tool = ? AND at >= ?`,
    ).get(tool, since) as unknown as Omit<ToolStatistics, "tool" | "failuresByCode" | "p50Ms" | "p95Ms">;
    if (counted.calls === 0) continue;
    const codes = sql(
      `SELECT coalesce(errorCode, '') AS code, count(*) AS count FROM calls
       WHERE tool = ? AND at >= ? AND ok = 0 GROUP BY 1 ORDER BY min(rowid)`,
    ).all(tool, since);
    const duration = (quantile: number) =>
      sql("SELECT durationMs FROM calls WHERE tool = ? AND at >= ? ORDER BY durationMs LIMIT 1 OFFSET ?").get(
        ...[tool, since, Math.min(counted.calls - 1, Math.floor(counted.calls * quantile))],
      );
    found.push({
      tool,
      ...counted,
      failuresByCode: Object.fromEntries(codes.map(({ code, count }) => [String(code), Number(count)])),
      p50Ms: Number(duration(0.5)?.["durationMs"]),
      p95Ms: Number(duration(0.95)?.["durationMs"]),
    });
    await setImmediate();
  }
  return found.sort((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1));
}

/** From one name to the next by the index: `DISTINCT` would look at every call. */
function toolsCalled(sql: Database["sql"]): string[] {
  const next = sql(
    `WITH RECURSIVE names (tool) AS (
       SELECT min(tool) FROM calls UNION ALL SELECT (SELECT min(tool) FROM calls WHERE tool > names.tool) FROM names WHERE names.tool IS NOT NULL
     ) SELECT tool FROM names WHERE tool IS NOT NULL`,
  );
  return next.all().map(({ tool }) => String(tool));
}
