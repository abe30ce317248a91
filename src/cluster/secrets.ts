import type { SavedKeyView } from "../api/team.ts";
import { keyVariables } from "../app/keys.ts";
import { Failure } from "../failure/failure.ts";
import { readModelName } from "../model/model-name.ts";
import { providers } from "../model/providers.ts";
import type { Sql } from "../store/postgres-database.ts";
import { type Place, savedUnderAnother, seal, unseal } from "./sealing.ts";
import { requireSecretKey } from "./secret-key.ts";

/** The owner of keys that the whole team uses. */
export const teamOwner = "";

/** In a transaction. `by`: the person who sets it. */
export async function saveSecret(
  sql: Sql,
  place: Place,
  { text, by }: { text: string; by: string },
  secret: string | undefined,
): Promise<void> {
  // Any other variable could say where keys are sent, or which settings a worker reads.
  if (!keyVariables().has(place.name))
    throw new Failure(
      "INVALID_INPUT",
      `${place.name} is not the key of a provider. Known: ${[...keyVariables()].join(", ")}.`,
    );
  await requireSecretKey(sql, secret);
  await sql(
    `INSERT INTO secrets (owner, name, sealed, set_by) VALUES ($1, $2, $3, $4)
     ON CONFLICT (owner, name) DO UPDATE SET sealed = excluded.sealed, set_by = excluded.set_by, at = now()`,
    [place.owner, place.name, seal(text, place, secret), by],
  );
}

export async function removeSecret(sql: Sql, { owner, name }: Place): Promise<void> {
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

export interface SessionKeys {
  /** By variable. */
  keys: Readonly<Record<string, string>>;
  /** Variables of keys that were saved under another WIELD_SECRET_KEY. */
  unreadable: readonly string[];
}

/** The keys that sessions of a person use: the team's, and their own before those. */
export async function keysOf(sql: Sql, person: string, secret: string | undefined): Promise<SessionKeys> {
  const rows = await sql(
    "SELECT owner, name, sealed FROM secrets WHERE owner IN ($1, $2) ORDER BY owner = $2",
    [...[teamOwner, person]],
  );
  const allowed = keyVariables();
  // A key of one's own that cannot be read hides the team's: that one is not meant.
  const found = new Map<string, string | undefined>();
  for (const row of rows) {
    const place = { owner: String(row["owner"]), name: String(row["name"]) };
    if (allowed.has(place.name)) found.set(place.name, opened(row["sealed"] as Buffer, place, secret));
  }
  const names = [...found.keys()];
  const readable = [...found].flatMap(([name, key]) => (key === undefined ? [] : [[name, key] as const]));
  return {
    keys: Object.fromEntries(readable),
    unreadable: names.filter((name) => found.get(name) === undefined),
  };
}

function opened(sealed: Buffer, place: Place, secret: string | undefined): string | undefined {
  try {
    return unseal(sealed, place, secret);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/**
 * Rejects where the model may need a key that cannot be read: no other model or key may take its place. `model` is the one
 * that was chosen; undefined: the first that has a key.
 */
export function requireReadable({ unreadable }: SessionKeys, model: string | undefined): void {
  const chosen = model === undefined ? undefined : readModelName(model);
  const isNeeded = (name: string) =>
    chosen === undefined || chosen.kind === "address"
      ? modelKeys().has(name)
      : providers.some(
          ({ id, keys }) => chosen.kind === "named" && id === chosen.provider && keys.includes(name),
        );
  const needed = unreadable.find(isNeeded);
  if (needed !== undefined) throw savedUnderAnother(needed);
}

function modelKeys(): ReadonlySet<string> {
  return new Set(["WIELD_API_KEY", ...providers.flatMap(({ keys }) => keys)]);
}
