import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { SavedKeyView } from "../api/team.ts";
import { keyVariables } from "../app/keys.ts";
import { Failure } from "../failure/failure.ts";
import type { Sql } from "../store/postgres-database.ts";

/** The owner of keys that the whole team uses. */
export const teamOwner = "";

/** Sealed under WIELD_SECRET_KEY, bound to owner and name: a row that is moved elsewhere cannot be opened. */
export function seal(
  text: string,
  place: { owner: string; name: string },
  secret: string | undefined,
): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyFrom(secret), nonce).setAAD(placeBytes(place));
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

export function unseal(
  sealed: Buffer,
  place: { owner: string; name: string },
  secret: string | undefined,
): string {
  const [nonce, body, tag] = [sealed.subarray(0, 12), sealed.subarray(12, -16), sealed.subarray(-16)];
  try {
    const decipher = createDecipheriv("aes-256-gcm", keyFrom(secret), nonce)
      .setAAD(placeBytes(place))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      "UNAVAILABLE",
      `The key ${place.name} was saved under another WIELD_SECRET_KEY. Save it again.`,
    );
  }
}

/** `by`: the person who sets it. */
export async function saveSecret(
  sql: Sql,
  place: { owner: string; name: string },
  { text, by }: { text: string; by: string },
  secret: string | undefined,
): Promise<void> {
  // Any other variable could say where keys are sent, or which settings a worker reads.
  if (!keyVariables().has(place.name))
    throw new Failure(
      "INVALID_INPUT",
      `${place.name} is not the key of a provider. Known: ${[...keyVariables()].join(", ")}.`,
    );
  await sql(
    `INSERT INTO secrets (owner, name, sealed, set_by) VALUES ($1, $2, $3, $4)
     ON CONFLICT (owner, name) DO UPDATE SET sealed = excluded.sealed, set_by = excluded.set_by, at = now()`,
    [place.owner, place.name, seal(text, place, secret), by],
  );
}

export async function removeSecret(
  sql: Sql,
  { owner, name }: { owner: string; name: string },
): Promise<void> {
  const removed = await sql("DELETE FROM secrets WHERE owner = $1 AND name = $2 RETURNING name", [
    owner,
    name,
  ]);
  if (removed.length === 0) throw new Failure("FILE_NOT_FOUND", `The key ${name} is not saved.`);
}

/** The team's keys and those of one person: their names, since when and by whom; never a value. */
export async function listSecrets(sql: Sql, person: string): Promise<SavedKeyView[]> {
  const rows = await sql(
    `SELECT s.name, s.owner = $1 AS team, s.at, coalesce(p.name, s.set_by) AS by
     FROM secrets s LEFT JOIN people p ON p.id = s.set_by WHERE s.owner IN ($1, $2) ORDER BY s.name, s.owner`,
    [...[teamOwner, person]],
  );
  return rows.map(({ name, team, at, by }) => ({
    ...{ name: String(name), team: team === true, at: (at as Date).toISOString() },
    by: by === null ? null : String(by),
  }));
}

/** The keys that sessions of a person use, as variables: the team's, and their own before those. */
export async function keysOf(
  sql: Sql,
  person: string,
  secret: string | undefined,
): Promise<Record<string, string>> {
  const rows = await sql(
    "SELECT owner, name, sealed FROM secrets WHERE owner IN ($1, $2) ORDER BY owner = $2",
    [...[teamOwner, person]],
  );
  const allowed = keyVariables();
  return Object.fromEntries(
    rows.flatMap((row) => {
      if (!allowed.has(String(row["name"]))) return [];
      const place = { owner: String(row["owner"]), name: String(row["name"]) };
      return [[place.name, unseal(row["sealed"] as Buffer, place, secret)]];
    }),
  );
}

function keyFrom(secret: string | undefined): Buffer {
  if (!secret || secret.length < 32)
    throw new Failure(
      "UNAVAILABLE",
      "Keys are kept encrypted: set WIELD_SECRET_KEY to at least 32 characters, the same on every machine. For example: openssl rand -base64 32",
    );
  return Buffer.from(hkdfSync("sha256", secret, "", "wield secrets", 32));
}

function placeBytes({ owner, name }: { owner: string; name: string }): Buffer {
  return Buffer.from(JSON.stringify([owner, name]));
}
