import { setTimeout as sleep } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import { Failure } from "../failure/failure.ts";
import type { PostgresDatabase, Sql } from "../store/postgres-database.ts";
import { hasDay } from "./cron-days.ts";
import { type Errand, type Job, type Jobs, type JobsOptions, sessionsPerPerson } from "./jobs.ts";

const queue = "sessions";
const errandQueue = "errands";
const schema = "pgboss";
const leaseSeconds = 10;
/** Any number; the same in every process that takes jobs. */
const takeLock = 314_159_265;
/** Above all that wait for the first time. */
const interruptedPriority = 1_000_000;
/** While another worker takes jobs this one asks again, for so long. */
const turnMs = 30;
const turnsMs = 2000;
/** What there is to take, in one question that idle workers ask all the time. Leases run out by the database's clock. */
const look = `SELECT
  EXISTS (SELECT 1 FROM ${schema}.job WHERE name = $1 AND state = 'created') AS fresh,
  EXISTS (SELECT 1 FROM ${schema}.job WHERE name = $1 AND state = 'retry') AS lost,
  EXISTS (SELECT 1 FROM ${schema}.job WHERE name = $1 AND state = 'active'
    AND heartbeat_on < now() - make_interval(secs => $2)) AS overdue`;
/**
 * Moves jobs that a worker lost or returned to the front, and returns whether there are any: another worker may have
 * moved them.
 */
const interrupted = `WITH raised AS (UPDATE ${schema}.job SET priority = $2 WHERE name = $1 AND state = 'retry' AND priority < $2)
  SELECT 1 FROM ${schema}.job WHERE name = $1 AND state = 'retry' LIMIT 1`;
/** A session is handed back long before: this is the most that pg-boss allows. */
const longestSeconds = 24 * 60 * 60 - 1;

/** Jobs on pg-boss. Its schema is made by `migrateJobs`. */
export async function openJobs(options: JobsOptions): Promise<Jobs> {
  const { database, leases = database, perPerson = sessionsPerPerson, supervise = false } = options;
  const boss = new PgBoss({
    db: adapter(database.query),
    schema,
    migrate: false,
    schedule: supervise,
    supervise,
    // A worker that takes jobs checks for expired leases; only then, and once a minute, all maintenance runs.
    monitorIntervalSeconds: 1,
  });
  // Told by the next call that fails; a database that is away for a moment must not end the process.
  boss.on("error", () => undefined);
  await boss.start();
  return {
    wake: async (sql, session, { person, priority = 0 }) => {
      const options = { singletonKey: session, group: { id: person }, priority, db: adapter(sql) };
      await boss.send(queue, { session }, options);
    },
    take: async (places, extra = 0) => {
      if (places + extra <= 0) return [];
      const [found] = await database.query(look, [queue, leaseSeconds]);
      if (found?.["overdue"] && supervise) await boss.supervise(queue);
      const isLost = found?.["lost"] || found?.["overdue"];
      if (!isLost && !(found?.["fresh"] && places > 0)) return [];
      const takeAlone = async (sql: Sql): Promise<Job[] | undefined> => {
        // One at a time: otherwise workers that fetch at once exceed a person's limit together.
        const [lock] = await sql("SELECT pg_try_advisory_xact_lock($1) AS held", [takeLock]);
        if (!lock?.["held"]) return undefined;
        const db = adapter(sql);
        const fetch = async (batchSize: number, minPriority?: number): Promise<Job[]> => {
          if (batchSize <= 0) return [];
          const options = { batchSize, groupConcurrency: perPerson, includeMetadata: true as const, db };
          const fetched = await boss.fetch<{ session: string }>(queue, {
            ...options,
            ...(minPriority !== undefined && { minPriority }),
          });
          return fetched.map(({ id, data, retryCount }) => ({
            id,
            attempt: retryCount,
            session: data.session,
          }));
        };
        const lost = await sql(interrupted, [queue, interruptedPriority]);
        const first = lost.length > 0 ? await fetch(places + extra, interruptedPriority) : [];
        return [...first, ...(await fetch(places - first.length))];
      };
      for (const end = performance.now() + turnsMs; performance.now() < end; await sleep(turnMs)) {
        const taken = await database.transaction(takeAlone);
        if (taken) return taken;
      }
      return [];
    },
    renew: async (jobs) => {
      if (jobs.length === 0) return new Set();
      const db = adapter(leases.query);
      const { settled } = (await boss.touch(queue, jobs.map(attemptOf), { db })) as { settled?: string[] };
      return new Set(settled);
    },
    done: async (job) => countOf(await boss.complete(queue, [attemptOf(job)])) > 0,
    giveBack: async (job) => {
      await boss.fail(queue, [attemptOf(job)]);
    },
    cancel: async (session) => {
      const waiting = await boss.findJobs<{ session: string }>(queue, { key: session, queued: true });
      if (waiting.length > 0)
        await boss.cancel(
          queue,
          waiting.map(({ id }) => id),
        );
    },
    errand: async (sql, errand) => {
      await boss.send(errandQueue, errand, { db: adapter(sql) });
    },
    doErrands: async (run) => {
      await boss.work<Errand>(errandQueue, { pollingIntervalSeconds: 1 }, async (taken) => {
        for (const { id, data } of taken) await run(data, id);
      });
    },
    schedule: async (sql, schedule, cron, zone) => {
      const errand: Errand = { kind: "schedule", schedule };
      await boss.schedule(errandQueue, cron, errand, { key: schedule, tz: zone, db: adapter(sql) });
    },
    unschedule: (sql, schedule) => boss.unschedule(errandQueue, schedule, { db: adapter(sql) }),
    nextAt: (cron, zone, from) => {
      requireZone(zone);
      const isPossible = hasDay(cron);
      if (isPossible === undefined) throw notCron();
      if (!isPossible) throw neverDue();
      try {
        const [next] = boss.previewSchedule(cron, { tz: zone, count: 1, ...(from && { from }) });
        if (next) return next;
      } catch (error) {
        if (!/day of month/i.test((error as Error).message)) throw notCron();
      }
      throw neverDue();
    },
    counts: async () => {
      const [counted] = await database.query(
        `SELECT count(*) FILTER (WHERE state < 'active') AS queued, count(*) FILTER (WHERE state = 'active') AS active
         FROM ${schema}.job WHERE name = $1`,
        [queue],
      );
      return { queued: Number(counted?.["queued"]), active: Number(counted?.["active"]) };
    },
    close: () => boss.stop({ graceful: false, close: false }),
  };
}

/** Creates or updates the schema of the queue; pg-boss does it under its own lock. */
export async function migrateJobs(database: PostgresDatabase): Promise<void> {
  const boss = new PgBoss({ db: adapter(database.query), schema, schedule: false, supervise: false });
  boss.on("error", () => undefined);
  await boss.start();
  const options = {
    // Each session has at most one waiting and one running job. With "exclusive", a wake-up at the very end of a job
    // is lost.
    policy: "stately" as const,
    heartbeatSeconds: leaseSeconds,
    expireInSeconds: longestSeconds,
    // A dead worker is no reason to give up a session; the next worker parks a session that kills its workers.
    retryLimit: 1_000_000,
    retryDelay: 0,
    deleteAfterSeconds: 60 * 60,
    retentionSeconds: 365 * 24 * 60 * 60,
  };
  if (await boss.getQueue(queue)) {
    const { policy: _, ...changeable } = options;
    await boss.updateQueue(queue, changeable);
  } else await boss.createQueue(queue, options);
  const errands = {
    retryLimit: 10,
    retryDelay: 30,
    retryBackoff: true,
    retryDelayMax: 4 * 60 * 60,
    expireInSeconds: 120,
  };
  if (await boss.getQueue(errandQueue)) await boss.updateQueue(errandQueue, errands);
  else await boss.createQueue(errandQueue, errands);
  await boss.stop({ graceful: false, close: false });
}

function requireZone(zone: string): void {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
  } catch {
    throw new Failure(
      "INVALID_INPUT",
      `There is no time zone ${JSON.stringify(zone)}. Examples: UTC, Europe/Berlin`,
    );
  }
}

function adapter(sql: Sql) {
  return { executeSql: async (text: string, values?: unknown[]) => ({ rows: await sql(text, values) }) };
}

function attemptOf({ id, attempt }: Job) {
  return { id, retryCount: attempt };
}

function countOf(response: unknown): number {
  return Number((response as { affected?: number }).affected ?? 0);
}

function notCron(): Failure {
  return new Failure("INVALID_INPUT", "This is not a cron line. Example: 30 6 * * 1-5");
}

function neverDue(): Failure {
  return new Failure("INVALID_INPUT", "This cron line is not due on any day of the next four years.");
}
