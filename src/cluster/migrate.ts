import { migrateJobs } from "../jobs/pg-boss-jobs.ts";
import { openPostgres } from "../store/postgres-database.ts";
import { migrateStore, newestVersion } from "../store/postgres-migrations.ts";

/** Brings a database to the schema of this version; the steps that were missing, and the version that it has now. */
export async function migrate(url: string): Promise<{ added: number[]; version: number }> {
  const database = openPostgres(url, { connections: 2, name: "wield migrate", patient: true });
  try {
    const added = await database.transaction(migrateStore);
    await migrateJobs(database);
    return { added, version: newestVersion };
  } finally {
    await database.close();
  }
}
