import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import type { KeptChanges } from "./kept-changes.ts";
import type { PostgresDatabase } from "./postgres-database.ts";

const pack = promisify(zstdCompress);
const unpack = promisify(zstdDecompress);

export function postgresKeptChanges(db: PostgresDatabase): KeptChanges {
  return {
    add: async (session, { id, at, data }, contents) => {
      const packed = await Promise.all(
        [...contents].map(async ([hash, bytes]) => [hash, await pack(bytes)] as const),
      );
      // In one order for all writers: two that keep the same contents must not wait for each other.
      packed.sort(([one], [other]) => (one < other ? -1 : 1));
      await db.transaction(async (sql) => {
        if (packed.length > 0)
          await sql(
            `INSERT INTO kept_contents (hash, zstd) SELECT * FROM unnest($1::text[], $2::bytea[]) ON CONFLICT DO NOTHING`,
            [packed.map(([hash]) => hash), packed.map(([, bytes]) => bytes)],
          );
        await sql(
          "INSERT INTO kept_changes (session, id, at, data) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
          [session, id, at, JSON.stringify(data)],
        );
      });
    },
    list: async (session) => {
      const rows = await db.query("SELECT id, at, data FROM kept_changes WHERE session = $1 ORDER BY seq", [
        session,
      ]);
      return rows.map(({ id, at, data }) => ({
        id: String(id),
        at: String(at),
        data: JSON.parse(String(data)),
      }));
    },
    contents: async (hashes) => {
      const rows = await db.query("SELECT hash, zstd FROM kept_contents WHERE hash = ANY ($1)", [hashes]);
      const unpacked = rows.map(
        async ({ hash, zstd }) => [String(hash), await unpack(zstd as Buffer)] as const,
      );
      return new Map(await Promise.all(unpacked));
    },
  };
}
