import type { PostgresDatabase } from "../store/postgres-database.ts";
import { type Command, columns, exit, UsageError } from "./command.ts";
import { databaseOption, inDatabase } from "./database-option.ts";
import type { Io } from "./terminal.ts";
import { commandLine } from "./users.ts";

export const secrets: Command = {
  name: "secrets",
  summary: "List, save and remove the keys that a team's sessions use",
  usage: "[list | set NAME | remove NAME | rekey]",
  details:
    "The value is read from standard input and kept encrypted under WIELD_SECRET_KEY. Workers hand it to the model provider; it is never shown again, and never reaches a page, a log or a sandbox. rekey reads a new WIELD_SECRET_KEY from standard input and encrypts everything under it; then start every process with the new one.",
  completes: [{ known: ["list", "set", "remove", "rekey"] }],
  options: {
    user: { value: "NAME", help: "For this person only (default: for the team)" },
    lost: { help: "With rekey, if the old key is lost: remove all saved keys and webhooks" },
    ...databaseOption,
  },
  examples: [
    { command: "wield secrets set ANTHROPIC_API_KEY < key.txt", note: "sessions of everybody use it" },
    { command: "wield secrets rekey < new-key.txt", note: "change WIELD_SECRET_KEY" },
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
      if (what === "rekey") {
        io.out(await rekey(database, io, given.flag("lost")));
        return exit.ok;
      }
      if ((what !== "set" && what !== "remove") || name === undefined || !/^[A-Z][A-Z0-9_]{1,99}$/.test(name))
        throw new UsageError(
          "Use: wield secrets list, rekey, set NAME or remove NAME, with a name like ANTHROPIC_API_KEY; set reads the value from standard input.",
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

async function rekey(database: PostgresDatabase, io: Io, isLost: boolean): Promise<string> {
  const { changeSecretKey, forgetSecretKey } = await import("../cluster/secret-key.ts");
  const { audit } = await import("../cluster/people.ts");
  const next = (await io.input()).trim();
  const start = "Start every web and worker process again with the new WIELD_SECRET_KEY.";
  return database.transaction(async (sql) => {
    await audit(sql, commandLine, "key.rekey", "team", isLost ? "lost" : "");
    if (!isLost) {
      await changeSecretKey(sql, io.env["WIELD_SECRET_KEY"], next);
      return `Everything is encrypted under the new key now. ${start}`;
    }
    const { keys, webhooks } = await forgetSecretKey(sql, next);
    return `${keys} saved keys and ${webhooks} webhooks are removed. ${start}`;
  });
}
