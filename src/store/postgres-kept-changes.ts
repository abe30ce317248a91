import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import { lostClaim } from "./claims.ts";
import type { KeptChanges } from "./kept-changes.ts";
import { fenceSource, type PostgresDatabase } from "./postgres-database.ts";

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
      const { from, values } = fenceSource(db.fence, 7);
      const [done] = await db.query(
        `WITH fence AS (SELECT 1 ${from}),
           contents AS (INSERT INTO kept_contents (hash, zstd)
             SELECT c.hash, c.zstd FROM fence, unnest($5::text[], $6::bytea[]) AS c (hash, zstd) ON CONFLICT DO NOTHING),
           change AS (INSERT INTO kept_changes (session, id, at, data)
             SELECT $1::text, $2::text, $3::text, $4::text FROM fence ON CONFLICT DO NOTHING)
         SELECT count(*) AS held FROM fence`,
        [
          ...[session, id, at, JSON.stringify(data)],
          ...[packed.map(([hash]) => hash), packed.map(([, bytes]) => bytes), ...values],
        ],
      );
      if (Number(done?.["held"]) === 0) throw lostClaim(session);
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
