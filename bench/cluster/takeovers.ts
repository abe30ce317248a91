// How long the sessions of a killed worker stand still: until another worker has claimed them, and until their logs grow again.
import { setTimeout as sleep } from "node:timers/promises";
import type { PostgresDatabase } from "../../src/store/postgres-database.ts";

export interface HeldSession {
  session: string;
  epoch: number;
  entries: number;
}

/** What a worker works on just now. */
export async function heldBy(db: PostgresDatabase, worker: string): Promise<HeldSession[]> {
  const rows = await db
    .query(
      `SELECT c.session, c.epoch, (SELECT count(*) FROM entries e WHERE e.session = c.session) AS entries
       FROM claims c JOIN team_sessions t ON t.session = c.session WHERE c.holder = $1 AND t.state = 'running'`,
      [worker],
    )
    .catch(() => []);
  return rows.map(({ session, epoch, entries }) => ({
    ...{ session: String(session), epoch: Number(epoch), entries: Number(entries) },
  }));
}

const longestSeconds = 120;
/** Nobody takes over anything without a database: where it was away for longer, its absence is what was measured. */
const awaySeconds = 5;

export class Takeovers {
  /** Seconds from the end of a worker to the next claim, and to the next entry of the log. */
  readonly claimed: number[] = [];
  readonly stepped: number[] = [];
  /** Hit by another fault before the first step. */
  disturbed = 0;
  /** The same seconds where the database was stopped in between. */
  readonly withoutDatabase: number[] = [];
  readonly #watching: Promise<void>[] = [];
  readonly #db: PostgresDatabase;

  constructor(db: PostgresDatabase) {
    this.#db = db;
  }

  /** From now on: the worker that held these was killed at this moment. */
  watch(held: readonly HeldSession[]): void {
    this.#watching.push(this.#watch(held));
  }

  async ended(): Promise<void> {
    await Promise.all(this.#watching);
  }

  async #watch(held: readonly HeldSession[]): Promise<void> {
    const since = performance.now();
    const claims = new Map<string, number>();
    let left = [...held];
    let answered = since;
    while (left.length > 0) {
      const ids = left.map(({ session }) => session);
      const rows = await this.#db.query(now, [ids]).catch(() => undefined);
      const at = performance.now();
      const passed = (at - since) / 1000;
      if (rows && (at - answered) / 1000 > awaySeconds) {
        await this.#watchWithoutDatabase(left, claims, since);
        return;
      }
      if (!rows) {
        await sleep(100);
        continue;
      }
      answered = at;
      const found = new Map(rows.map((row) => [String(row["session"]), row]));
      left = left.filter((one) => !this.#isOver(one, found.get(one.session), claims, passed));
      await sleep(100);
    }
  }

  /** Only until the claim; the first steps are those of a start of the whole team. */
  async #watchWithoutDatabase(
    held: readonly HeldSession[],
    claims: ReadonlyMap<string, number>,
    since: number,
  ): Promise<void> {
    let left = held.filter(({ session }) => !claims.has(session));
    this.disturbed += held.length - left.length;
    while (left.length > 0) {
      const ids = left.map(({ session }) => session);
      const rows = await this.#db.query(now, [ids]).catch(() => []);
      const passed = (performance.now() - since) / 1000;
      const epochs = new Map(rows.map((row) => [String(row["session"]), Number(row["epoch"])]));
      left = left.filter(({ session, epoch }) => {
        const isClaimed = (epochs.get(session) ?? 0) > epoch || passed > longestSeconds;
        if (isClaimed) this.withoutDatabase.push(passed);
        return !isClaimed;
      });
      await sleep(100);
    }
  }

  #isOver(
    { session, epoch, entries }: HeldSession,
    row: Record<string, unknown> | undefined,
    claims: Map<string, number>,
    passed: number,
  ): boolean {
    if (row) {
      const claimed = claims.get(session);
      const present = Number(row["epoch"]);
      // It was let go of between the look and the kill.
      if (claimed === undefined && present === epoch + 1 && passed < 3) return true;
      if (claimed === undefined && present > epoch) {
        claims.set(session, present);
        this.claimed.push(passed);
      } else if (claimed !== undefined && present > claimed) {
        // The worker that took it over met a fault itself: that takeover is watched by its own fault.
        this.disturbed++;
        return true;
      }
      if (Number(row["entries"]) > entries) {
        this.stepped.push(passed);
        return true;
      }
    }
    if (passed < longestSeconds) return false;
    this.stepped.push(passed);
    return true;
  }
}

const now = `SELECT c.session, c.epoch, (SELECT count(*) FROM entries e WHERE e.session = c.session) AS entries
  FROM claims c WHERE c.session = ANY ($1)`;
