import type { Database } from "./database.ts";

/** Which request led to which tool: what a search for tools learns from. */
export interface Uses {
  record(query: string, tool: string): void;
  /** The newest requests by tool, at most so many each. */
  recent(perTool: number): Map<string, string[]>;
}

const schema = `
  CREATE TABLE IF NOT EXISTS uses (seq INTEGER PRIMARY KEY, query TEXT NOT NULL, tool TEXT NOT NULL, UNIQUE (tool, query)) STRICT;
`;
const kept = 5000;

export function openUses(db: Database): Uses {
  db.exec(schema);
  return {
    record: (query, tool) => {
      const { lastInsertRowid } = db
        .sql("INSERT OR REPLACE INTO uses (query, tool) VALUES (?, ?)")
        .run(query, tool);
      db.sql("DELETE FROM uses WHERE seq <= ?").run(Number(lastInsertRowid) - kept);
    },
    recent: (perTool) => {
      const uses = new Map<string, string[]>();
      for (const { tool, query } of db.sql("SELECT tool, query FROM uses ORDER BY seq DESC").iterate()) {
        const known = uses.get(String(tool)) ?? [];
        if (known.length < perTool) uses.set(String(tool), [...known, String(query)]);
      }
      return uses;
    },
  };
}
