import type { Database } from "./database.ts";
import type { KeptChanges } from "./kept-changes.ts";

const schema = `
  CREATE TABLE IF NOT EXISTS kept_changes (
    seq INTEGER PRIMARY KEY, session TEXT NOT NULL, id TEXT NOT NULL, at TEXT NOT NULL, data TEXT NOT NULL, UNIQUE (session, id)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS kept_contents (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT, WITHOUT ROWID;
`;

export function sqliteKeptChanges(store: Database): KeptChanges {
  const db = store.withTables(schema);
  return {
    add: async (session, { id, at, data }, contents) =>
      db.transaction(() => {
        for (const [hash, bytes] of contents)
          db.sql("INSERT OR IGNORE INTO kept_contents VALUES (?, ?)").run(hash, bytes);
        db.sql("INSERT OR IGNORE INTO kept_changes (session, id, at, data) VALUES (?, ?, ?, ?)").run(
          ...[session, id, at, JSON.stringify(data)],
        );
      }),
    list: async (session) =>
      db
        .sql("SELECT id, at, data FROM kept_changes WHERE session = ? ORDER BY seq")
        .all(session)
        .map(({ id, at, data }) => ({ id: String(id), at: String(at), data: JSON.parse(String(data)) })),
    contents: async (hashes) =>
      new Map(
        db
          .sql("SELECT hash, bytes FROM kept_contents WHERE hash IN (SELECT value FROM json_each(?))")
          .all(JSON.stringify(hashes))
          .map(({ hash, bytes }) => [String(hash), bytes as Uint8Array] as const),
      ),
  };
}
