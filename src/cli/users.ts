import { type Command, columns, exit, type Given, UsageError } from "./command.ts";
import { databaseFrom, databaseOption } from "./database-option.ts";
import type { Io } from "./terminal.ts";

const scopeNames = ["read", "write", "approve", "admin"] as const;
const roleNames = ["admin", "member", "viewer", "bot"] as const;

export const users: Command = {
  name: "users",
  summary: "List, add and remove the people of a team",
  usage: "[list | add NAME | token NAME | remove NAME]",
  details:
    "A token is shown once; only its digest is stored. Anyone who can reach the database can add people: create the first admin here.",
  completes: [{ known: ["list", "add", "token", "remove"] }],
  options: {
    role: {
      value: "ROLE",
      help: `${roleNames.join(", ")} (default: member)`,
      completes: { known: [...roleNames] },
    },
    scopes: {
      value: "LIST",
      help: `What the token may be used for, some of ${scopeNames.join(", ")} (default: all)`,
    },
    ...databaseOption,
  },
  examples: [
    { command: "wield users add ann --role admin", note: "print the token that Ann signs in with" },
    { command: "wield users token ann", note: "a further token, such as for another machine" },
    { command: "wield users token ann --scopes read", note: "a token that can change nothing" },
  ],
  async run(given, io) {
    const [what = "list", name] = given.args;
    const { people, audit } = await import("../cluster/people.ts");
    return inDatabase(given, io, async (database) => {
      if (what === "list") {
        const all = await people.list(database.query);
        io.out(
          columns(all.map((person) => [person.name, person.role])) ||
            "Nobody yet. Add somebody: wield users add NAME",
        );
        return exit.ok;
      }
      if (name === undefined) throw new UsageError(`Name the person: wield users ${what} NAME`);
      if (what === "remove") {
        await database.transaction(async (sql) => {
          await people.remove(sql, name);
          await audit(sql, "command line", "person.remove", name);
        });
        io.out(`${name} is removed; their tokens are no longer valid.`);
        return exit.ok;
      }
      if (what !== "add" && what !== "token")
        throw new UsageError(`wield users knows list, add, token and remove, not ${JSON.stringify(what)}.`);
      const role = roleNames.find((one) => one === (given.value("role") ?? "member"));
      if (!role) throw new UsageError(`--role takes one of ${roleNames.join(", ")}.`);
      const only = scopesFrom(given.value("scopes"));
      const token = await database.transaction(async (sql) => {
        const known = (await people.list(sql)).find((one) => one.name === name);
        if (what === "token" && !known) throw new UsageError(`There is no person ${JSON.stringify(name)}.`);
        const person = what === "token" && known ? known : await people.add(sql, name, role);
        await audit(sql, "command line", `person.${what}`, person.id, person.role);
        return people.newToken(sql, person.id, undefined, only);
      });
      io.out(token);
      return exit.ok;
    });
  },
};

function scopesFrom(given: string | undefined): (typeof scopeNames)[number][] | undefined {
  if (given === undefined) return undefined;
  const named = given.split(",").map((name) => scopeNames.find((scope) => scope === name.trim()));
  const known = named.filter((scope) => scope !== undefined);
  if (known.length < named.length)
    throw new UsageError(`--scopes takes some of ${scopeNames.join(", ")}, with commas between them.`);
  return known;
}

export async function inDatabase<T>(
  given: Given,
  io: Io,
  work: (database: import("../store/postgres-database.ts").PostgresDatabase) => Promise<T>,
): Promise<T> {
  const { openPostgres } = await import("../store/postgres-database.ts");
  const database = openPostgres(databaseFrom(given, io), { connections: 2, name: "wield command" });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
