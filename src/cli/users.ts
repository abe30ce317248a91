import { type Command, columns, exit, UsageError } from "./command.ts";
import { databaseOption, inDatabase } from "./database-option.ts";

const scopeNames = ["read", "write", "approve", "admin"] as const;
const roleNames = ["admin", "member", "viewer", "bot"] as const;
const actions = ["list", "add", "role", "remove", "token", "tokens", "revoke"] as const;
/** Instead of a person in the audit log. */
export const commandLine = "command line";

export const users: Command = {
  name: "users",
  summary: "List, add and remove the people of a team, and their tokens",
  usage: "[list | add NAME | role NAME | remove NAME | token NAME | tokens NAME | revoke NAME TOKEN-ID]",
  details:
    "A token is shown once; only its digest is stored. Anyone who can reach the database can add people: create the first admin here.",
  completes: [{ known: [...actions] }],
  options: {
    role: {
      value: "ROLE",
      help: `For add and role: ${roleNames.join(", ")} (default: member)`,
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
    { command: "wield users role ann --role member", note: "change what Ann may do" },
    { command: "wield users token ann", note: "a further token, such as for another machine" },
    { command: "wield users token ann --scopes read", note: "a token that can change nothing" },
    { command: "wield users tokens ann", note: "her tokens, with the ids that revoke takes" },
  ],
  async run(given, io) {
    const [what = "list", name, token] = given.args;
    const action = actions.find((one) => one === what);
    if (!action)
      throw new UsageError(`wield users knows ${actions.join(", ")}, not ${JSON.stringify(what)}.`);
    if (action !== "list" && name === undefined)
      throw new UsageError(`Name the person: wield users ${action} NAME`);
    if (action === "revoke" && token === undefined)
      throw new UsageError("Name the token by its id: wield users revoke NAME TOKEN-ID");
    const role = roleNames.find((one) => one === (given.value("role") ?? "member"));
    if (!role) throw new UsageError(`--role takes one of ${roleNames.join(", ")}.`);
    if (action === "role" && given.value("role") === undefined)
      throw new UsageError(`Name the role: wield users role ${name} --role ROLE`);
    const request = { name: name ?? "", token: token ?? "", role, scopes: scopesFrom(given.value("scopes")) };
    const text = await inDatabase(given, io, (database) =>
      database.transaction((sql) => act(action, sql, request)),
    );
    io.out(text);
    return exit.ok;
  },
};

interface Request {
  name: string;
  token: string;
  role: (typeof roleNames)[number];
  scopes: (typeof scopeNames)[number][] | undefined;
}

/** What is printed then. */
async function act(
  action: (typeof actions)[number],
  sql: import("../store/postgres-database.ts").Sql,
  { name, token, role, scopes }: Request,
): Promise<string> {
  const { people, audit, requireScopesFor } = await import("../cluster/people.ts");
  const { tokens } = await import("../cluster/tokens.ts");
  const note = (did: string, subject: string, detail?: string) =>
    audit(sql, commandLine, did, subject, detail);
  switch (action) {
    case "list": {
      const all = await people.list(sql);
      return (
        columns(all.map((person) => [person.name, person.role])) ||
        "Nobody yet. Add somebody: wield users add NAME"
      );
    }
    case "add": {
      const person = await people.addNew(sql, name, role);
      requireScopesFor(person, scopes);
      await note("person.add", person.id, role);
      return tokens.add(sql, person.id, { label: "Command line", scopes });
    }
    case "role": {
      const person = await people.changeRole(sql, name, role);
      await note("person.role", person.id, role);
      return `${name} has the role ${role} now.`;
    }
    case "remove": {
      const person = await people.remove(sql, name);
      await note("person.remove", person.id);
      return `${name} is removed; their tokens and keys are no longer valid.`;
    }
    case "token": {
      const person = await people.named(sql, name);
      requireScopesFor(person, scopes);
      await note("token.add", person.id, `acts for ${name}: ${scopes?.join(", ") ?? "all rights"}`);
      return tokens.add(sql, person.id, { label: "Command line", scopes });
    }
    case "tokens": {
      const all = await tokens.list(sql, (await people.named(sql, name)).id);
      const rows = all.map(({ id, label, scopes: only, at, used, expires }) => [
        ...[id, only ? only.join(",") : "all rights", `made ${day(at)}`],
        ...[used ? `used ${day(used)}` : "never used", expires ? `ends ${day(expires)}` : "", label],
      ]);
      return columns(rows) || `${name} has no token. Make one: wield users token ${name}`;
    }
    case "revoke": {
      const person = await people.named(sql, name);
      await note("token.revoke", person.id, await tokens.revoke(sql, person.id, token));
      return "The token is no longer valid.";
    }
  }
}

function day(iso: string): string {
  return iso.slice(0, 10);
}

function scopesFrom(given: string | undefined): (typeof scopeNames)[number][] | undefined {
  if (given === undefined) return undefined;
  const named = given.split(",").map((name) => scopeNames.find((scope) => scope === name.trim()));
  const known = named.filter((scope) => scope !== undefined);
  if (known.length < named.length)
    throw new UsageError(`--scopes takes some of ${scopeNames.join(", ")}, with commas between them.`);
  return known;
}
