import { Failure } from "../failure/failure.ts";
import { lostClaim } from "./claims.ts";
import {
  decodeText,
  encodeText,
  fenceSource,
  type PostgresDatabase,
  type Row,
  searchable,
} from "./postgres-database.ts";
import type { SessionRecord, Store } from "./store.ts";
import { totals, usageRow } from "./usage-row.ts";

type SessionMethods = Pick<
  Store,
  "session" | "sessions" | "markSession" | "removeSession" | "appendEntry" | "entries" | "usage"
>;

const joined = `SELECT s.id, s.workspace, s.agent, coalesce(m.title, s.title) AS title, s.at, s.updated,
  coalesce(m.pinned, false) AS pinned FROM sessions s LEFT JOIN session_marks m ON m.session = s.id`;

export function postgresSessions(db: PostgresDatabase): SessionMethods {
  const { query, fence } = db;
  return {
    session: async (id) => (await query(`${joined} WHERE s.id = $1`, [id])).map(recordOf)[0],
    sessions: async ({ workspace, limit = 50, query: words = "", prefix = "" }) => {
      const rows = await query(
        `${joined} WHERE ($1::text IS NULL OR s.workspace = $1) AND starts_with(s.id, $4)
           AND ($3 = '' OR strpos(lower(coalesce(m.title, s.title)), $3) > 0 OR EXISTS
             (SELECT 1 FROM entries e WHERE e.session = s.id AND e.said IS NOT NULL AND strpos(e.said, $3) > 0
               AND NOT EXISTS (SELECT 1 FROM entries r WHERE r.session = e.session AND r.seq > e.seq
                 AND substring(r.data from '^\\{"kind":"rewind","to":(\\d+)')::bigint <= e.seq)))
         ORDER BY coalesce(m.pinned, false) DESC, s.updated DESC, s.seq DESC LIMIT $2`,
        [workspace ?? null, limit, searchable(words.toLowerCase()), prefix],
      );
      return rows.map(recordOf);
    },
    markSession: async (id, { title, pinned }) => {
      await db.write(
        `INSERT INTO session_marks VALUES ($1, $2::text, coalesce($3::boolean, false))
         ON CONFLICT (session) DO UPDATE SET title = coalesce($2, session_marks.title),
           pinned = coalesce($3, session_marks.pinned)`,
        [id, title === undefined ? null : encodeText(title), pinned ?? null],
      );
    },
    removeSession: (id) =>
      db.transaction(async (sql) => {
        const calls = "(SELECT id FROM calls WHERE session = $1)";
        await sql(`DELETE FROM results WHERE id IN ${calls}`, [id]);
        await sql(`DELETE FROM call_files WHERE call IN ${calls}`, [id]);
        for (const table of ["session_states", "session_marks", "entries", "kept_changes"])
          await sql(`DELETE FROM ${table} WHERE session = $1`, [id]);
        await sql("DELETE FROM sessions WHERE id = $1", [id]);
      }),
    appendEntry: async (s, { seq, at, data }) => {
      const text = JSON.stringify(data);
      const { from, values } = fenceSource(fence, 11);
      const [done] = await query(
        `WITH fence AS (SELECT 1 ${from}),
           added AS (INSERT INTO entries (session, seq, at, data, said)
             SELECT $1::text, $2::bigint, $3::text, $4::text, $5::text FROM fence ON CONFLICT DO NOTHING RETURNING 1),
           told AS (INSERT INTO sessions (id, workspace, agent, title, at, updated)
             SELECT $1, $6::text, $7::text, $8::text, $9::text, $10::text FROM added
             ON CONFLICT (id) DO UPDATE SET agent = excluded.agent, title = excluded.title, updated = excluded.updated)
         SELECT (SELECT count(*) FROM fence) AS held, (SELECT count(*) FROM added) AS added`,
        [
          s.id,
          seq,
          at,
          text,
          saidIn(data),
          s.workspace,
          s.agent,
          encodeText(s.title),
          s.at,
          s.updated,
          ...values,
        ],
      );
      if (Number(done?.["held"]) === 0) throw lostClaim(s.id);
      if (Number(done?.["added"]) > 0) return;
      // Its own entry again, when only the answer was lost, is no conflict.
      const [there] = await query("SELECT at, data FROM entries WHERE session = $1 AND seq = $2", [
        s.id,
        seq,
      ]);
      if (there?.["at"] !== at || there["data"] !== text) throw continuedElsewhere(s.id);
    },
    entries: async (session) => {
      const rows = await query("SELECT seq, at, data FROM entries WHERE session = $1 ORDER BY seq", [
        session,
      ]);
      return rows.map(({ seq, at, data }) => ({
        seq: Number(seq),
        at: String(at),
        data: JSON.parse(String(data)),
      }));
    },
    usage: async ({ workspace, since = "" } = {}) => {
      // Counted here: Postgres does not parse JSON with a NUL in it.
      const rows = await query(
        `SELECT e.session, s.title, substr(e.at, 1, 15) AS at, e.data FROM entries e JOIN sessions s ON s.id = e.session
         WHERE (starts_with(e.data, '{"kind":"step"') OR starts_with(e.data, '{"kind":"summary"'))
           AND e.at >= $1 AND ($2::text IS NULL OR s.workspace = $2) ORDER BY e.at DESC`,
        [since, workspace ?? null],
      );
      return totals(
        rows.map(({ data, title, ...row }) => {
          const { model = "", usage = {} } = JSON.parse(String(data));
          return usageRow({ ...row, title: decodeText(title), model, ...usage });
        }),
      );
    },
  };
}

/** What the person or the agent said, for finding the session by its words. */
function saidIn(data: unknown): string | null {
  const { kind, text, messages } = (data ?? {}) as { kind?: unknown; text?: unknown; messages?: unknown };
  if (kind === "user" && typeof text === "string") return searchable(text.toLowerCase());
  return kind === "step" ? searchable(textsIn(messages).join("\n").toLowerCase()) : null;
}

/** Strings named `text` or `content`, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === "string" ? (name === "text" || name === "content" ? [inner] : []) : textsIn(inner),
  );
}

function recordOf(row: Row): SessionRecord {
  const { id, workspace, agent, title, at, updated, pinned } = row;
  const record = { id, workspace, agent, title: decodeText(title), at, updated };
  return { ...record, ...(pinned === true && { pinned: true }) } as SessionRecord;
}

function continuedElsewhere(session: string): Failure {
  const message = `Another process continues the session ${session}. Go on there, or start a new session.`;
  return new Failure("CONFLICT", message);
}
