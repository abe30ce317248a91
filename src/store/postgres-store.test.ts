import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasPostgres, type TestDatabase, testDatabase } from "./postgres.suite.ts";
import { openPostgres, type PostgresDatabase } from "./postgres-database.ts";
import { migrateStore, migrations, newestVersion, schemaVersion } from "./postgres-migrations.ts";
import { openPostgresStore } from "./postgres-store.ts";
import { storeContract } from "./store.suite.ts";
import type { Store } from "./store.ts";

test("migrations only add, and what they add needs nothing of processes that do not know it", () => {
  const adding = /^(?:CREATE (?:TABLE|INDEX|UNIQUE INDEX|SEQUENCE)|ALTER TABLE \w+ ADD COLUMN)\b/;
  for (const { version, sql } of migrations.filter((one) => one.version > 2))
    for (const statement of sql.split(";").map((text) => text.trim())) {
      if (statement === "") continue;
      expect([version, statement]).toEqual([version, expect.stringMatching(adding)]);
      // A row that an older process writes does not have it.
      if (/ADD COLUMN .*NOT NULL/.test(statement)) expect(statement).toContain("DEFAULT");
    }
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, at) => at + 1));
});

describe.skipIf(!hasPostgres)("on Postgres", () => {
  let database: TestDatabase;
  let db: PostgresDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    db = openPostgres(database.url);
    await expect(openPostgresStore(db)).rejects.toThrow("wield migrate");
    // Two processes that migrate at once do it once.
    const both = await Promise.all([db.transaction(migrateStore), db.transaction(migrateStore)]);
    expect(both.flat()).toHaveLength(newestVersion);
    expect(await schemaVersion(db.query)).toBe(newestVersion);
  });
  afterAll(async () => {
    await db.close();
    await database.close();
  });

  storeContract("the Postgres store", async () => {
    const tables = await db.query(
      "SELECT string_agg(tablename, ', ') AS names FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('migrations', 'audit')",
    );
    await db.query(`TRUNCATE ${tables[0]?.["names"]} RESTART IDENTITY CASCADE`);
    const open = () => openPostgresStore(openPostgres(database.url, { connections: 4 }));
    const stores: [Store, Store] = [await open(), await open()];
    return {
      stores,
      close: async () => {
        for (const store of stores) await store.close();
      },
    };
  });

  test("texts that Postgres refuses come back as they were", async () => {
    const store = await openPostgresStore(openPostgres(database.url, { connections: 2 }));
    const odd = 'nul \u0000, half a pair \ud800, "quotes" \\ and ä';
    const record = {
      ...{ id: "c_odd", session: "s", tool: odd, at: "2026", durationMs: 1, ok: true, errorCode: null },
      ...{ bytes: 0, tokensIn: 0, tokensOut: 0, approval: "auto" as const },
    };
    await store.finishCall(record, odd, [{ name: odd, mediaType: "x/y", bytes: new Uint8Array([0]) }]);
    expect((await store.result("c_odd"))?.text).toBe(odd);
    expect((await store.call("c_odd"))?.tool).toBe(odd);
    expect((await store.files().list(["c_odd"])).get("c_odd")?.[0]?.name).toBe(odd);
    const documents = store.documents("/odd");
    await documents.create({ id: "d_odd", title: odd, kind: "text", content: odd });
    expect(await documents.read("d_odd")).toMatchObject({ title: odd, content: odd });
    expect(await documents.search("quotes", 1)).toHaveLength(1);
    await store.close();
  });

  test("results are pruned for each session: a busy one takes none of another's", async () => {
    const store = await openPostgresStore(db);
    await db.query(
      `INSERT INTO results (id, session, tool, at, body) SELECT 'busy' || n, 'busy', 't', '', '' FROM generate_series(1, 2500) AS n`,
    );
    const call = (id: string, session: string) => ({
      ...{ id, session, tool: "t", at: "2026", durationMs: 1, ok: true, errorCode: null },
      ...{ bytes: 0, tokensIn: 0, tokensOut: 0, approval: "auto" as const },
    });
    await store.finishCall(call("c_quiet", "quiet"), "kept");
    for (let n = 0; n < 100; n++) await store.finishCall(call(`c_busy${n}`, "busy"), "new");
    const [left] = await db.query("SELECT count(*) AS n FROM results WHERE session = 'busy'");
    expect(Number(left?.["n"])).toBeLessThan(2200);
    expect(await store.result("c_busy99")).toBeDefined();
    expect(await store.result("c_quiet")).toBeDefined();
  });
});
