import { Failure } from "../failure/failure.ts";
import type { Database } from "./database.ts";
import type { Store } from "./store.ts";
import { type Amount, type StoreKind, type StoreLimits, storeKinds, type Upkeep } from "./upkeep.ts";

type Part = { table: string; of: string; bytes: string };

/** What each kind counts, and which of it is older than a time. `?1` is that time; null: all of it. */
const parts: Readonly<Record<Exclude<StoreKind, "sessions">, Part>> = {
  calls: { table: "calls", of: "(?1 IS NULL OR at < ?1)", bytes: "200" },
  documents: {
    table: "documents",
    of: "(?1 IS NULL OR updated < ?1)",
    bytes: "(SELECT total(length(content)) FROM document_versions v WHERE v.document = documents.id)",
  },
  plans: {
    table: "plans",
    of: "(?1 IS NULL OR (updated < ?1 AND seq NOT IN (SELECT max(seq) FROM plans GROUP BY workspace)))",
    bytes: "length(steps)",
  },
  approvals: {
    table: "pending",
    of: "(?1 IS NULL OR at < ?1)",
    bytes: "length(args) + coalesce((SELECT length(data) FROM held WHERE held.id = pending.id), 0)",
  },
};
const sessionsAtOnce = 50;

/** Everything of one kind is removed with its related rows. */
const removing: Readonly<Record<keyof typeof parts, readonly string[]>> = {
  calls: ["DELETE FROM results WHERE at < ?1", "DELETE FROM calls WHERE at < ?1"],
  documents: [
    "DELETE FROM document_words WHERE rowid IN (SELECT seq FROM documents WHERE updated < ?1)",
    "DELETE FROM suggestions WHERE document IN (SELECT id FROM documents WHERE updated < ?1)",
    "DELETE FROM document_versions WHERE document IN (SELECT id FROM documents WHERE updated < ?1)",
    "DELETE FROM documents WHERE updated < ?1",
  ],
  plans: [`DELETE FROM plans WHERE ${parts.plans.of}`],
  approvals: [
    "DELETE FROM pending WHERE at < ?1",
    "DELETE FROM pending_sessions WHERE ?1 IS NOT NULL AND id NOT IN (SELECT id FROM pending)",
    // Each belongs to an open approval request of the same id; without it, nobody can approve it any more.
    "DELETE FROM held WHERE ?1 IS NOT NULL AND id NOT IN (SELECT id FROM pending)",
  ],
};

/** It needs as much space as the database has: where there is none, what was freed is used for what comes next. */
function vacuum(db: Database): void {
  try {
    db.exec("VACUUM");
  } catch (error) {
    if (!(error instanceof Failure && error.details?.["fault"] === "full")) throw error;
  }
}

export function sqliteUpkeep(db: Database, store: Pick<Store, "removeSession">): Upkeep {
  const { sql } = db;
  const made = () =>
    new Set(
      sql("SELECT name FROM sqlite_master WHERE type = 'table'")
        .all()
        .map(({ name }) => String(name)),
    );
  const missing = (text: string, tables: ReadonlySet<string>) =>
    [...text.matchAll(/(?:FROM|INTO) (\w+)/g)].some(([, table = ""]) => !tables.has(table));

  const amountOf = (kind: keyof typeof parts, before: string | null): Amount => {
    const { table, of, bytes } = parts[kind];
    const text = `SELECT count(*) AS count, total(${bytes}) AS bytes FROM ${table} WHERE ${of}`;
    const tables = made();
    if (!tables.has(table)) return { count: 0, bytes: 0 };
    const row = sql(missing(text, tables) ? text.replace(bytes, "0") : text).get(before);
    return { count: Number(row?.["count"]), bytes: Number(row?.["bytes"]) };
  };
  const usedBytes = () => {
    const number = (pragma: string) => Number(Object.values(sql(`PRAGMA ${pragma}`).get() ?? {})[0]);
    return (number("page_count") - number("freelist_count")) * number("page_size");
  };
  /** The oldest first; sizes are counted only as far as they are needed. */
  const sessionsBeyond = ({ before, bytes }: StoreLimits, most = Number.MAX_SAFE_INTEGER) => {
    const oldest = sql(
      `SELECT id, updated FROM sessions WHERE id NOT IN (SELECT session FROM session_marks WHERE pinned = 1) ORDER BY updated`,
    );
    const size = sql("SELECT total(length(data)) AS bytes FROM entries WHERE session = ?");
    const found: { id: string; bytes: number }[] = [];
    let over = usedBytes() - bytes;
    for (const { id, updated } of oldest.all()) {
      const isOld = before.sessions !== undefined && String(updated) < before.sessions;
      if ((!isOld && over <= 0) || found.length >= most) break;
      const length = Number(size.get(String(id))?.["bytes"]);
      found.push({ id: String(id), bytes: length });
      over -= length;
    }
    return found;
  };
  const amounts = (sessions: Amount, of: (kind: keyof typeof parts) => Amount) =>
    Object.fromEntries(storeKinds.map((kind) => [kind, kind === "sessions" ? sessions : of(kind)])) as Record<
      StoreKind,
      Amount
    >;
  const sum = (found: readonly { bytes: number }[]): Amount => ({
    count: found.length,
    bytes: found.reduce((total, { bytes }) => total + bytes, 0),
  });
  const none = { count: 0, bytes: 0 };

  return {
    usage: async () => {
      const row = sql(
        "SELECT (SELECT count(*) FROM sessions) AS count, (SELECT total(length(data)) FROM entries) AS bytes",
      ).get();
      const sessions = { count: Number(row?.["count"]), bytes: Number(row?.["bytes"]) };
      return amounts(sessions, (kind) => amountOf(kind, null));
    },
    beyond: async (limits) =>
      amounts(sum(sessionsBeyond(limits)), (kind) => {
        const before = limits.before[kind];
        return before === undefined ? none : amountOf(kind, before);
      }),
    remove: async (limits, mostSessions = sessionsAtOnce) => {
      const found = sessionsBeyond(limits, mostSessions);
      for (const { id } of found) await store.removeSession(id);
      return amounts(sum(found), (kind) => {
        const before = limits.before[kind];
        if (before === undefined) return none;
        const gone = amountOf(kind, before);
        db.transaction(() => {
          const tables = made();
          for (const text of removing[kind]) if (!missing(text, tables)) sql(text).run(before);
        });
        return gone;
      });
    },
    compact: async (shrink) => {
      if (shrink) vacuum(db);
      sql("PRAGMA wal_checkpoint(TRUNCATE)").all();
    },
  };
}
