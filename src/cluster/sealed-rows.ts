import { Failure } from "../failure/failure.ts";
import type { Sql } from "../store/postgres-database.ts";
import { type Place, seal, unseal } from "./sealing.ts";

/** Where the secret of a webhook is sealed. */
export const webhookPlace = (id: string): Place => ({ owner: "", name: `webhook ${id}` });

/** Something that is encrypted under WIELD_SECRET_KEY. */
interface SealedRow {
  sealed: Buffer;
  place: Place;
  /** For people. */
  what: string;
  update: string;
  values: string[];
}

/** Everything in the database that is encrypted under WIELD_SECRET_KEY: provider keys, and secrets of webhooks. */
export async function sealedRows(sql: Sql): Promise<SealedRow[]> {
  const keys = await sql("SELECT owner, name, sealed FROM secrets ORDER BY owner, name FOR UPDATE");
  const webhooks = await sql("SELECT id, sealed FROM webhooks ORDER BY id FOR UPDATE");
  return [
    ...keys.map((row): SealedRow => {
      const place = { owner: String(row["owner"]), name: String(row["name"]) };
      return {
        ...{ sealed: row["sealed"] as Buffer, place, what: `The key ${place.name}` },
        update: "UPDATE secrets SET sealed = $1 WHERE owner = $2 AND name = $3",
        values: [place.owner, place.name],
      };
    }),
    ...webhooks.map((row): SealedRow => {
      const id = String(row["id"]);
      return {
        ...{ sealed: row["sealed"] as Buffer, place: webhookPlace(id), what: `The webhook ${id}` },
        ...{ update: "UPDATE webhooks SET sealed = $1 WHERE id = $2", values: [id] },
      };
    }),
  ];
}

export function canOpen({ sealed, place }: SealedRow, secret: string): boolean {
  try {
    unseal(sealed, place, secret);
    return true;
  } catch {
    return false;
  }
}

export async function reseal(
  sql: Sql,
  row: SealedRow,
  secret: string | undefined,
  next: string,
): Promise<void> {
  const text = opened(row, secret);
  await sql(row.update, [seal(text, row.place, next), ...row.values]);
}

function opened({ sealed, place, what }: SealedRow, secret: string | undefined): string {
  try {
    return unseal(sealed, place, secret);
  } catch {
    throw new Failure(
      "CONFLICT",
      `${what} cannot be read with the present key, so nothing was changed. Remove it first.`,
    );
  }
}
