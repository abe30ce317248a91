import { type Command, columns, exit, UsageError } from "./command.ts";
import { databaseOption } from "./database-option.ts";
import { inDatabase } from "./users.ts";

export const secrets: Command = {
  name: "secrets",
  summary: "List and save the keys that a team's sessions use",
  usage: "[list | set NAME]",
  details:
    "The value is read from standard input and kept encrypted under WIELD_SECRET_KEY. Workers hand it to the model provider; it is never shown again, and never reaches a page, a log or a sandbox.",
  completes: [{ known: ["list", "set"] }],
  options: {
    user: { value: "NAME", help: "For this person only (default: for the team)" },
    ...databaseOption,
  },
  examples: [
    { command: "wield secrets set ANTHROPIC_API_KEY < key.txt", note: "sessions of everybody use it" },
  ],
  async run(given, io) {
    const [what = "list", name] = given.args;
    const { saveSecret, teamOwner } = await import("../cluster/secrets.ts");
    const { people, audit } = await import("../cluster/people.ts");
    return inDatabase(given, io, async (database) => {
      if (what === "list") {
        const rows = await database.query(
          "SELECT s.name, coalesce(p.name, 'team') AS owner FROM secrets s LEFT JOIN people p ON p.id = s.owner ORDER BY 1, 2",
        );
        io.out(columns(rows.map((row) => [String(row["name"]), String(row["owner"])])) || "None yet.");
        return exit.ok;
      }
      if (what !== "set" || name === undefined || !/^[A-Z][A-Z0-9_]{1,99}$/.test(name))
        throw new UsageError(
          "Use: wield secrets set NAME, with a name like ANTHROPIC_API_KEY and the value on standard input.",
        );
      const person = given.value("user");
      const owner =
        person === undefined
          ? undefined
          : (await people.list(database.query)).find((one) => one.name === person);
      if (person !== undefined && !owner)
        throw new UsageError(`There is no person ${JSON.stringify(person)}.`);
      const value = (await io.input()).trim();
      if (value === "") throw new UsageError("Give the value on standard input.");
      await saveSecret(database, { owner: owner?.id ?? teamOwner, name }, value, io.env["WIELD_SECRET_KEY"]);
      await audit(database.query, "command line", "key.save", name, owner?.id ?? "team");
      io.out(`${name} is saved.`);
      return exit.ok;
    });
  },
};
