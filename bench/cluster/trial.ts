// The trial of several machines: real Postgres, workers and web processes that are killed, stopped, cut off and have wrong clocks,
// while sessions with real tools and a scripted model run. What each session leaves is compared with a run without faults.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type LocalPostgres, localPostgres } from "../../scripts/local-postgres.ts";
import { testRepository } from "../../src/cluster/cluster.suite.ts";
import { migrate } from "../../src/cluster/migrate.ts";
import { people } from "../../src/cluster/people.ts";
import { tokens } from "../../src/cluster/tokens.ts";
import { openPostgres, type PostgresDatabase } from "../../src/store/postgres-database.ts";
import { openPostgresStore } from "../../src/store/postgres-store.ts";
import type { Store } from "../../src/store/store.ts";
import { seededRandom } from "../../src/testing/faulty-store.ts";
import { type Judgement, judge } from "./judge.ts";
import type { Leaving } from "./leavings.ts";
import {
  figuresOf,
  kill,
  startWebProcess,
  startWorkerProcess,
  type WebProcess,
  type WorkerProcess,
} from "./processes.ts";
import { type Reader, readSession } from "./reader.ts";
import { type HeldSession, heldBy, Takeovers } from "./takeovers.ts";

export interface TrialOptions {
  sessions: number;
  /** Rounds of each session: two steps of the model and three calls. */
  rounds: number;
  workers: number;
  webs: number;
  places: number;
  stepMs: number;
  /** Sessions that a page follows from begin to end. */
  readers: number;
  /** Faults in their order, one after the other, spread over the work: each waits until its share of it is done. */
  faults: readonly Fault[];
  /** Seconds between two faults, at least about so many. */
  pause: number;
  /** Workers with a clock an hour ahead, and one behind. */
  clocks: boolean;
  /** A checkout of another version: every second process is of that one. */
  otherVersion?: string;
  /** What the sessions left in a run without faults. */
  without?: Readonly<Record<string, Leaving>>;
  say(line: string): void;
}

export type Fault =
  | "kill worker"
  | "stop worker"
  | "cut worker off"
  | "kill web"
  | "crash Postgres"
  | "stop Postgres";

export interface TrialResult extends Judgement {
  seconds: number;
  /** Readers whose last text is not that of the log. */
  readersBehind: string[];
  /** Seconds from the end of a worker to the next claim, and to the next entry of the log. */
  claimed: number[];
  stepped: number[];
  /** Takeovers that another fault hit before their first step: their steps are not in `stepped`. */
  disturbed: number;
  /** Takeovers, claimed, in which the database was stopped for longer than some seconds; not in `claimed`. */
  withoutDatabase: number[];
  /** Seconds from the moment at which Postgres was there again until some session went on. */
  afterPostgres: number[];
  /** Of all sessions: what the database grew by. */
  databaseBytes: number;
  /** Live events that readers received. */
  events: number;
  /** Seconds of processor time of the workers that were there at the end. */
  workerSeconds: number;
}

interface TrialParts {
  folder: string;
  witness: string;
  server: LocalPostgres;
  db: PostgresDatabase;
  store: Store;
  token: string;
}

export async function clusterTrial(options: TrialOptions): Promise<TrialResult> {
  const folder = mkdtempSync(join(tmpdir(), "wield-trial-"));
  const repository = testRepository();
  const data = mkdtempSync(join(tmpdir(), "wield-postgres-"));
  const server = await localPostgres(data, { durable: true });
  const witness = join(folder, "witness");
  writeFileSync(witness, "");
  await migrate(server.url);
  const db = openPostgres(server.url, { connections: 6, name: "trial" });
  const store = await openPostgresStore(db);
  const person = await people.add(db.query, "trial", "admin");
  const token = await tokens.add(db.query, person.id);
  await db.query("INSERT INTO projects (id, name, url, ref) VALUES ('p', 'trial', $1, 'main')", [
    repository.url,
  ]);
  const trial = new Trial(options, { folder, witness, server, db, store, token });
  try {
    return await trial.run(repository.git);
  } finally {
    await trial.close();
    await store.close();
    await server.stop("immediate");
    repository.remove();
    for (const made of [folder, data]) rmSync(made, { recursive: true, force: true });
  }
}

/** Entries of the log of a session with so many rounds: what was said, steps with their results, and the end. */
const entriesOf = (rounds: number) => 4 * rounds + 3;
const progressMs = 15_000;

class Trial {
  readonly #o: TrialOptions;
  readonly #parts: TrialParts;
  readonly #workers: WorkerProcess[] = [];
  readonly #webs: WebProcess[] = [];
  readonly #random = seededRandom(Number(process.env["WIELD_TEST_SEED"]) || 7);
  readonly #takeovers: Takeovers;
  readonly #afterPostgres: number[] = [];
  #over = false;
  #began = 0;

  constructor(options: TrialOptions, parts: TrialParts) {
    this.#o = options;
    this.#parts = parts;
    this.#takeovers = new Takeovers(parts.db);
  }

  async run(git: (...args: string[]) => string): Promise<TrialResult> {
    const { sessions: count, rounds, readers, without } = this.#o;
    const { store, witness } = this.#parts;
    for (let n = 0; n < this.#o.workers; n++) this.#workers.push(await this.#startWorker(n));
    for (let n = 0; n < this.#o.webs; n++) this.#webs.push(await this.#startWeb(n));
    const emptyBytes = await this.#databaseBytes();
    this.#began = performance.now();
    const sessions = new Map<string, string>();
    for (let n = 0; n < count; n++) sessions.set(await this.#start(`work s${n} ${rounds}`), `s${n}`);
    const reading: Reader = { fetch: (path, init) => this.#fetch(path, init), events: 0 };
    const read = [...sessions.keys()]
      .slice(0, readers)
      .map(async (id) => ({ id, text: await readSession(reading, id) }));
    this.#say(`${count} sessions started`);
    const progress = setInterval(() => void this.#tellProgress(), progressMs);
    const faulting = this.#doFaults();
    // While the database is away, the number is not known.
    while ((await this.#left()) !== 0) await sleep(500);
    this.#over = true;
    clearInterval(progress);
    await faulting;
    await this.#takeovers.ended();
    const seconds = (performance.now() - this.#began) / 1000;
    const texts = await Promise.all(read);
    const figures = await Promise.all(this.#workers.map(({ child }) => figuresOf(child)));
    const { claimed, stepped, disturbed, withoutDatabase } = this.#takeovers;
    return {
      ...(await judge({ sessions, rounds, store, witness, git, without })),
      ...{ seconds, claimed, stepped, disturbed, withoutDatabase, afterPostgres: this.#afterPostgres },
      readersBehind: texts.flatMap(({ id, text }) => {
        const name = sessions.get(id);
        return text === `finished ${name}` ? [] : [`${name}: ${JSON.stringify(text)}`];
      }),
      databaseBytes: (await this.#databaseBytes()) - emptyBytes,
      events: reading.events,
      workerSeconds: figures.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    };
  }

  async #doFaults(): Promise<void> {
    const { faults, pause, sessions, rounds } = this.#o;
    const all = sessions * entriesOf(rounds);
    for (const [place, fault] of faults.entries()) {
      await sleep(pause * 1000 * (0.5 + this.#random()));
      while (!this.#over && (await this.#entries()) < (all * place) / (faults.length + 1)) await sleep(200);
      if (this.#over) return this.#say(`no session left for: ${fault}`);
      this.#say(`${fault} (${await this.#left()} sessions left)`);
      await this.#do(fault);
    }
  }

  async #tellProgress(): Promise<void> {
    const rows = await this.#parts.db
      .query("SELECT state, count(*) AS n FROM team_sessions GROUP BY state ORDER BY state")
      .catch(() => undefined);
    const states = rows?.map(({ state, n }) => `${n} ${state}`).join(", ") ?? "the database is away";
    this.#say(`${states}; ${await this.#entries()} log entries`);
  }

  #say(line: string): void {
    this.#o.say(`${((performance.now() - this.#began) / 1000).toFixed(0).padStart(4)} s  ${line}`);
  }

  /** Sessions that are still to be done. One that was given up waits with a note; it is judged as it is. */
  async #left(): Promise<number> {
    const left = "SELECT count(*) AS n FROM team_sessions WHERE state <> 'idle' AND note IS NULL";
    const rows = await this.#parts.db.query(left).catch(() => undefined);
    return rows ? Number(rows[0]?.["n"]) : Number.NaN;
  }

  async #databaseBytes(): Promise<number> {
    const [size] = await this.#parts.db.query("SELECT pg_database_size(current_database()) AS n");
    return Number(size?.["n"]);
  }

  async #start(text: string): Promise<string> {
    for (;;) {
      const answer = await this.#fetch("/api/sessions", {
        method: "POST",
        body: JSON.stringify({ text }),
      }).catch(() => undefined);
      if (answer?.status === 201) return ((await answer.json()) as { session: string }).session;
      await sleep(200);
    }
  }

  #fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const web = this.#webs[Math.floor(this.#random() * this.#webs.length)];
    const headers = {
      authorization: `Bearer ${this.#parts.token}`,
      "content-type": "application/json",
      ...init.headers,
    };
    return fetch(`${web?.origin}${path}`, { ...init, headers });
  }

  async #do(fault: Fault): Promise<void> {
    const { server } = this.#parts;
    const worker = this.#workers[this.#anyOf(this.#workers)];
    switch (fault) {
      case "kill worker": {
        const chosen = await this.#stopBusyWorker();
        if (!chosen) return;
        const { place, held } = chosen;
        const killed = this.#workers[place];
        if (!killed) return;
        await kill(killed.child);
        this.#takeovers.watch(held);
        killed.link.close();
        this.#workers[place] = await this.#startWorker(place);
        return;
      }
      case "stop worker": {
        worker?.child.kill("SIGSTOP");
        await sleep(13_000 + this.#random() * 7000);
        worker?.child.kill("SIGCONT");
        return;
      }
      case "cut worker off": {
        worker?.link.cut(true);
        await sleep(15_000);
        worker?.link.cut(false);
        return;
      }
      case "kill web": {
        const place = this.#anyOf(this.#webs);
        const web = this.#webs[place];
        if (web) await kill(web.child);
        this.#webs[place] = await this.#startWeb(place);
        return;
      }
      case "crash Postgres":
      case "stop Postgres": {
        await server.stop(fault === "crash Postgres" ? "immediate" : "fast");
        if (fault === "stop Postgres") await sleep(20_000);
        await server.start();
        const since = performance.now();
        const before = await this.#entries();
        while ((await this.#entries()) === before && performance.now() - since < 60_000) await sleep(100);
        this.#afterPostgres.push((performance.now() - since) / 1000);
      }
    }
  }

  /** One that has something to lose; on a slow machine that takes a while. It is stopped first, so that it cannot end what it holds. */
  async #stopBusyWorker(): Promise<{ place: number; held: HeldSession[] } | undefined> {
    const first = this.#anyOf(this.#workers);
    for (const end = performance.now() + 60_000; !this.#over && performance.now() < end; await sleep(100)) {
      for (let n = 0; n < this.#workers.length; n++) {
        const place = (first + n) % this.#workers.length;
        const worker = this.#workers[place];
        if (!worker) continue;
        worker.child.kill("SIGSTOP");
        const held = await heldBy(this.#parts.db, worker.id);
        if (held.length > 0) return { place, held };
        worker.child.kill("SIGCONT");
      }
    }
    return undefined;
  }

  #anyOf(all: readonly unknown[]): number {
    return Math.floor(this.#random() * all.length);
  }

  async #entries(): Promise<number> {
    const rows = await this.#parts.db.query("SELECT count(*) AS n FROM entries").catch(() => []);
    return Number(rows[0]?.["n"] ?? -1);
  }

  #startWorker(at: number): Promise<WorkerProcess> {
    const { server, witness, folder } = this.#parts;
    const { stepMs, places, clocks } = this.#o;
    return startWorkerProcess({
      ...{ database: server.url, witness, stepMs, places, folder: join(folder, `worker-${at}`) },
      clock: clocks ? [undefined, "+1h", "-1h", undefined][at % 4] : undefined,
      version: this.#versionOf(at),
    });
  }

  #startWeb(at: number): Promise<WebProcess> {
    return startWebProcess(this.#parts.server.url, this.#versionOf(at));
  }

  #versionOf(at: number): string | undefined {
    return at % 2 === 1 ? this.#o.otherVersion : undefined;
  }

  async close(): Promise<void> {
    for (const { child, link } of this.#workers) {
      await kill(child);
      link.close();
    }
    for (const { child } of this.#webs) await kill(child);
  }
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
