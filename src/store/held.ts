import type { Database } from "./database.ts";

/** Something of one workspace that waits for a person's word, as bytes that its owner understands. */
export interface HeldRecord {
  id: string;
  description: string;
  data: Uint8Array;
}

/** The oldest make room for new ones. */
export interface HeldRecords {
  save(record: HeldRecord): void;
  get(id: string): HeldRecord | undefined;
  drop(id: string): void;
  ids(): string[];
}

const kept = 32;
const schema = `
  CREATE TABLE IF NOT EXISTS held (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, workspace TEXT NOT NULL, description TEXT NOT NULL, data BLOB NOT NULL
  ) STRICT;
`;

export function openHeld(db: Database, workspace: string): HeldRecords {
  db.exec(schema);
  return {
    save: ({ id, description, data }) => {
      db.sql("INSERT INTO held (id, workspace, description, data) VALUES (?, ?, ?, ?)").run(
        ...[id, workspace, description, data],
      );
      db.sql(
        `DELETE FROM held WHERE workspace = ?1
           AND seq NOT IN (SELECT seq FROM held WHERE workspace = ?1 ORDER BY seq DESC LIMIT ?2)`,
      ).run(workspace, kept);
    },
    get: (id) =>
      db
        .sql("SELECT id, description, data FROM held WHERE workspace = ? AND id = ?")
        .get(workspace, id) as unknown as HeldRecord | undefined,
    drop: (id) => void db.sql("DELETE FROM held WHERE workspace = ? AND id = ?").run(workspace, id),
    ids: () =>
      db
        .sql("SELECT id FROM held WHERE workspace = ? ORDER BY seq")
        .all(workspace)
        .map(({ id }) => String(id)),
  };
}
