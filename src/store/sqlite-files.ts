import type { CallFile } from "../events/events.ts";
import type { Database } from "./database.ts";
import type { Files, NewFile } from "./files.ts";

const schema = `
  CREATE TABLE IF NOT EXISTS call_files (
    seq INTEGER PRIMARY KEY, call TEXT NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL, mediaType TEXT NOT NULL,
    size INTEGER NOT NULL, bytes BLOB NOT NULL, UNIQUE (call, place)
  ) STRICT;
`;

/** Bytes of all files together. */
export const mostBytes = 256 * 1024 * 1024;

export function sqliteFiles(store: Database): Files {
  const db = store.withTables(schema);
  return {
    list: async (callIds) => {
      const rows = db
        .sql(
          "SELECT call, name, mediaType, size FROM call_files WHERE call IN (SELECT value FROM json_each(?)) ORDER BY call, place",
        )
        .all(JSON.stringify(callIds)) as unknown as (CallFile & { call: string })[];
      const byCall = Map.groupBy(rows, ({ call }) => call);
      return new Map(
        [...byCall].map(([call, files]) => [call, files.map(({ call: _, ...file }) => file)] as const),
      );
    },
    read: async (callId, index) =>
      db
        .sql("SELECT name, mediaType, bytes FROM call_files WHERE call = ? AND place = ?")
        .get(callId, index) as unknown as NewFile | undefined,
  };
}

/** Inside a transaction: the files of a call, saved once. */
export function addFiles(store: Database, call: string, files: readonly NewFile[], limit = mostBytes): void {
  if (files.length === 0) return;
  const db = store.withTables(schema);
  const insert = db.sql(
    "INSERT OR IGNORE INTO call_files (call, place, name, mediaType, size, bytes) VALUES (?, ?, ?, ?, ?, ?)",
  );
  for (const [place, { name, mediaType, bytes }] of files.entries())
    insert.run(call, place, name, mediaType, bytes.length, bytes);
  db.sql(
    `DELETE FROM call_files WHERE call <> ? AND call IN (
       SELECT call FROM (SELECT call, sum(size) OVER (ORDER BY seq DESC) AS total FROM call_files) WHERE total > ?)`,
  ).run(call, limit);
}
