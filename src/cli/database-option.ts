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
  if (url === undefined || !/^postgres(ql)?:\/\//.test(url))
    throw new UsageError("Name the team's database: --database postgres://… or the variable WIELD_DATABASE.");
  return url;
}
