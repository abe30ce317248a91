import type { PostgresDatabase } from "../store/postgres-database.ts";
import { type Given, type Option, UsageError } from "./command.ts";
import type { Io } from "./terminal.ts";

export const databaseOption: Readonly<Record<string, Option>> = {
  database: {
    value: "URL",
    help: "The team's Postgres, postgres://… (default: the variable WIELD_DATABASE)",
  },
};

export function databaseFrom(given: Given, { env }: Io): string {
  const url = given.value("database") ?? env["WIELD_DATABASE"];
  if (!url)
    throw new UsageError("Name the team's database: --database postgres://… or the variable WIELD_DATABASE.");
  // Not repeated: there may be a password in it.
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new UsageError(
      "The team's database must be a Postgres: its address begins with postgres:// (--database or the variable WIELD_DATABASE).",
    );
  return url;
}

/** In a database that has been prepared; what keeps it from being reached is told in a sentence. */
export async function inDatabase<T>(
  given: Given,
  io: Io,
  work: (database: PostgresDatabase) => Promise<T>,
): Promise<T> {
  const { openPostgres } = await import("../store/postgres-database.ts");
  const { requireSchema } = await import("../store/postgres-migrations.ts");
  const url = databaseFrom(given, io);
  const database = openPostgres(url, { connections: 2, name: "wield command" });
  try {
    return await tellingUnreachable(url, async () => {
      await requireSchema(database.query);
      return work(database);
    });
  } finally {
    await database.close();
  }
}

export async function tellingUnreachable<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { connectFailure } = await import("../store/connect-failure.ts");
    throw connectFailure(error, url) ?? error;
  }
}
