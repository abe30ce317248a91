import { Failure } from "../failure/failure.ts";
import { keptHeld } from "./held.ts";
import { changedSteps, newSteps, type Plan } from "./plans.ts";
import { postgresCalls } from "./postgres-calls.ts";
import { postgresClaims } from "./postgres-claims.ts";
import { decodeText, encodeText, type PostgresDatabase, type Row, type Sql } from "./postgres-database.ts";
import { postgresDocuments } from "./postgres-documents.ts";
import { postgresKeptChanges } from "./postgres-kept-changes.ts";
import { requireSchema } from "./postgres-migrations.ts";
import { postgresSessions } from "./postgres-sessions.ts";
import { openPostgresUses } from "./postgres-uses.ts";
import type { SessionState, SessionStates } from "./session-states.ts";
import type { PendingApproval, Store } from "./store.ts";

/** The store that machines share. Its schema is made by `wield migrate`; the database is closed with the store. */
export async function openPostgresStore(database: PostgresDatabase): Promise<Store> {
  await requireSchema(database.query);
  const uses = await openPostgresUses(database);
  const storeOn = (db: PostgresDatabase): Store => ({
    ...postgresCalls(db),
    ...postgresSessions(db),
    ...postgresClaims(db, storeOn),
    ...pendingIn(db),
    documents: (workspace) => postgresDocuments(db, workspace),
    plans: (workspace) => plansIn(db, workspace),
    held: (workspace) => heldIn(db, workspace),
    sessionStates: () => statesIn(db),
    files: () => filesIn(db),
    keptChanges: () => postgresKeptChanges(db),
    uses: () => uses,
    close: () => db.close(),
  });
  return storeOn(database);
}

function pendingIn(db: PostgresDatabase): Pick<Store, "savePending" | "pending" | "takePending"> {
  const pendingOf = (row: Row) => JSON.parse(String(row["body"])) as PendingApproval;
  return {
    savePending: async (pending) => {
      await db.write(
        `INSERT INTO pending (id, workspace, at, body) VALUES ($1, $2, $3, $4)
         ON CONFLICT (id) DO UPDATE SET workspace = excluded.workspace, at = excluded.at, body = excluded.body`,
        [pending.id, pending.workspace, pending.at, JSON.stringify(pending)],
      );
    },
    pending: async () => (await db.query("SELECT body FROM pending ORDER BY at")).map(pendingOf),
    takePending: async (id) =>
      (await db.write("DELETE FROM pending WHERE id = $1 RETURNING body", [id])).map(pendingOf)[0],
  };
}

function plansIn(db: PostgresDatabase, workspace: string): ReturnType<Store["plans"]> {
  const planOf = (row: Row | undefined) => row && (JSON.parse(String(row["body"])) as Plan);
  const newest = "SELECT body FROM plans WHERE workspace = $1 ORDER BY seq DESC LIMIT 1";
  return {
    current: async () => planOf((await db.query(newest, [workspace]))[0]),
    create: async ({ id, title, steps }) => {
      const plan: Plan = { id, title, steps: newSteps(steps), updated: new Date().toISOString() };
      // The plan that is already there is written as it is: so it comes back, and its row is locked.
      const [row] = await db.write(
        `INSERT INTO plans (id, workspace, body) VALUES ($1, $2, $3)
         ON CONFLICT (workspace, id) DO UPDATE SET body = plans.body RETURNING body`,
        [id, workspace, JSON.stringify(plan)],
      );
      return planOf(row) ?? plan;
    },
    change: (change) =>
      db.transaction(async (sql) => {
        const plan = planOf((await sql(`${newest} FOR UPDATE`, [workspace]))[0]);
        if (!plan) throw new Failure("FILE_NOT_FOUND", "There is no plan yet. Make one with createPlan.");
        const changed = {
          ...plan,
          steps: changedSteps(plan.steps, change),
          updated: new Date().toISOString(),
        };
        await sql("UPDATE plans SET body = $3 WHERE workspace = $1 AND id = $2", [
          ...[workspace, plan.id, JSON.stringify(changed)],
        ]);
        return changed;
      }),
  };
}

function heldIn(db: PostgresDatabase, workspace: string): ReturnType<Store["held"]> {
  return {
    save: ({ id, description, data }) =>
      db.transaction(async (sql) => {
        await sql(
          "INSERT INTO held (id, workspace, description, data) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
          [id, workspace, encodeText(description), Buffer.from(data)],
        );
        await sql(
          `DELETE FROM held WHERE workspace = $1
             AND seq <= (SELECT seq FROM held WHERE workspace = $1 ORDER BY seq DESC OFFSET $2 LIMIT 1)`,
          [workspace, keptHeld],
        );
      }),
    get: async (id) => {
      const found = "SELECT description, data FROM held WHERE workspace = $1 AND id = $2";
      const [row] = await db.query(found, [workspace, id]);
      return row && { id, description: decodeText(row["description"]), data: row["data"] as Uint8Array };
    },
    drop: async (id) => {
      await db.write("DELETE FROM held WHERE workspace = $1 AND id = $2", [workspace, id]);
    },
    ids: async () =>
      (await db.query("SELECT id FROM held WHERE workspace = $1 ORDER BY seq", [workspace])).map(({ id }) =>
        String(id),
      ),
  };
}

function stateOf(row: Row | undefined): SessionState | undefined {
  return row && (JSON.parse(String(row["state"])) as SessionState);
}

/** In a transaction. */
export async function changeState(
  sql: Sql,
  session: string,
  change: (state: SessionState) => SessionState,
): Promise<SessionState> {
  // The row is made first, so that there is one to lock.
  await sql("INSERT INTO session_states VALUES ($1, '{}') ON CONFLICT DO NOTHING", [session]);
  const locked = "SELECT state FROM session_states WHERE session = $1 FOR UPDATE";
  const changed = change(stateOf((await sql(locked, [session]))[0]) ?? {});
  await sql("UPDATE session_states SET state = $2 WHERE session = $1", [session, JSON.stringify(changed)]);
  return changed;
}

function statesIn(db: PostgresDatabase): SessionStates {
  return {
    get: async (session) =>
      stateOf((await db.query("SELECT state FROM session_states WHERE session = $1", [session]))[0]),
    change: (session, change) => db.transaction((sql) => changeState(sql, session, change)),
  };
}

function filesIn(db: PostgresDatabase): ReturnType<Store["files"]> {
  return {
    list: async (callIds) => {
      const rows = await db.query(
        "SELECT call, name, media_type, size FROM call_files WHERE call = ANY ($1) ORDER BY call, place",
        [callIds],
      );
      const named = rows.map((row) => ({
        call: String(row["call"]),
        file: {
          name: decodeText(row["name"]),
          mediaType: decodeText(row["media_type"]),
          size: Number(row["size"]),
        },
      }));
      const byCall = Map.groupBy(named, ({ call }) => call);
      return new Map([...byCall].map(([call, files]) => [call, files.map(({ file }) => file)] as const));
    },
    read: async (callId, index) => {
      const found = "SELECT name, media_type, bytes FROM call_files WHERE call = $1 AND place = $2";
      const [row] = await db.query(found, [callId, index]);
      if (!row) return undefined;
      const bytes = new Uint8Array(row["bytes"] as Buffer);
      return { name: decodeText(row["name"]), mediaType: decodeText(row["media_type"]), bytes };
    },
  };
}
