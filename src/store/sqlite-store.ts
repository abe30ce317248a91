import { openDatabase } from "./database.ts";
import { callsSchema, sqliteCalls } from "./sqlite-calls.ts";
import { sqliteClaims } from "./sqlite-claims.ts";
import { sqliteDocuments } from "./sqlite-documents.ts";
import { sqliteFiles } from "./sqlite-files.ts";
import { sqliteHeld } from "./sqlite-held.ts";
import { sqliteKeptChanges } from "./sqlite-kept-changes.ts";
import { sqlitePlans } from "./sqlite-plans.ts";
import { sqliteSessionStates } from "./sqlite-session-states.ts";
import { sessionsSchema, sqliteSessions } from "./sqlite-sessions.ts";
import { sqliteUpkeep } from "./sqlite-upkeep.ts";
import { sqliteUses } from "./sqlite-uses.ts";
import type { PendingApproval, Store } from "./store.ts";

const pendingSchema = `
  CREATE TABLE IF NOT EXISTS pending (
    id TEXT PRIMARY KEY, workspace TEXT NOT NULL, tool TEXT NOT NULL, args TEXT NOT NULL, reason TEXT NOT NULL,
    seen TEXT NOT NULL, at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS pending_sessions (id TEXT PRIMARY KEY, session TEXT NOT NULL) STRICT;
`;
/** The table of sessions is one of its own, since earlier versions know the other with its columns. */
const withSession = "*, (SELECT session FROM pending_sessions s WHERE s.id = pending.id) AS session";

/**
 * The embedded store. `file` may be ":memory:"; several processes may share one file. SQLite answers at once, so each
 * promise is resolved when it is returned.
 */
export function openSqliteStore(file: string): Store {
  const db = openDatabase(file, callsSchema + pendingSchema + sessionsSchema);
  const { sql } = db;
  const store: Store = {
    ...sqliteCalls(db),
    ...sqliteSessions(db),
    ...sqliteClaims(db, () => store),

    savePending: async (p) =>
      db.transaction(() => {
        sql("INSERT OR REPLACE INTO pending VALUES (?, ?, ?, ?, ?, ?, ?)").run(
          ...[p.id, p.workspace, p.tool, JSON.stringify(p.args), p.reason, JSON.stringify(p.seen), p.at],
        );
        if (p.session !== undefined)
          sql("INSERT OR REPLACE INTO pending_sessions VALUES (?, ?)").run(p.id, p.session);
      }),
    pending: async () => sql(`SELECT ${withSession} FROM pending ORDER BY at`).all().map(pendingOf),
    takePending: async (id) =>
      db.transaction(() => {
        const row = sql(`DELETE FROM pending WHERE id = ? RETURNING ${withSession}`).get(id);
        sql("DELETE FROM pending_sessions WHERE id = ?").run(id);
        return row && pendingOf(row);
      }),

    documents: (workspace) => sqliteDocuments(db, workspace),
    plans: (workspace) => sqlitePlans(db, workspace),
    held: (workspace) => sqliteHeld(db, workspace),
    sessionStates: () => sqliteSessionStates(db),
    files: () => sqliteFiles(db),
    keptChanges: () => sqliteKeptChanges(db),
    uses: () => sqliteUses(db),
    upkeep: () => sqliteUpkeep(db, store),

    close: async () => db.close(),
  };
  return store;
}

function pendingOf({ session, ...row }: Record<string, unknown>): PendingApproval {
  return {
    ...row,
    ...(session !== null && { session }),
    args: JSON.parse(String(row["args"])),
    seen: JSON.parse(String(row["seen"])),
  } as unknown as PendingApproval;
}
