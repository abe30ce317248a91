import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { Failure } from "../failure/failure.ts";
import type { Sql } from "../store/postgres-database.ts";
import { canOpen, reseal, sealedRows } from "./sealed-rows.ts";
import { requireLongKey } from "./sealing.ts";

/**
 * Rejects a WIELD_SECRET_KEY that is not the team's. The database has a check value of it, made by the first process: a slow digest
 * with a salt, so that trying keys against it is no faster than against anything that is encrypted under the key. In a
 * transaction, the key cannot be changed until its end.
 */
export async function requireSecretKey(sql: Sql, secret: string | undefined): Promise<void> {
  const key = requireLongKey(secret);
  const [known] = await sql("SELECT salt, digest FROM secret_key FOR SHARE");
  if (known) {
    const digest = await digestOf(key, known["salt"] as Buffer);
    if (!timingSafeEqual(digest, known["digest"] as Buffer)) throw anotherKey();
    return;
  }
  const rows = await sealedRows(sql);
  if (rows.length > 0 && !rows.some((row) => canOpen(row, key))) throw anotherKey();
  const salt = randomBytes(16);
  const made = await sql(
    "INSERT INTO secret_key (salt, digest) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1",
    [salt, await digestOf(key, salt)],
  );
  // Another process was faster: it may have another key.
  if (made.length === 0) await requireSecretKey(sql, secret);
}

/** In a transaction: everything that is encrypted is encrypted under another key from now on. */
export async function changeSecretKey(sql: Sql, secret: string | undefined, next: string): Promise<void> {
  requireLongKey(next, "The new key");
  await sql("SELECT 1 FROM secret_key FOR UPDATE");
  await requireSecretKey(sql, secret);
  for (const row of await sealedRows(sql)) await reseal(sql, row, secret, next);
  await setCheck(sql, next);
}

/** In a transaction, where the key is lost: removes what cannot be read any more. How many keys and webhooks those were. */
export async function forgetSecretKey(sql: Sql, next: string): Promise<{ keys: number; webhooks: number }> {
  requireLongKey(next, "The new key");
  await sql("SELECT 1 FROM secret_key FOR UPDATE");
  const keys = await sql("DELETE FROM secrets RETURNING 1");
  const webhooks = await sql("DELETE FROM webhooks RETURNING 1");
  await setCheck(sql, next);
  return { keys: keys.length, webhooks: webhooks.length };
}

async function setCheck(sql: Sql, key: string): Promise<void> {
  const salt = randomBytes(16);
  await sql(
    "INSERT INTO secret_key (salt, digest) VALUES ($1, $2) ON CONFLICT (one) DO UPDATE SET salt = $1, digest = $2",
    [salt, await digestOf(key, salt)],
  );
}

function anotherKey(): Failure {
  return new Failure(
    "UNAVAILABLE",
    "WIELD_SECRET_KEY is not the key that this team's database was set up with. Set the same one on every machine; to change it: wield secrets rekey",
  );
}

const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const slowDigest = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt);

function digestOf(key: string, salt: Buffer): Promise<Buffer> {
  return slowDigest(key, salt, 32, cost);
}
