import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { keyVariables } from "../app/keys.ts";
import { Failure } from "../failure/failure.ts";
import type { PostgresDatabase, Sql } from "../store/postgres-database.ts";

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

export async function saveSecret(
  database: Pick<PostgresDatabase, "write">,
  place: { owner: string; name: string },
  text: string,
  secret: string | undefined,
): Promise<void> {
  // Any other variable could say where keys are sent, or which settings a worker reads.
  if (!keyVariables().has(place.name))
    throw new Failure(
      "INVALID_INPUT",
      `${place.name} is not the key of a provider. Known: ${[...keyVariables()].join(", ")}.`,
    );
  await database.write(
    `INSERT INTO secrets (owner, name, sealed) VALUES ($1, $2, $3)
     ON CONFLICT (owner, name) DO UPDATE SET sealed = excluded.sealed, at = now()`,
    [place.owner, place.name, seal(text, place, secret)],
  );
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
