import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalPostgres, localPostgres, postgresPrograms } from "../../scripts/local-postgres.ts";
import { removeFolder } from "../testing/remove-folder.ts";
import { openPostgres } from "./postgres-database.ts";

/** Where there is no Postgres and none is named, its tests are skipped. */
export const hasPostgres =
  postgresPrograms() !== undefined || process.env["WIELD_TEST_DATABASE"] !== undefined;

export interface TestDatabase {
  url: string;
  /** Undefined where the database was named by WIELD_TEST_DATABASE. */
  server: LocalPostgres | undefined;
  close(): Promise<void>;
}

/** An empty database: of a server of its own in a temporary folder, or on the server that WIELD_TEST_DATABASE names. */
export async function testDatabase(): Promise<TestDatabase> {
  const given = process.env["WIELD_TEST_DATABASE"];
  if (given !== undefined) {
    const name = `wield_test_${process.pid}_${Date.now()}`;
    const admin = openPostgres(given, { connections: 1 });
    await admin.query(`CREATE DATABASE ${name}`);
    const url = new URL(given);
    url.pathname = `/${name}`;
    return {
      url: url.href,
      server: undefined,
      close: async () => {
        await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
        await admin.close();
      },
    };
  }
  const folder = mkdtempSync(join(tmpdir(), "wield-postgres-"));
  const server = await localPostgres(folder);
  return {
    url: server.url,
    server,
    close: async () => {
      await server.stop("immediate");
      removeFolder(folder);
    },
  };
}
