import { type Command, exit } from "./command.ts";
import { databaseFrom, databaseOption, tellingUnreachable } from "./database-option.ts";

export const migrate: Command = {
  name: "migrate",
  summary: "Prepare or update the database of a team",
  usage: "",
  details:
    "Adds what is missing, once, whichever process does it. Run it before new versions of web and worker processes start.",
  options: { ...databaseOption },
  examples: [
    {
      command: "wield migrate --database postgres://wield@db/wield",
      note: "make the tables, or update them",
    },
  ],
  async run(given, io) {
    const { migrate: run } = await import("../cluster/migrate.ts");
    const url = databaseFrom(given, io);
    const { added, version } = await tellingUnreachable(url, () => run(url));
    io.out(
      added.length > 0
        ? `The database is at version ${version} now.`
        : `The database was at version ${version} already.`,
    );
    return exit.ok;
  },
};
