import type { PostgresDatabase } from "./postgres-database.ts";
import type { Store } from "./store.ts";

export function postgresClaims(
  db: PostgresDatabase,
  storeOn: (fenced: PostgresDatabase) => Store,
): Pick<Store, "claim"> {
  return {
    claim: async (session, holder) => {
      const [claimed] = await db.query(
        `INSERT INTO claims (session, epoch, holder, entries, attempts)
         VALUES ($1, 1, $2, (SELECT count(*) FROM entries WHERE session = $1), 1)
         ON CONFLICT (session) DO UPDATE SET epoch = claims.epoch + 1, holder = excluded.holder, entries = excluded.entries,
           attempts = CASE WHEN claims.entries = excluded.entries THEN claims.attempts + 1 ELSE 1 END, at = now()
         RETURNING epoch, attempts`,
        [session, holder],
      );
      const epoch = Number(claimed?.["epoch"]);
      return {
        ...{ session, epoch, attempts: Number(claimed?.["attempts"]) },
        store: storeOn(db.fencedBy({ session, epoch })),
        holds: async () => {
          const held = "SELECT 1 FROM claims WHERE session = $1 AND epoch = $2";
          return (await db.query(held, [session, epoch])).length > 0;
        },
        release: async () => {
          await db.query(
            "UPDATE claims SET epoch = epoch + 1, holder = '', attempts = 0 WHERE session = $1 AND epoch = $2",
            [session, epoch],
          );
        },
      };
    },
  };
}
