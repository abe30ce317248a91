import type { Database } from "./database.ts";
import { type HeldRecord, type HeldRecords, keptHeld } from "./held.ts";

const schema = `
  CREATE TABLE IF NOT EXISTS held (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, workspace TEXT NOT NULL, description TEXT NOT NULL, data BLOB NOT NULL
  ) STRICT;
`;

export function sqliteHeld(store: Database, workspace: string): HeldRecords {
  const db = store.withTables(schema);
  return {
    save: async ({ id, description, data }) =>
      db.transaction(() => {
        db.sql("INSERT OR IGNORE INTO held (id, workspace, description, data) VALUES (?, ?, ?, ?)").run(
          ...[id, workspace, description, data],
        );
        db.sql(
          `DELETE FROM held WHERE workspace = ?1
             AND seq NOT IN (SELECT seq FROM held WHERE workspace = ?1 ORDER BY seq DESC LIMIT ?2)`,
        ).run(workspace, keptHeld);
      }),
    get: async (id) =>
      db
        .sql("SELECT id, description, data FROM held WHERE workspace = ? AND id = ?")
        .get(workspace, id) as unknown as HeldRecord | undefined,
    drop: async (id) => {
      db.sql("DELETE FROM held WHERE workspace = ? AND id = ?").run(workspace, id);
    },
    ids: async () =>
      db
        .sql("SELECT id FROM held WHERE workspace = ? ORDER BY seq")
        .all(workspace)
        .map(({ id }) => String(id)),
  };
}
