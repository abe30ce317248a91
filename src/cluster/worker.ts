import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Job, type Jobs, sessionsPerPerson } from "../jobs/jobs.ts";
import { openJobs } from "../jobs/pg-boss-jobs.ts";
import { openPostgres } from "../store/postgres-database.ts";
import { openPostgresStore } from "../store/postgres-store.ts";
import { newId } from "../text/ids.ts";
import { type Hint, openChannel } from "./channel.ts";
import { hostsFrom } from "./code-host.ts";
import { CommitIndexes } from "./commit-indexes.ts";
import { checkProject } from "./projects.ts";
import { addPullRequest, openPullRequest } from "./pull-requests.ts";
import { orderReply, reply } from "./reply.ts";
import { Repositories } from "./repositories.ts";
import { startScheduled } from "./schedules.ts";
import { keysOf } from "./secrets.ts";
import { type RunEnd, type RunParts, SessionRun } from "./session-run.ts";
import { removeLeftWorktrees } from "./session-worktree.ts";
import type { TeamLog } from "./team-log.ts";
import { TeamSessions } from "./team-sessions.ts";
import { warmUp } from "./warm-up.ts";
import { deliver, notifyWebhooks } from "./webhooks.ts";

export interface WorkerOptions {
  database: string;
  /** Where mirrors and worktrees are kept. */
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
  version: string;
  /** The most sessions that run at once. */
  places?: number;
  /** The most sessions of one person that run at once, across all workers. */
  perPerson?: number;
  /** Seconds that a session waits for a person on its worker. */
  patience?: number;
  /** Whether results are pushed as branches. */
  push?: boolean;
  log?: TeamLog;
  model?: RunParts["model"];
  wield?: RunParts["wield"];
}

export interface Worker {
  readonly id: string;
  running(): number;
  /** Takes nothing new, lets calls under way end for so many seconds, gives the sessions back and closes everything. */
  close(seconds?: number): Promise<void>;
}

const renewMs = 2000;
/** After one that failed. */
const renewAgainMs = 100;
/** A worker that hardly manages to renew what it has takes nothing more: it would lose that too. */
const busyMs = 5000;
/** Before the lease runs out, by this process's own clock: a worker that cannot renew stops before another begins. */
const aloneMs = 8000;
/** Notifications announce jobs; this poll finds jobs whose notification was lost. */
const lookMs = 500;
/** For folders of workers that were killed. */
const tidyMs = 60 * 60 * 1000;

interface Held {
  job: Job;
  run: SessionRun | undefined;
  ended: Promise<void>;
}

/** Takes sessions from the queue and works on them until it is closed. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const {
    places = 16,
    perPerson = sessionsPerPerson,
    patience = 30,
    push = true,
    log = () => undefined,
    env,
  } = options;
  const id = `${hostname()}-${process.pid}-${newId("w").slice(-4)}`;
  const database = openPostgres(options.database, { connections: 12, name: `wield worker ${id}` });
  const store = await openPostgresStore(database);
  const queue = openPostgres(options.database, { connections: 3, name: `wield worker ${id} queue` });
  // Renewals never wait behind anything else, and one that is not answered is repeated before it is too late.
  const leases = openPostgres(options.database, {
    connections: 1,
    name: `wield worker ${id} leases`,
    answerMs: 3000,
  });
  const jobs: Jobs = await openJobs({ database: queue, leases, perPerson, supervise: true });
  const held = new Map<string, Held>();
  const runOf = (session: string) => [...held.values()].find(({ run }) => run?.session === session)?.run;
  /** For sessions whose worker was lost, when all places are taken. */
  const extraPlaces = Math.ceil(places / 2);
  let closing = false;
  let woken = Promise.withResolvers<void>();
  const wake = () => {
    woken.resolve();
    woken = Promise.withResolvers();
  };
  const hear = (hint: Hint) => {
    if (hint.t === "wake") wake();
    if (hint.t === "watch") runOf(hint.session)?.watch(hint.to, hint.fresh);
    if (hint.t === "answer") void runOf(hint.session)?.answered();
    if (hint.t === "stop") void runOf(hint.session)?.stopIfTold();
  };
  const channel = await openChannel(database, hear, wake);
  const sessions = new TeamSessions({ database, jobs, channel });
  const hosts = hostsFrom(env);
  const repositories = new Repositories(options.folder, env);
  const indexes = new CommitIndexes(options.folder, repositories);
  await jobs.doErrands(async (errand, errandId) => {
    if (errand.kind === "schedule") return startScheduled({ database, sessions, jobs }, errand, errandId);
    if (errand.kind === "project") {
      const isReadable = await checkProject(database, repositories, errand.project);
      return isReadable ? sessions.beginIn(errand.project) : undefined;
    }
    if (errand.kind === "reply")
      return reply({ database, store, hosts, repositories }, errand.session, errandId);
    if (errand.kind === "pull-request")
      return addPullRequest({ database, store, hosts, repositories }, errand.session);
    // A newer version may have ordered it: a worker of that version does it.
    if (errand.kind !== "delivery") throw new Error("This worker does not know this kind of errand.");
    const secretKey = env["WIELD_SECRET_KEY"];
    return deliver({ database, store, repositories, secretKey }, errand, errandId);
  });
  const parts: RunParts = {
    ...{ store, database, channel, repositories, indexes, worker: id, env, patience, push },
    notifyWebhooks: async (sql, event, session, more) => {
      await notifyWebhooks(sql, jobs, event, session, more);
      if (event === "session.ended") await orderReply(sql, jobs, session);
    },
    openPullRequest: (session, mayGoOn) =>
      openPullRequest({ database, store, hosts, repositories }, session, mayGoOn),
    orderPullRequest: (sql, session) => jobs.errand(sql, { kind: "pull-request", session }),
    keysOf: (person) => keysOf(database.query, person, env["WIELD_SECRET_KEY"]),
    ...(options.model && { model: options.model }),
    ...(options.wield && { wield: options.wield }),
  };

  function begin(job: Job): void {
    const one: Held = { job, run: undefined, ended: Promise.resolve() };
    held.set(job.id, one);
    one.ended = work(one).finally(() => {
      held.delete(job.id);
      wake();
    });
  }

  async function work(one: Held): Promise<void> {
    let end: RunEnd = "lost";
    const { session, attempt } = one.job;
    const began = performance.now();
    log("session.taken", { worker: id, session, attempt });
    try {
      one.run = await SessionRun.claim(one.job.session, parts);
      end = await one.run.work();
    } catch {
      // The claim failed: the lease runs out, and somebody takes it again.
    }
    log("session.left", { worker: id, session, end, ms: Math.round(performance.now() - began) });
    if (end === "lost") {
      // Only if it is still this worker's; without the database the lease runs out.
      await jobs.giveBack(one.job).catch(() => undefined);
      return;
    }
    // Until the queue knows of it, the session must not be taken for one of a dead worker.
    while (!closing && held.has(one.job.id)) {
      const told = await jobs.done(one.job).then(
        () => true,
        () => false,
      );
      if (told) return;
      await sleep(500);
    }
  }

  async function takeJobs(): Promise<void> {
    while (!closing) {
      const next = woken.promise;
      const isBusy = performance.now() - renewed > busyMs;
      const free = Math.max(0, places - held.size);
      const extra = places + extraPlaces - held.size - free;
      const taken = isBusy ? [] : await jobs.take(free, extra).catch(() => []);
      if (closing) for (const job of taken) await jobs.giveBack(job).catch(() => undefined);
      else for (const job of taken) begin(job);
      if (taken.length === 0 || free <= taken.length) await Promise.race([next, sleep(lookMs)]);
    }
  }

  let renewed = performance.now();
  /** False: the database did not answer. */
  async function renew(): Promise<boolean> {
    const asked = performance.now();
    const before = [...held.values()];
    try {
      const mine = await jobs.renew(before.map(({ job }) => job));
      renewed = asked;
      for (const { job, run } of before)
        if (!mine.has(job.id)) {
          if (held.has(job.id)) log("lease.lost", { worker: id, session: job.session });
          run?.lose("Another worker continues the session, because this one did not renew its lease.");
        }
      const about = [id, hostname(), options.version, places, held.size];
      await leases.query(
        `INSERT INTO workers (id, host, version, places, running) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (id) DO UPDATE SET running = excluded.running, seen = now()`,
        about,
      );
      return true;
    } catch {
      // The check below counts from the last time that it worked.
      return false;
    }
  }
  const closed = new AbortController();
  async function keepRenewing(): Promise<void> {
    let isRenewed = true;
    for (let asked = renewed; !closed.signal.aborted; ) {
      const pause = isRenewed ? asked + renewMs - performance.now() : renewAgainMs;
      await sleep(Math.max(0, pause), undefined, { signal: closed.signal }).catch(() => undefined);
      asked = performance.now();
      isRenewed = await renew();
    }
  }
  let isAway = false;
  // A process that was suspended finds out here, before its next write would fail.
  const alone = setInterval(() => {
    const wasAway = isAway;
    isAway = performance.now() - renewed >= aloneMs;
    if (!isAway) return;
    if (!wasAway) log("database.away", { worker: id, sessions: held.size });
    for (const { run } of held.values())
      run?.lose("This worker could not reach the database and stopped itself.");
  }, 250);
  const ticks = setInterval(() => {
    for (const { run } of held.values()) void run?.tick();
  }, 1000);
  const tidy = () => removeLeftWorktrees(database.query, { repositories, env }).catch(() => undefined);
  const tidying = setInterval(() => void tidy(), tidyMs);
  await tidy();
  // Without it the first sessions are slower, no more.
  await warmUp(join(options.folder, `start-${id}`), env["PATH"]).catch(() => undefined);
  await renew();
  const renewing = keepRenewing();
  const taking = takeJobs();
  log("worker.started", { worker: id, version: options.version, places });

  return {
    id,
    running: () => held.size,
    close: async (seconds = 90) => {
      closing = true;
      wake();
      await taking;
      for (const { run } of held.values()) run?.drain();
      const all = Promise.all([...held.values()].map(({ ended }) => ended));
      await Promise.race([all, sleep(seconds * 1000, undefined, { ref: false })]);
      for (const { run } of held.values()) run?.lose("The worker is shutting down.");
      await all;
      for (const timer of [alone, ticks, tidying]) clearInterval(timer);
      closed.abort();
      await renewing;
      await database.query("DELETE FROM workers WHERE id = $1", [id]).catch(() => undefined);
      await indexes.close();
      await channel.close();
      await jobs.close();
      await leases.close();
      await queue.close();
      await store.close();
      log("worker.stopped", { worker: id });
    },
  };
}
