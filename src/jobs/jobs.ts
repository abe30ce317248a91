import type { PostgresDatabase, Sql } from "../store/postgres-database.ts";

/** One stretch of work on a session, held by one worker until it is done or its lease runs out. */
export interface Job {
  id: string;
  /** Counts how often it was taken. */
  attempt: number;
  session: string;
}

export interface WakeOptions {
  /** Whose limit counts. */
  person: string;
  /** Higher comes first. */
  priority?: number;
}

/** Something short that any worker does once, and again when it fails. */
export type Errand =
  /** A session of this schedule is due; `now`: somebody wants it besides its times. */
  | { kind: "schedule"; schedule: string; now?: boolean }
  /** What a session answered is written where its task came from. */
  | { kind: "reply"; session: string }
  /** A session's changes become a pull request: what failed at the end of its run. */
  | { kind: "pull-request"; session: string }
  /** A worker looks whether it can read a project's repository. */
  | { kind: "project"; project: string }
  /** Another service hears of something. */
  | { kind: "delivery"; webhook: string; event: string; body: string };

/**
 * Which sessions have work to do, and which worker has which. A session that is woken while a worker has it is taken again
 * afterwards; woken twice while it waits, it is taken once. A worker that does not renew for ten seconds loses what it holds.
 */
export interface Jobs {
  /** In the transaction of what there is to do: both happen or neither. */
  wake(sql: Sql, session: string, options: WakeOptions): Promise<void>;
  /**
   * At most so many, none of a person who has as many as they may already. Those that a worker lost or gave back come first, and
   * `extra` more of these: they must not wait until somebody has a free place.
   */
  take(places: number, extra?: number): Promise<Job[]>;
  /** The ids of those that are still held. */
  renew(jobs: readonly Job[]): Promise<ReadonlySet<string>>;
  /** False when it was no longer held. */
  done(job: Job): Promise<boolean>;
  /** Lets another worker take it at once. */
  giveBack(job: Job): Promise<void>;
  /** Takes the waiting job of a session out of the queue. */
  cancel(session: string): Promise<void>;
  /** Runs in the transaction that causes the job. */
  errand(sql: Sql, errand: Errand): Promise<void>;
  /** Errands come to `run` from now on. One that rejects is tried again later, ten times in half a day. */
  doErrands(run: (errand: Errand, id: string) => Promise<void>): Promise<void>;
  /** Makes a schedule's errand at the times of a cron line, replacing what the schedule had. */
  schedule(sql: Sql, schedule: string, cron: string, zone: string): Promise<void>;
  unschedule(sql: Sql, schedule: string): Promise<void>;
  /** When a cron line is due next, after now or `from`; rejects a line or a time zone that means nothing. */
  nextAt(cron: string, zone: string, from?: Date): Date;
  counts(): Promise<{ queued: number; active: number }>;
  close(): Promise<void>;
}

/** The most sessions of one person that run at once, unless a worker is told otherwise. */
export const sessionsPerPerson = 4;

export interface JobsOptions {
  database: PostgresDatabase;
  /** Connections for renewals alone: these must not wait behind anything. */
  leases?: PostgresDatabase;
  /** Default: `sessionsPerPerson`. */
  perPerson?: number;
  /** Whether this process also ends leases that ran out; workers do. */
  supervise?: boolean;
}
