import { Failure } from "../failure/failure.ts";
import type { Database } from "./database.ts";
import type { SessionRecord, Store } from "./store.ts";

export const sessionsSchema = `
  CREATE TABLE IF NOT EXISTS sessions (
    id TEXT PRIMARY KEY, workspace TEXT NOT NULL, agent TEXT NOT NULL, title TEXT NOT NULL, at TEXT NOT NULL, updated TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS entries (
    session TEXT NOT NULL, seq INTEGER NOT NULL, at TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (session, seq)
  ) STRICT, WITHOUT ROWID;
`;

type SessionMethods = Pick<Store, "session" | "sessions" | "appendEntry" | "entries">;

export function sqliteSessions(db: Database): SessionMethods {
  const { sql } = db;
  return {
    session: async (id) =>
      sql("SELECT * FROM sessions WHERE id = ?").get(id) as unknown as SessionRecord | undefined,
    sessions: async ({ workspace, limit = 50, query = "", prefix = "" }) =>
      sql(
        `SELECT * FROM sessions WHERE workspace = ?1 AND substr(id, 1, length(?4)) = ?4
           AND (?3 = '' OR instr(lower(title), ?3) OR EXISTS
             (SELECT 1 FROM entries WHERE session = id AND data ->> 'kind' = 'user' AND instr(lower(data ->> 'text'), ?3)))
         ORDER BY updated DESC, rowid DESC LIMIT ?2`,
      ).all(workspace, limit, query.toLowerCase(), prefix) as unknown as SessionRecord[],
    appendEntry: async (s, { seq, at, data }) =>
      db.transaction(() => {
        const text = JSON.stringify(data);
        const added = sql("INSERT OR IGNORE INTO entries VALUES (?, ?, ?, ?)").run(s.id, seq, at, text);
        if (added.changes === 0) {
          const there = sql("SELECT at, data FROM entries WHERE session = ? AND seq = ?").get(s.id, seq);
          if (there?.["at"] !== at || there["data"] !== text) throw continuedElsewhere(s.id);
        }
        sql(
          `INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET agent = excluded.agent, title = excluded.title, updated = excluded.updated`,
        ).run(s.id, s.workspace, s.agent, s.title, s.at, s.updated);
      }),
    entries: async (session) =>
      sql("SELECT seq, at, data FROM entries WHERE session = ? ORDER BY seq")
        .all(session)
        .map(({ seq, at, data }) => ({ seq: Number(seq), at: String(at), data: JSON.parse(String(data)) })),
  };
}

function continuedElsewhere(session: string): Failure {
  const message = `Another process continues the session ${session}. Go on there, or start a new session.`;
  return new Failure("CONFLICT", message);
}
