import { Failure } from "../failure/failure.ts";
import type { PostgresDatabase, Row, Sql } from "../store/postgres-database.ts";
import { newId } from "../text/ids.ts";
import { nameRule, nameRuleText } from "./name.ts";

export const roles = ["admin", "member", "viewer", "bot"] as const;
/**
 * An admin sees and manages everything; a member starts sessions and answers for their own; a viewer reads what is shared; a bot
 * starts sessions like a member and answers nothing.
 */
export type Role = (typeof roles)[number];

/** What a token may be used for; a token without scopes has all rights of its person. */
export const scopes = ["read", "write", "approve", "admin"] as const;
export type Scope = (typeof scopes)[number];
/** A token cannot have a scope that the role of its person does not have. */
export const scopesOf: Readonly<Record<Role, readonly Scope[]>> = {
  admin: scopes,
  member: ["read", "write", "approve"],
  viewer: ["read"],
  bot: ["read", "write"],
};
const scopeWords: Readonly<Record<Scope, string>> = {
  read: "read",
  write: "start sessions and send messages",
  approve: "answer approval requests",
  admin: "manage the team",
};

export interface Person {
  id: string;
  name: string;
  role: Role;
  /** The id of the token used. */
  token?: string;
  /** The scopes of the token used; omitted: all. */
  scopes?: readonly Scope[];
  /** When that token ends. */
  expires?: Date;
}

export const people = {
  /** A new person, or the same one with another role. */
  async add(sql: Sql, name: string, role: Role): Promise<Person> {
    const [known] = await sql(
      "UPDATE people SET role = $2 WHERE name = $1 AND NOT removed RETURNING id, name, role",
      [name, role],
    );
    return known ? personOf(known) : people.addNew(sql, name, role);
  },

  /** Removed ones too: what they did has their name. */
  async byId(sql: Sql, id: string): Promise<Person> {
    const [row] = await sql("SELECT id, name, role FROM people WHERE id = $1", [id]);
    if (!row) throw new Failure("FILE_NOT_FOUND", "There is no such person.");
    return personOf(row);
  },

  /**
   * A new person only: nobody loses a role because a name is entered twice. Somebody removed who had the name gets another one, and
   * keeps what was theirs: the new person may be somebody else.
   */
  async addNew(sql: Sql, name: string, role: Role): Promise<Person> {
    requireName(name);
    await sql("UPDATE people SET name = $2 WHERE name = $1 AND removed", [
      ...[name, `${name.slice(0, 80)}-removed-${newId("").slice(-8)}`],
    ]);
    const [added] = await sql(
      `INSERT INTO people (id, name, role) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING
       RETURNING id, name, role`,
      [newId("u"), name, role],
    );
    if (added) return personOf(added);
    const known = await people.named(sql, name);
    throw new Failure(
      "CONFLICT",
      `${name} is in the team already, with the role ${known.role}. To change it, use the list of people, or: wield users role ${name} --role ROLE`,
    );
  },

  async list(sql: Sql): Promise<Person[]> {
    return (await sql("SELECT id, name, role FROM people WHERE NOT removed ORDER BY name")).map(personOf);
  },

  async named(sql: Sql, name: string): Promise<Person> {
    const [row] = await sql("SELECT id, name, role FROM people WHERE name = $1 AND NOT removed", [name]);
    if (!row) throw new Failure("FILE_NOT_FOUND", `There is no person ${JSON.stringify(name)}.`);
    return personOf(row);
  },

  async changeRole(sql: Sql, name: string, role: Role): Promise<Person> {
    const known = await people.named(sql, name);
    if (role !== "admin") await requireOtherAdmin(sql, known);
    await sql("UPDATE people SET role = $2 WHERE id = $1", [known.id, role]);
    return { ...known, role };
  },

  /** Their tokens and keys end at once; what they did stays. */
  async remove(sql: Sql, name: string): Promise<Person> {
    const known = await people.named(sql, name);
    await requireOtherAdmin(sql, known);
    await sql("UPDATE people SET removed = true WHERE id = $1", [known.id]);
    await sql("DELETE FROM tokens WHERE person = $1", [known.id]);
    await sql("DELETE FROM secrets WHERE owner = $1", [known.id]);
    return known;
  },

  /**
   * A person of an identity provider, or of a service whose webhooks start sessions: found by their id there, created
   * on first use. A name that somebody else has, or takes at the same moment, stays theirs.
   */
  async bySubject(
    database: PostgresDatabase,
    subject: string,
    name: string,
    role: Role = "member",
  ): Promise<Person> {
    const free = () => `${name.slice(0, 90)}-${newId("").slice(-4)}`;
    for (const wanted of [name, free(), free()]) {
      const [known] = await database.query("SELECT id, name, role, removed FROM people WHERE subject = $1", [
        subject,
      ]);
      if (known?.["removed"] === true) throw new Failure("PERMISSION_DENIED", "This account was removed.");
      if (known) return personOf(known);
      requireName(wanted);
      const [made] = await database.query(
        `INSERT INTO people (id, name, role, subject) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING RETURNING id, name, role`,
        [newId("u"), wanted, role, subject],
      );
      if (made) return personOf(made);
    }
    throw new Failure("CONFLICT", "No name is free for this account. Try again.");
  },
};

/** Without an admin, nobody could manage the team on the page. */
async function requireOtherAdmin(sql: Sql, person: Person): Promise<void> {
  if (person.role !== "admin") return;
  // Locked, so that two admins cannot end each other's role at the same moment.
  const admins = await sql("SELECT id FROM people WHERE role = 'admin' AND NOT removed FOR UPDATE");
  if (admins.some(({ id }) => id !== person.id)) return;
  throw new Failure("CONFLICT", `${person.name} is the only admin. Make somebody else an admin first.`);
}

function requireName(name: string): void {
  if (!nameRule.test(name)) throw new Failure("INVALID_INPUT", nameRuleText);
}

/** Written in the transaction of what was done. */
export async function audit(
  sql: Sql,
  person: string,
  action: string,
  subject: string,
  detail = "",
): Promise<void> {
  await sql("INSERT INTO audit (person, action, subject, detail) VALUES ($1, $2, $3, $4)", [
    ...[person, action, subject, detail.slice(0, 2000).replaceAll("\u0000", "")],
  ]);
}

export function personOf({ id, name, role, token, scopes: only, expires }: Row): Person {
  return {
    ...{ id: String(id), name: String(name), role: String(role) as Role },
    ...(typeof token === "string" && { token }),
    ...(typeof only === "string" && { scopes: only.split(",") as Scope[] }),
    ...(expires instanceof Date && { expires }),
  };
}

/** With a token that has scopes, an admin has the rights of the role only if `admin` is one of them. */
export function actsAsAdmin({ role, scopes: only }: Person): boolean {
  return role === "admin" && (only === undefined || only.includes("admin"));
}

/** The scopes of a new token for a person. */
export function requireScopesFor({ name, role }: Person, wanted: readonly Scope[] = []): void {
  const missing = wanted.find((scope) => !scopesOf[role].includes(scope));
  if (missing === undefined) return;
  throw new Failure(
    "INVALID_INPUT",
    `${name} has the role ${role}, which cannot ${scopeWords[missing]}: a token of ${name} can have the scopes ${scopesOf[role].join(", ")}.`,
  );
}

/** What a session is paid with is not for a token that was given few rights. */
export function requireAllRights(person: Person): void {
  if (person.scopes === undefined || actsAsAdmin(person)) return;
  throw new Failure(
    "PERMISSION_DENIED",
    "This needs a token without scopes, which has all rights of its person.",
  );
}

/** A write with a read-only token must be refused, whatever the person's role. */
export function requireScope({ scopes: only }: Person, scope: Scope): void {
  if (only === undefined || only.includes(scope)) return;
  throw new Failure(
    "PERMISSION_DENIED",
    `This token may only ${only.map((one) => scopeWords[one]).join(", ")}; this needs the scope ${scope}.`,
  );
}
