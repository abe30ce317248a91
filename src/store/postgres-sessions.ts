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

type SessionMethods = Pick<Store, "session" | "sessions" | "appendEntry" | "entries">;

export function postgresSessions({ query, fence }: PostgresDatabase): SessionMethods {
  return {
    session: async (id) => (await query("SELECT * FROM sessions WHERE id = $1", [id])).map(recordOf)[0],
    sessions: async ({ workspace, limit = 50, query: words = "", prefix = "" }) => {
      const rows = await query(
        `SELECT * FROM sessions WHERE workspace = $1 AND starts_with(id, $4)
           AND ($3 = '' OR strpos(lower(title), $3) > 0 OR EXISTS
             (SELECT 1 FROM entries WHERE session = id AND said IS NOT NULL AND strpos(said, $3) > 0))
         ORDER BY updated DESC, seq DESC LIMIT $2`,
        [workspace, limit, searchable(words.toLowerCase()), prefix],
      );
      return rows.map(recordOf);
    },
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
  };
}

/** What the person said, for finding the session by its words. */
function saidIn(data: unknown): string | null {
  const { kind, text } = (data ?? {}) as { kind?: unknown; text?: unknown };
  return kind === "user" && typeof text === "string" ? searchable(text.toLowerCase()) : null;
}

function recordOf(row: Row): SessionRecord {
  const { id, workspace, agent, title, at, updated } = row;
  return { id, workspace, agent, title: decodeText(title), at, updated } as SessionRecord;
}

function continuedElsewhere(session: string): Failure {
  const message = `Another process continues the session ${session}. Go on there, or start a new session.`;
  return new Failure("CONFLICT", message);
}
