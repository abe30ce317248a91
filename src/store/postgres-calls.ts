import type { CallRecord } from "../events/events.ts";
import { lostClaim } from "./claims.ts";
import type { NewFile } from "./files.ts";
import { decodeText, encodeText, fenceSource, type PostgresDatabase, type Row } from "./postgres-database.ts";
import type { Reach, Store, ToolStatistics } from "./store.ts";

/** Of each session: a busy team must not prune what a session needs to go on. */
const keptResults = 2000;

type CallMethods = Pick<
  Store,
  "recordCall" | "calls" | "call" | "statistics" | "saveResult" | "result" | "finishCall"
>;

const insertCall =
  "INSERT INTO calls (id, session, tool, at, duration_ms, ok, error_code, bytes, tokens_in, tokens_out, approval)";
const callValues =
  "SELECT $1::text, $2::text, $3::text, $4::text, $5::float8, $6::boolean, $7::text, $8::bigint, $9::bigint, $10::bigint, $11::text";
const orReplace = `ON CONFLICT (id) DO UPDATE SET session = excluded.session, tool = excluded.tool, at = excluded.at,
  duration_ms = excluded.duration_ms, ok = excluded.ok, error_code = excluded.error_code, bytes = excluded.bytes,
  tokens_in = excluded.tokens_in, tokens_out = excluded.tokens_out, approval = excluded.approval`;

export function postgresCalls(db: PostgresDatabase): CallMethods {
  const { query, fence } = db;
  const requireWritten = (rows: readonly Row[]) => {
    if (fence && rows.length === 0) throw lostClaim(fence.session);
  };
  return {
    recordCall: async (call) => {
      const { from, values } = fenceSource(fence, 12);
      const text = `${insertCall} ${callValues} ${from} ${orReplace} RETURNING id`;
      requireWritten(await query(text, [...valuesOf(call), ...values]));
    },
    calls: async ({ limit = 100, tool, ids, session } = {}) => {
      if (session !== undefined) {
        const own = "SELECT * FROM calls WHERE session = $1 ORDER BY at DESC, seq DESC";
        return (await query(own, [session])).map(callOf);
      }
      const rows = ids
        ? await query("SELECT * FROM calls WHERE id = ANY ($1) ORDER BY at DESC, seq DESC", [ids])
        : await query(
            "SELECT * FROM calls WHERE ($1::text IS NULL OR tool = $1) ORDER BY at DESC, seq DESC LIMIT $2",
            [tool ?? null, limit],
          );
      return rows.map(callOf);
    },
    call: async (id) => (await query("SELECT * FROM calls WHERE id = $1", [id])).map(callOf)[0],
    statistics: async (since = "") => (await query(statistics, [since])).map(statisticsOf),

    saveResult: async ({ id, tool, at, text, reach }) => {
      await db.write(
        `INSERT INTO results (id, session, tool, at, body, reach)
         VALUES ($1, coalesce((SELECT session FROM calls WHERE id = $1), ''), $2, $3, $4, $5)
         ON CONFLICT (id) DO UPDATE SET tool = excluded.tool, at = excluded.at, body = excluded.body, reach = excluded.reach`,
        [id, tool, at, encodeText(text), encodeReach(reach)],
      );
    },
    result: async (id) => {
      const [row] = await query("SELECT id, tool, at, body, reach FROM results WHERE id = $1", [id]);
      if (!row) return undefined;
      const stored = { id, tool: String(row["tool"]), at: String(row["at"]), text: decodeText(row["body"]) };
      return row["reach"] === null
        ? stored
        : { ...stored, reach: JSON.parse(decodeText(row["reach"])) as Reach };
    },
    finishCall: async (call, text, files = [], reach) => {
      const { from, values } = fenceSource(fence, 17);
      const rows = await query(
        `WITH fence AS (SELECT 1 ${from}),
           call AS (${insertCall} ${callValues} FROM fence ${orReplace}),
           file AS (INSERT INTO call_files (call, place, name, media_type, size, bytes)
             SELECT $1, f.place - 1, f.name, f.media_type, length(f.bytes), f.bytes
             FROM fence, unnest($13::text[], $14::text[], $15::bytea[]) WITH ORDINALITY AS f (name, media_type, bytes, place)
             ON CONFLICT DO NOTHING)
         INSERT INTO results (id, session, tool, at, body, reach) SELECT $1, $2, $3, $4, $12::text, $16::text FROM fence
         ON CONFLICT (id) DO UPDATE
           SET tool = excluded.tool, at = excluded.at, body = excluded.body, reach = excluded.reach RETURNING seq`,
        [...valuesOf(call), encodeText(text), ...columnsOf(files), encodeReach(reach), ...values],
      );
      requireWritten(rows);
      if (Number(rows[0]?.["seq"]) % 100 === 0) await prune(db, call.session);
    },
  };
}

async function prune(db: PostgresDatabase, session: string): Promise<void> {
  await db.query(
    `DELETE FROM results WHERE session = $1
       AND seq <= (SELECT seq FROM results WHERE session = $1 ORDER BY seq DESC OFFSET $2 LIMIT 1)`,
    [session, keptResults],
  );
}

function valuesOf(r: CallRecord): unknown[] {
  const end = [r.durationMs, r.ok, r.errorCode, r.bytes, r.tokensIn, r.tokensOut, r.approval];
  return [r.id, r.session, encodeText(r.tool), r.at, ...end];
}

function columnsOf(files: readonly NewFile[]): unknown[] {
  return [
    files.map(({ name }) => encodeText(name)),
    files.map(({ mediaType }) => encodeText(mediaType)),
    files.map(({ bytes }) => Buffer.from(bytes)),
  ];
}

function encodeReach(reach: Reach | undefined): string | null {
  return reach ? encodeText(JSON.stringify(reach)) : null;
}

function callOf(row: Row): CallRecord {
  return {
    id: String(row["id"]),
    session: String(row["session"]),
    tool: decodeText(row["tool"]),
    at: String(row["at"]),
    durationMs: Number(row["duration_ms"]),
    ok: row["ok"] === true,
    errorCode: row["error_code"] === null ? null : String(row["error_code"]),
    bytes: Number(row["bytes"]),
    tokensIn: Number(row["tokens_in"]),
    tokensOut: Number(row["tokens_out"]),
    approval: String(row["approval"]) as CallRecord["approval"],
  };
}

/** The same quantiles as the embedded store: the value at the place `floor(calls × quantile)`. */
const statistics = `
  WITH counted AS (
    SELECT tool, count(*) AS calls, count(*) FILTER (WHERE NOT ok) AS failures, sum(tokens_in) AS tokens_in,
      sum(tokens_out) AS tokens_out, count(*) FILTER (WHERE approval IN ('approved', 'edited', 'denied')) AS asked,
      count(*) FILTER (WHERE approval IN ('approved', 'edited')) AS approved,
      count(*) FILTER (WHERE approval = 'edited') AS edited, array_agg(duration_ms ORDER BY duration_ms) AS times
    FROM calls WHERE at >= $1 GROUP BY tool
  ), codes AS (
    SELECT tool, json_object_agg(code, times) AS by_code FROM (
      SELECT tool, coalesce(error_code, '') AS code, count(*) AS times FROM calls WHERE at >= $1 AND NOT ok GROUP BY 1, 2
    ) AS each_code GROUP BY tool
  )
  SELECT counted.*, by_code, times[least(calls, floor(calls * 0.5) + 1)] AS p50, times[least(calls, floor(calls * 0.95) + 1)] AS p95
  FROM counted LEFT JOIN codes USING (tool) ORDER BY calls DESC, tool COLLATE "C"`;

function statisticsOf(row: Row): ToolStatistics {
  const number = (name: string) => Number(row[name]);
  return {
    tool: decodeText(row["tool"]),
    calls: number("calls"),
    failures: number("failures"),
    failuresByCode: (row["by_code"] ?? {}) as Record<string, number>,
    p50Ms: number("p50"),
    p95Ms: number("p95"),
    tokensIn: number("tokens_in"),
    tokensOut: number("tokens_out"),
    asked: number("asked"),
    approved: number("approved"),
    edited: number("edited"),
  };
}
