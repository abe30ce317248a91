// What sessions cost a worker while they wait: on it for an answer, in the database, and when they are done.
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { localPostgres } from "../../scripts/local-postgres.ts";
import { openChannel } from "../../src/cluster/channel.ts";
import { testRepository } from "../../src/cluster/cluster.suite.ts";
import { migrate } from "../../src/cluster/migrate.ts";
import { people } from "../../src/cluster/people.ts";
import { TeamSessions } from "../../src/cluster/team-sessions.ts";
import { openJobs } from "../../src/jobs/pg-boss-jobs.ts";
import { openPostgres } from "../../src/store/postgres-database.ts";
import { figuresOf, firstMessage, forked, kill } from "./processes.ts";

export interface MemoryResult {
  /** Bytes of a session that waits on its worker, of one that waits in the database, and of one that is done. */
  onWorker: number;
  parked: number;
  idle: number;
}

export async function memoryOf(sessions: number): Promise<MemoryResult> {
  const folder = mkdtempSync(join(tmpdir(), "wield-memory-"));
  const repository = testRepository();
  const data = mkdtempSync(join(tmpdir(), "wield-postgres-"));
  const server = await localPostgres(data);
  await migrate(server.url);
  const db = openPostgres(server.url);
  const jobs = await openJobs({ database: db });
  const channel = await openChannel(
    db,
    () => undefined,
    () => undefined,
  );
  const team = new TeamSessions({ database: db, jobs, channel });
  const witness = join(folder, "witness");
  writeFileSync(witness, "");
  let worker: ChildProcess | undefined;
  const startWorker = async (patience: number): Promise<ChildProcess> => {
    const args = [server.url, join(folder, "worker"), witness, "0", String(sessions + 1), String(patience)];
    const child = forked("worker-process.ts", args);
    worker = child;
    await firstMessage(child);
    return child;
  };
  const until = async (sql: string, count: number) => {
    while (Number((await db.query(sql))[0]?.["n"]) < count) await sleep(200);
  };
  try {
    const person = await people.add(db.query, "trial", "admin");
    await db.query("INSERT INTO projects (id, name, url, ref) VALUES ('p', 'trial', $1, 'main')", [
      repository.url,
    ]);
    const ask = (name: string) =>
      team.start(person, { project: "p", message: { text: `ask ${name}` }, permissions: "ask" });
    const askAll = async (name: string) => {
      for (let n = 0; n < sessions; n++) await ask(`${name}${n}`);
    };
    const each = (to: { heapBytes: number }, from: { heapBytes: number }) =>
      Math.round((to.heapBytes - from.heapBytes) / sessions);

    // The first session loads what all of them use.
    const impatient = await startWorker(0);
    await ask("first");
    await until(inState("waiting"), 1);
    const fresh = await figuresOf(impatient);
    await askAll("p");
    await until(inState("waiting"), sessions + 1);
    // Their state is written a moment before they have left the worker.
    await until(left, sessions + 1);
    const parked = each(await figuresOf(impatient), fresh);
    for (const { view } of await team.asks(person)) await team.answer(person, view.id, { approved: true });
    await until(inState("idle"), sessions + 1);
    const idle = each(await figuresOf(impatient), fresh);
    await kill(impatient);

    const patient = await startWorker(100_000);
    await ask("second");
    await until(openAsks, 1);
    const before = await figuresOf(patient);
    await askAll("w");
    await until(openAsks, sessions + 1);
    return { parked, idle, onWorker: each(await figuresOf(patient), before) };
  } finally {
    if (worker) await kill(worker);
    await channel.close();
    await jobs.close();
    await db.close();
    await server.stop("immediate");
    repository.remove();
    for (const made of [folder, data]) rmSync(made, { recursive: true, force: true });
  }
}

const left = "SELECT count(*) AS n FROM claims WHERE holder = ''";
const openAsks = "SELECT count(*) AS n FROM asks WHERE NOT closed";
const inState = (state: string) => `SELECT count(*) AS n FROM team_sessions WHERE state = '${state}'`;
