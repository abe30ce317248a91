import type { Database } from "./database.ts";
import type { SessionState, SessionStates } from "./session-states.ts";

const schema = `
  CREATE TABLE IF NOT EXISTS session_states (session TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

export function sqliteSessionStates(store: Database): SessionStates {
  const db = store.withTables(schema);
  const read = (session: string): SessionState | undefined => {
    const row = db.sql("SELECT state FROM session_states WHERE session = ?").get(session);
    return row && (JSON.parse(String(row["state"])) as SessionState);
  };
  return {
    get: async (session) => read(session),
    change: async (session, change) =>
      db.transaction(() => {
        const changed = change(read(session) ?? {});
        db.sql("INSERT OR REPLACE INTO session_states VALUES (?, ?)").run(session, JSON.stringify(changed));
        return changed;
      }),
  };
}
