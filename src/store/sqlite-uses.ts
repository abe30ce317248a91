import type { Database } from "./database.ts";
import type { Uses } from "./uses.ts";

const schema = `
  CREATE TABLE IF NOT EXISTS uses (seq INTEGER PRIMARY KEY, query TEXT NOT NULL, tool TEXT NOT NULL, UNIQUE (tool, query)) STRICT;
`;
const kept = 5000;

export function sqliteUses(store: Database): Uses {
  const db = store.withTables(schema);
  const orForgotten = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch {
      return otherwise;
    }
  };
  return {
    record: (query, tool) =>
      orForgotten(() => {
        const { lastInsertRowid } = db
          .sql("INSERT OR REPLACE INTO uses (query, tool) VALUES (?, ?)")
          .run(query, tool);
        db.sql("DELETE FROM uses WHERE seq <= ?").run(Number(lastInsertRowid) - kept);
      }, undefined),
    recent: (perTool) =>
      orForgotten(() => {
        const uses = new Map<string, string[]>();
        for (const { tool, query } of db.sql("SELECT tool, query FROM uses ORDER BY seq DESC").iterate()) {
          const known = uses.get(String(tool)) ?? [];
          if (known.length < perTool) uses.set(String(tool), [...known, String(query)]);
        }
        return uses;
      }, new Map()),
  };
}
