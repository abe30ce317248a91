import { Failure } from "../failure/failure.ts";
import { createYielder } from "../workspace/yielder.ts";
import type { Database } from "./database.ts";
import { sessionWords, sessionWordsSchema } from "./session-words.ts";
import type { SessionRecord, Store } from "./store.ts";
import { usageRow } from "./usage-row.ts";

export const sessionsSchema = `
  CREATE TABLE IF NOT EXISTS sessions (
    id TEXT PRIMARY KEY, workspace TEXT NOT NULL, agent TEXT NOT NULL, title TEXT NOT NULL, at TEXT NOT NULL, updated TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS entries (
    session TEXT NOT NULL, seq INTEGER NOT NULL, at TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (session, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS session_marks (
    session TEXT PRIMARY KEY, title TEXT, pinned INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS entries_with_usage ON entries (at) WHERE data ->> 'kind' IN ('step', 'summary');
  ${sessionWordsSchema}
`;

const columns =
  "s.id, s.workspace, s.agent, coalesce(m.title, s.title) AS title, s.at, s.updated, coalesce(m.pinned, 0) AS pinned";
const joined = `SELECT ${columns} FROM sessions s LEFT JOIN session_marks m ON m.session = s.id`;

/**
 * Finds words of the person or the agent: strings named `text` or `content` in the messages of a step. The raw JSON
 * is searched first, so most entries need no parsing. Entries that a rewind removed do not count.
 */
const saysIt = `SELECT 1 FROM entries e WHERE e.session = ?1 AND instr(lower(e.data), ?3) AND e.data ->> 'kind' IN ('user', 'step') AND (
    (e.data ->> 'kind' = 'user' AND instr(lower(e.data ->> 'text'), ?2)) OR
    EXISTS (SELECT 1 FROM json_tree(e.data, '$.messages') t
      WHERE t.key IN ('text', 'content') AND t.type = 'text' AND instr(lower(t.atom), ?2)))
  AND NOT EXISTS (SELECT 1 FROM entries r WHERE r.session = e.session AND r.seq > e.seq
    AND r.data ->> 'kind' = 'rewind' AND r.data ->> 'to' <= e.seq) LIMIT 1`;

type SessionMethods = Pick<
  Store,
  "session" | "sessions" | "markSession" | "removeSession" | "appendEntry" | "entries" | "usage"
>;

export function sqliteSessions(db: Database): SessionMethods {
  const { sql } = db;
  const said = sessionWords(db);
  return {
    session: async (id) => {
      const row = sql(`${joined} WHERE s.id = ?`).get(id);
      return row && sessionOf(row);
    },
    sessions: async ({ workspace, limit = 50, query = "", prefix = "" }) => {
      const words = query.toLowerCase();
      const inJson = JSON.stringify(words).slice(1, -1);
      const inOrder = sql(
        `${joined} WHERE s.workspace = coalesce(?1, s.workspace) AND substr(s.id, 1, length(?3)) = ?3
         ORDER BY coalesce(m.pinned, 0) DESC, s.updated DESC, s.rowid DESC LIMIT ?2`,
      ).all(workspace ?? null, words === "" ? limit : -1, prefix);
      const found: SessionRecord[] = [];
      // In their order, and only until there are enough: a database would read every log before it sorts.
      const turn = createYielder();
      for (const row of inOrder) {
        if (found.length >= limit) break;
        const isFound =
          String(row["title"]).toLowerCase().includes(words) ||
          (said.maySay(String(row["id"]), inJson) && sql(saysIt).get(String(row["id"]), words, inJson));
        if (isFound) found.push(sessionOf(row));
        await turn();
      }
      return found;
    },
    markSession: async (id, { title, pinned }) => {
      sql(
        `INSERT INTO session_marks VALUES (?1, ?2, coalesce(?3, 0))
         ON CONFLICT (session) DO UPDATE SET title = coalesce(?2, title), pinned = coalesce(?3, pinned)`,
      ).run(id, title ?? null, pinned === undefined ? null : Number(pinned));
    },
    removeSession: async (id) =>
      db.transaction(() => {
        const calls = "(SELECT id FROM calls WHERE session = ?)";
        sql(`DELETE FROM results WHERE id IN ${calls}`).run(id);
        for (const [table, column] of sessionTables(db))
          sql(`DELETE FROM ${table} WHERE ${column} IN ${column === "call" ? calls : "(?)"}`).run(id);
      }),
    appendEntry: async (s, { seq, at, data }) =>
      db.transaction(() => {
        const text = JSON.stringify(data);
        const added = sql("INSERT OR IGNORE INTO entries VALUES (?, ?, ?, ?)").run(s.id, seq, at, text);
        if (added.changes === 0) {
          const there = sql("SELECT at, data FROM entries WHERE session = ? AND seq = ?").get(s.id, seq);
          if (there?.["at"] !== at || there["data"] !== text) throw continuedElsewhere(s.id);
        } else said.note(s.id, { seq, text, kind: (data as { kind?: unknown } | null)?.kind });
        sql(
          `INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET agent = excluded.agent, title = excluded.title, updated = excluded.updated`,
        ).run(s.id, s.workspace, s.agent, s.title, s.at, s.updated);
      }),
    entries: async (session) =>
      sql("SELECT seq, at, data FROM entries WHERE session = ? ORDER BY seq")
        .all(session)
        .map(({ seq, at, data }) => ({ seq: Number(seq), at: String(at), data: JSON.parse(String(data)) })),
    usage: async ({ workspace, since = "" } = {}) =>
      sql(
        `SELECT e.session, s.title, substr(e.at, 1, 15) AS at, coalesce(e.data ->> 'model', '') AS model,
           total(e.data ->> '$.usage.inputTokens') AS inputTokens, total(e.data ->> '$.usage.outputTokens') AS outputTokens,
           total(e.data ->> '$.usage.cachedTokens') AS cachedTokens, total(e.data ->> '$.usage.writtenTokens') AS writtenTokens
         FROM entries AS e JOIN sessions AS s ON s.id = e.session
         WHERE e.data ->> 'kind' IN ('step', 'summary') AND e.at >= ?1 AND (?2 IS NULL OR s.workspace = ?2)
         GROUP BY 1, 3, 4 ORDER BY 3 DESC`,
      )
        .all(since, workspace ?? null)
        .map(usageRow),
  };
}

function continuedElsewhere(session: string): Failure {
  const message = `Another process continues the session ${session}. Go on there, or start a new session.`;
  return new Failure("CONFLICT", message);
}

/** Tables that hold something of a session, as far as they were made, with the column that names it or its call. */
function sessionTables({ sql }: Database): [table: string, column: string][] {
  const made = new Set(
    sql("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all()
      .map(({ name }) => name),
  );
  const all: [string, string][] = [
    ["call_files", "call"],
    ["session_states", "session"],
    ["session_marks", "session"],
    ["session_words", "session"],
    ["session_word_marks", "session"],
    ["kept_changes", "session"],
    ["entries", "session"],
    ["sessions", "id"],
  ];
  return all.filter(([table]) => made.has(table));
}

function sessionOf({ pinned, ...row }: Record<string, unknown>): SessionRecord {
  return { ...row, ...(pinned === 1 && { pinned: true }) } as unknown as SessionRecord;
}
