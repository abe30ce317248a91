import { decodeText, encodeText, type PostgresDatabase } from "./postgres-database.ts";
import type { Uses } from "./uses.ts";

const kept = 5000;

/** Read once when the store is opened; new ones are written behind, and one that cannot be written is forgotten. */
export async function openPostgresUses(db: PostgresDatabase): Promise<Uses> {
  const rows = await db.query("SELECT tool, query FROM uses ORDER BY seq DESC LIMIT $1", [kept]);
  // Newest last: a use that comes again moves to the end.
  const known = new Map<string, { tool: string; query: string }>();
  for (const row of rows.reverse()) {
    const use = { tool: decodeText(row["tool"]), query: decodeText(row["query"]) };
    known.set(JSON.stringify(use), use);
  }
  return {
    record: (query, tool) => {
      const key = JSON.stringify({ tool, query });
      known.delete(key);
      known.set(key, { tool, query });
      const [oldest] = known.keys();
      if (known.size > kept && oldest !== undefined) known.delete(oldest);
      void db
        .query("INSERT INTO uses (tool, query) VALUES ($1, $2) ON CONFLICT DO NOTHING", [
          ...[encodeText(tool), encodeText(query)],
        ])
        .catch(() => undefined);
    },
    recent: (perTool) => {
      const uses = new Map<string, string[]>();
      for (const { tool, query } of [...known.values()].reverse()) {
        const those = uses.get(tool) ?? [];
        if (those.length < perTool) uses.set(tool, [...those, query]);
      }
      return uses;
    },
  };
}
