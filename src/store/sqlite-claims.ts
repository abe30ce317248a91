import { lostClaim } from "./claims.ts";
import type { Database } from "./database.ts";
import { fencedStore } from "./fenced-store.ts";
import type { Store } from "./store.ts";

const schema = `
  CREATE TABLE IF NOT EXISTS claims (
    session TEXT PRIMARY KEY, epoch INTEGER NOT NULL, holder TEXT NOT NULL, entries INTEGER NOT NULL, attempts INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

export function sqliteClaims(db: Database, store: () => Store): Pick<Store, "claim"> {
  return {
    claim: async (session, holder) => {
      db.exec(schema);
      const claimed = db
        .sql(
          `INSERT INTO claims VALUES (?1, 1, ?2, (SELECT count(*) FROM entries WHERE session = ?1), 1)
           ON CONFLICT (session) DO UPDATE SET epoch = epoch + 1, holder = excluded.holder, entries = excluded.entries,
             attempts = CASE WHEN entries = excluded.entries THEN attempts + 1 ELSE 1 END
           RETURNING epoch, attempts`,
        )
        .get(session, holder);
      const epoch = Number(claimed?.["epoch"]);
      const held = () =>
        db.sql("SELECT 1 FROM claims WHERE session = ? AND epoch = ?").get(session, epoch) !== undefined;
      return {
        ...{ session, epoch, attempts: Number(claimed?.["attempts"]) },
        // The methods of this store do their whole work before they return their promise.
        store: fencedStore(store(), async (write) =>
          db.transaction(() => {
            if (!held()) throw lostClaim(session);
            return write();
          }),
        ),
        holds: async () => held(),
        release: async () => {
          db.sql(
            "UPDATE claims SET epoch = epoch + 1, holder = '', attempts = 0 WHERE session = ? AND epoch = ?",
          ).run(...[session, epoch]);
        },
      };
    },
  };
}
