import { randomBytes } from "node:crypto";
import type { TokenView } from "../api/team.ts";
import { Failure } from "../failure/failure.ts";
import type { Row, Sql } from "../store/postgres-database.ts";
import { sha256 } from "../text/digest.ts";
import { type Person, personOf, requireScope, requireScopesFor, type Scope, scopesOf } from "./people.ts";

export interface NewToken {
  /** What it is for, in the person's words. */
  label?: string | undefined;
  days?: number | undefined;
  /** Omitted: all rights of its person. */
  scopes?: readonly Scope[] | undefined;
}

/** A token with scopes. What it makes lasts no longer than it does, also if it is revoked. */
interface Maker {
  token: string;
  expires: Date | undefined;
}

const usualDays = 365;
/** The label of tokens that signing in with an identity provider makes: signing out ends them. */
export const signInLabel = "Sign-in";

export const tokens = {
  /** Shown once: only its digest is kept. */
  async add(
    sql: Sql,
    person: string,
    { label = "", days, scopes }: NewToken = {},
    maker?: Maker,
  ): Promise<string> {
    const token = `wield_${randomBytes(32).toString("base64url")}`;
    await sql(
      `INSERT INTO tokens (digest, person, label, expires, scopes, parent)
       VALUES ($1, $2, $3, least(now() + $4 * interval '1 day', $6::timestamptz), $5, $7)`,
      [
        ...[sha256(token), person, label, days ?? usualDays, scopes ? scopes.join(",") : null],
        ...[maker?.expires ?? null, maker?.token ?? null],
      ],
    );
    return token;
  },

  /** One that somebody makes with theirs, for themselves or as an admin for others, with the scopes that it got. */
  async addBy(
    sql: Sql,
    by: Person,
    owner: Person,
    { scopes: wanted, ...more }: NewToken = {},
  ): Promise<{ token: string; scopes: readonly Scope[] | undefined }> {
    const scopes = wanted ?? by.scopes?.filter((scope) => scopesOf[owner.role].includes(scope));
    for (const scope of scopes ?? []) requireScope(by, scope);
    requireScopesFor(owner, scopes);
    if (scopes?.length === 0)
      throw new Failure(
        "PERMISSION_DENIED",
        `This token can make none for ${owner.name}: it has none of the scopes that the role ${owner.role} has.`,
      );
    const maker = by.scopes && (await makerOf(sql, by));
    return { token: await tokens.add(sql, owner.id, { ...more, scopes }, maker), scopes };
  },

  /** Whose it is, while it is valid. When it was last used is known to the minute. */
  async person(sql: Sql, token: string): Promise<Person | undefined> {
    const digest = sha256(token);
    const [row] = await sql(
      `SELECT p.id, p.name, p.role, t.id AS token, t.scopes, t.expires,
         (t.used IS NULL OR t.used < now() - interval '1 minute') AS is_noted_late
       FROM tokens t JOIN people p ON p.id = t.person
       WHERE t.digest = $1 AND NOT p.removed AND (t.expires IS NULL OR t.expires > now())`,
      [digest],
    );
    if (row?.["is_noted_late"] === true)
      await sql("UPDATE tokens SET used = now() WHERE digest = $1", [digest]);
    return row && personOf(row);
  },

  /** The person of a token that was used before, as they are now. */
  async stillValid(sql: Sql, { token = "" }: Person): Promise<Person | undefined> {
    const [row] = await sql(
      `SELECT p.id, p.name, p.role, t.id AS token, t.scopes, t.expires FROM tokens t JOIN people p ON p.id = t.person
       WHERE t.id = $1 AND NOT p.removed AND (t.expires IS NULL OR t.expires > now())`,
      [token],
    );
    return row && personOf(row);
  },

  /** Those of a person that are still valid, newest first. `current` is the one that asks. */
  async list(sql: Sql, person: string, current?: string): Promise<TokenView[]> {
    const rows = await sql(
      `SELECT id, label, scopes, at, used, expires FROM tokens
       WHERE person = $1 AND (expires IS NULL OR expires > now()) ORDER BY at DESC, id`,
      [person],
    );
    return rows.map((row) => viewOf(row, current));
  },

  /** With those that it made, by the database's own rule. What it was for, or else its id. */
  async revoke(sql: Sql, person: string, id: string): Promise<string> {
    const [ended] = await sql("DELETE FROM tokens WHERE person = $1 AND id = $2 RETURNING label", [
      person,
      id,
    ]);
    if (!ended) throw new Failure("FILE_NOT_FOUND", "There is no such token.");
    return String(ended["label"]) || id;
  },
};

/** Locked until the new token is there: one that is revoked at the same moment leaves none behind. */
async function makerOf(sql: Sql, { token = "", expires }: Person): Promise<Maker> {
  const [known] = await sql("SELECT id FROM tokens WHERE id = $1 FOR KEY SHARE", [token]);
  if (!known) throw new Failure("PERMISSION_DENIED", "The token used was revoked.");
  return { token, expires };
}

function viewOf({ id, label, scopes, at, used, expires }: Row, current: string | undefined): TokenView {
  return {
    ...{ id: String(id), label: String(label), at: iso(at) ?? "", used: iso(used), expires: iso(expires) },
    scopes: typeof scopes === "string" ? (scopes.split(",") as Scope[]) : null,
    current: id === current,
  };
}

function iso(at: unknown): string | null {
  return at instanceof Date ? at.toISOString() : null;
}
