import { type Command, columns, exit, UsageError } from "./command.ts";
import { databaseOption } from "./database-option.ts";
import { commandLine, inDatabase } from "./users.ts";

export const secrets: Command = {
  name: "secrets",
  summary: "List, save and remove the keys that a team's sessions use",
  usage: "[list | set NAME | remove NAME]",
  details:
    "The value is read from standard input and kept encrypted under WIELD_SECRET_KEY. Workers hand it to the model provider; it is never shown again, and never reaches a page, a log or a sandbox.",
  completes: [{ known: ["list", "set", "remove"] }],
  options: {
    user: { value: "NAME", help: "For this person only (default: for the team)" },
    ...databaseOption,
  },
  examples: [
    { command: "wield secrets set ANTHROPIC_API_KEY < key.txt", note: "sessions of everybody use it" },
  ],
  async run(given, io) {
    const [what = "list", name] = given.args;
    const { removeSecret, saveSecret, teamOwner } = await import("../cluster/secrets.ts");
    const { people, audit } = await import("../cluster/people.ts");
    return inDatabase(given, io, async (database) => {
      if (what === "list") {
        const rows = await database.query(
          `SELECT s.name, coalesce(p.name, 'team') AS owner, to_char(s.at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
             coalesce(b.name, s.set_by, '') AS by
           FROM secrets s LEFT JOIN people p ON p.id = s.owner LEFT JOIN people b ON b.id = s.set_by ORDER BY 1, 2`,
        );
        const shown = rows.map(({ name: key, owner, day, by }) => [
          ...[String(key), String(owner), `set ${day}${by === "" ? "" : ` by ${by}`}`],
        ]);
        io.out(columns(shown) || "None yet.");
        return exit.ok;
      }
      if ((what !== "set" && what !== "remove") || name === undefined || !/^[A-Z][A-Z0-9_]{1,99}$/.test(name))
        throw new UsageError(
          "Use: wield secrets set NAME or remove NAME, with a name like ANTHROPIC_API_KEY; set reads the value from standard input.",
        );
      const user = given.value("user");
      const person = user === undefined ? undefined : await people.named(database.query, user);
      const place = { owner: person?.id ?? teamOwner, name };
      const text = what === "set" ? (await io.input()).trim() : "";
      if (what === "set" && text === "") throw new UsageError("Give the value on standard input.");
      await database.transaction(async (sql) => {
        if (what === "remove") await removeSecret(sql, place);
        else await saveSecret(sql, place, { text, by: commandLine }, io.env["WIELD_SECRET_KEY"]);
        await audit(sql, commandLine, what === "set" ? "key.save" : "key.remove", name, user ?? "team");
      });
      io.out(what === "set" ? `${name} is saved.` : `${name} is removed.`);
      return exit.ok;
    });
  },
};
