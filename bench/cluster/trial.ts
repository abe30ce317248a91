// The trial of several machines: real Postgres, workers and web processes that are killed, stopped, cut off and have wrong clocks,
// while sessions with real tools and a scripted model run. What each session leaves is compared with a run without faults.
import { type ChildProcess, fork } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type LocalPostgres, localPostgres } from "../../scripts/local-postgres.ts";
import type { LogData } from "../../src/agent/log.ts";
import type { SessionView } from "../../src/api/sessions.ts";
import { testRepository } from "../../src/cluster/cluster.suite.ts";
import { migrate } from "../../src/cluster/migrate.ts";
import { people } from "../../src/cluster/people.ts";
import { openPostgres, type PostgresDatabase } from "../../src/store/postgres-database.ts";
import { openPostgresStore } from "../../src/store/postgres-store.ts";
import type { Store } from "../../src/store/store.ts";
import { seededRandom } from "../../src/testing/faulty-store.ts";
import { Link } from "./link.ts";
import { eventsIn, LastText } from "./reader.ts";

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
  /** Faults in their order, one after the other while sessions run; each waits until work goes on before it. */
  faults: readonly Fault[];
  /** Seconds between two faults. */
  pause: number;
  /** Workers with a clock an hour ahead, and one behind. */
  clocks: boolean;
  /** What the sessions left in a run without faults. */
  without?: Readonly<Record<string, Leaving>>;
  say(line: string): void;
}

/** What is left of a session: what happened in its log, what it cost, how it ended, and all files of its branch. */
export interface Leaving {
  log: string[];
  tokens: number;
  end: string;
  tree: string;
}

export type Fault =
  | "kill worker"
  | "stop worker"
  | "cut worker off"
  | "kill web"
  | "crash Postgres"
  | "stop Postgres";

export interface TrialResult {
  seconds: number;
  calls: number;
  /** Calls outside the files that happened more than once, or are told to have happened and did not. */
  repeated: string[];
  lost: string[];
  /** Calls that were told as unknown: they had begun on a worker that died. */
  unknown: number;
  /** Sessions whose files, log or cost are not those of a run without faults. */
  different: string[];
  /** Readers whose last text is not that of the log. */
  readersBehind: string[];
  /** Seconds from the end of a worker to the next claim, and to the next entry of the log. */
  claimed: number[];
  stepped: number[];
  /** Takeovers that another fault hit before their first step: their steps are not in `stepped`. */
  disturbed: number;
  /** Seconds from the moment at which Postgres was there again until some session went on. */
  afterPostgres: number[];
  /** Of all sessions: what the database grew by. */
  databaseBytes: number;
  entries: number;
  /** Live events that readers received. */
  events: number;
  /** Seconds of processor time of the workers that were there at the end. */
  workerSeconds: number;
  leavings: Record<string, Leaving>;
}

interface WorkerProcess {
  child: ChildProcess;
  id: string;
  clock: string | undefined;
  proxy: Link;
  folder: string;
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
  const trial = new Trial(options, { folder, witness, server, db, store });
  try {
    const person = await people.add(db.query, "trial", "admin");
    trial.token = await people.newToken(db.query, person.id);
    await db.query("INSERT INTO projects (id, name, url, ref) VALUES ('p', 'trial', $1, 'main')", [
      repository.url,
    ]);
    return await trial.run(repository.git);
  } finally {
    await trial.close();
    await store.close();
    await server.stop("immediate");
    repository.remove();
    for (const made of [folder, data]) rmSync(made, { recursive: true, force: true });
  }
}

class Trial {
  token = "";
  readonly #workers: WorkerProcess[] = [];
  readonly #webs: { child: ChildProcess; origin: string }[] = [];
  readonly #random = seededRandom(Number(process.env["WIELD_TEST_SEED"]) || 7);
  readonly #claimed: number[] = [];
  readonly #stepped: number[] = [];
  #disturbed = 0;
  readonly #afterPostgres: number[] = [];
  readonly #watching: Promise<void>[] = [];
  readonly #o: TrialOptions;
  #over = false;
  #events = 0;
  #emptyBytes = 0;

  readonly folder: string;
  readonly witness: string;
  readonly server: LocalPostgres;
  readonly db: PostgresDatabase;
  readonly store: Store;

  constructor(
    options: TrialOptions,
    parts: { folder: string; witness: string; server: LocalPostgres; db: PostgresDatabase; store: Store },
  ) {
    this.#o = options;
    this.folder = parts.folder;
    this.witness = parts.witness;
    this.server = parts.server;
    this.db = parts.db;
    this.store = parts.store;
  }

  async run(git: (...args: string[]) => string): Promise<TrialResult> {
    const { sessions: count, readers, faults, pause, say } = this.#o;
    for (let n = 0; n < this.#o.workers; n++) this.#workers.push(await this.#startWorker(n));
    for (let n = 0; n < this.#o.webs; n++) this.#webs.push(await this.#startWeb());
    const [empty] = await this.db.query("SELECT pg_database_size(current_database()) AS n");
    this.#emptyBytes = Number(empty?.["n"]);
    const began = performance.now();
    const sessions = new Map<string, string>();
    for (let n = 0; n < count; n++) sessions.set(await this.#start(`work s${n} ${this.#o.rounds}`), `s${n}`);
    const read = [...sessions.keys()].slice(0, readers).map((id) => this.#read(id));
    say(`${count} sessions started`);
    const faulting = (async () => {
      for (const fault of faults) {
        await sleep(pause * 1000 * (0.5 + this.#random()));
        if (this.#over || (await this.#left()) === 0) return say(`no session left for: ${fault}`);
        say(`${fault} (${await this.#left()} sessions left)`);
        await this.#do(fault);
      }
    })();
    // While the database is away, the number is not known.
    while ((await this.#left()) !== 0) await sleep(500);
    this.#over = true;
    await faulting;
    await Promise.all(this.#watching);
    const seconds = (performance.now() - began) / 1000;
    const texts = await Promise.all(read);
    return { seconds, ...(await this.#judge(sessions, texts, git)) };
  }

  /** Against what each session left without faults; where that was not run, against what the script makes of it. */
  async #judge(
    sessions: ReadonlyMap<string, string>,
    texts: readonly { id: string; text: string }[],
    git: (...args: string[]) => string,
  ): Promise<Omit<TrialResult, "seconds">> {
    const { rounds } = this.#o;
    const rung = readFileSync(this.witness, "utf8").split("\n").filter(Boolean);
    const times = Map.groupBy(rung, (line) => line);
    const repeated = [...times].filter(([, all]) => all.length > 1).map(([line]) => line);
    const lost: string[] = [];
    const different: string[] = [];
    const leavings: Record<string, Leaving> = {};
    let unknown = 0;
    let calls = 0;
    let entries = 0;
    for (const [id, name] of sessions) {
      const log = (await this.store.entries(id)).map(({ data }) => data as LogData);
      entries += log.length;
      const steps = log.filter((entry) => entry.kind === "step");
      const results = log.flatMap((entry) => (entry.kind === "results" ? entry.results : []));
      calls += results.length;
      const rings = results.filter(({ tool }) => tool === "ring");
      for (const [round, { ok, text }] of rings.entries()) {
        const isUnknown = text.includes("Wield ended while this call ran");
        if (isUnknown) unknown++;
        else if (!ok || !times.has(`${name} ${round}`)) lost.push(`${name} ${round}: ${text}`);
      }
      const tokens = steps.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0);
      const end = log.at(-1);
      leavings[name] = {
        log: log.flatMap(happenedIn),
        tokens,
        end: end?.kind === "end" ? end.stop : "none",
        tree: treeOf(git, id),
      };
      const differences = differencesOf(
        leavings[name],
        this.#o.without?.[name] ?? scripted(name, rounds, leavings[name]),
      );
      if (differences.length > 0) different.push(`${name}: ${differences.join("; ")}`);
    }
    const [size] = await this.db.query("SELECT pg_database_size(current_database()) AS n");
    return {
      ...{ calls, repeated, lost, unknown, different, entries, leavings },
      readersBehind: texts.flatMap(({ id, text }) => {
        const name = sessions.get(id);
        return text === `finished ${name}` ? [] : [`${name}: ${JSON.stringify(text)}`];
      }),
      ...{
        claimed: this.#claimed,
        stepped: this.#stepped,
        disturbed: this.#disturbed,
        afterPostgres: this.#afterPostgres,
      },
      databaseBytes: Number(size?.["n"]) - this.#emptyBytes,
      events: this.#events,
      workerSeconds: (await Promise.all(this.#workers.map(({ child }) => figuresOf(child)))).reduce(
        (sum, { cpuSeconds }) => sum + cpuSeconds,
        0,
      ),
    };
  }

  async #left(): Promise<number> {
    const rows = await this.db
      .query("SELECT count(*) AS n FROM team_sessions WHERE state <> 'idle'")
      .catch(() => undefined);
    return rows ? Number(rows[0]?.["n"]) : Number.NaN;
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
      authorization: `Bearer ${this.token}`,
      "content-type": "application/json",
      ...init.headers,
    };
    return fetch(`${web?.origin}${path}`, { ...init, headers });
  }

  /** Like a page: the session as it is, then its events; again after a doubt or a lost connection. The text of the last message. */
  async #read(id: string): Promise<{ id: string; text: string }> {
    for (;;) {
      const leave = new AbortController();
      try {
        const answer = await this.#fetch(`/api/sessions/${id}`, { signal: leave.signal });
        if (answer.status !== 200) throw new Error(`status ${answer.status}`);
        const view = (await answer.json()) as SessionView;
        const text = view.messages.at(-1)?.parts.findLast((part) => part.type === "text")?.text ?? "";
        if (!view.session.running && view.messages.length > 1) return { id, text };
        const last = new LastText();
        for (const chunk of view.chunks ?? []) last.take(chunk);
        const stream = await this.#fetch(`/api/events?session=${id}`, {
          signal: AbortSignal.any([leave.signal, AbortSignal.timeout(30_000)]),
          headers: { "last-event-id": view.cursor },
        });
        for await (const event of eventsIn(stream)) {
          this.#events++;
          if (event.type === "resync") break;
          if (event.type === "chunk" && last.take(event.chunk)) return { id, text: last.text };
        }
      } catch {
        await sleep(200);
      } finally {
        leave.abort();
      }
    }
  }

  async #do(fault: Fault): Promise<void> {
    const at = Math.floor(this.#random() * this.#workers.length);
    const worker = this.#workers[at];
    switch (fault) {
      case "kill worker": {
        // One that has something to lose; on a slow machine that takes a while.
        let all: { session: string; epoch: number; entries: number }[][] = [];
        let busy: number[] = [];
        for (
          const end = performance.now() + 60_000;
          busy.length === 0 && performance.now() < end;
          await sleep(100)
        ) {
          all = await Promise.all(this.#workers.map(({ id }) => this.#heldBy(id)));
          busy = all.flatMap((held, place) => (held.length > 0 ? [place] : []));
          if ((await this.#left()) === 0) return;
        }
        const chosen = busy[Math.floor(this.#random() * busy.length)] ?? at;
        const killed = this.#workers[chosen];
        if (!killed) return;
        await kill(killed.child);
        this.#watchTakeover(all[chosen] ?? []);
        this.#workers[chosen] = await this.#startWorker(chosen, killed.clock);
        return;
      }
      case "stop worker": {
        worker?.child.kill("SIGSTOP");
        await sleep(13_000 + this.#random() * 7000);
        worker?.child.kill("SIGCONT");
        return;
      }
      case "cut worker off": {
        worker?.proxy.cut(true);
        await sleep(15_000);
        worker?.proxy.cut(false);
        return;
      }
      case "kill web": {
        const place = Math.floor(this.#random() * this.#webs.length);
        const web = this.#webs[place];
        if (web) await kill(web.child);
        this.#webs[place] = await this.#startWeb();
        return;
      }
      case "crash Postgres":
      case "stop Postgres": {
        await this.server.stop(fault === "crash Postgres" ? "immediate" : "fast");
        if (fault === "stop Postgres") await sleep(20_000);
        await this.server.start();
        const since = performance.now();
        const before = await this.#entries();
        while ((await this.#entries()) === before && performance.now() - since < 60_000) await sleep(100);
        this.#afterPostgres.push((performance.now() - since) / 1000);
      }
    }
  }

  async #entries(): Promise<number> {
    const rows = await this.db.query("SELECT count(*) AS n FROM entries").catch(() => []);
    return Number(rows[0]?.["n"] ?? -1);
  }

  async #heldBy(worker: string): Promise<{ session: string; epoch: number; entries: number }[]> {
    const rows = await this.db
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

  #watchTakeover(held: readonly { session: string; epoch: number; entries: number }[]): void {
    const since = performance.now();
    const passed = () => (performance.now() - since) / 1000;
    for (const { session, epoch, entries } of held)
      this.#watching.push(
        (async () => {
          let claimed: number | undefined;
          for (; passed() < 120; await sleep(100)) {
            const [row] = await this.db
              .query(
                "SELECT c.epoch, (SELECT count(*) FROM entries WHERE session = $1) AS entries FROM claims c WHERE session = $1",
                [session],
              )
              .catch(() => []);
            if (!row) continue;
            // It was let go of between the look and the kill.
            const now = Number(row["epoch"]);
            if (claimed === undefined && now === epoch + 1 && passed() < 3) return;
            if (claimed === undefined && now > epoch) {
              claimed = now;
              this.#claimed.push(passed());
            }
            if (claimed !== undefined && now > claimed) {
              // The worker that took it over met a fault itself: that takeover is watched by its own fault.
              this.#disturbed++;
              return;
            }
            if (Number(row["entries"]) > entries) {
              this.#stepped.push(passed());
              return;
            }
          }
          this.#stepped.push(passed());
        })(),
      );
  }

  async #startWorker(at: number, given?: string): Promise<WorkerProcess> {
    const clock = given ?? (this.#o.clocks ? [undefined, "+1h", "-1h", undefined][at % 4] : undefined);
    const proxy = await Link.open(Number(new URL(this.server.url).port));
    // The mirror stays where the machine does.
    const folder = join(this.folder, `worker-${at}`);
    mkdirSync(folder, { recursive: true });
    const url = new URL(this.server.url);
    url.port = String(proxy.port);
    const faketime = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
    const env =
      clock && existsSync(faketime)
        ? { LD_PRELOAD: faketime, FAKETIME: clock, DONT_FAKE_MONOTONIC: "1" }
        : {};
    const args = [url.href, folder, this.witness, String(this.#o.stepMs), String(this.#o.places)];
    const child = fork(join(import.meta.dirname, "worker-process.ts"), args, {
      execArgv: ["--expose-gc"],
      env: { ...process.env, ...env },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const id = await new Promise<string>((resolve, reject) => {
      child.once("message", (message: { id: string }) => resolve(message.id));
      child.once("exit", (code) => reject(new Error(`The worker ended with ${code}.`)));
    }).catch(async () => {
      // The database may be away just now.
      await sleep(1000);
      return undefined;
    });
    return id === undefined ? this.#startWorker(at, clock) : { child, id, clock, proxy, folder };
  }

  async #startWeb(): Promise<{ child: ChildProcess; origin: string }> {
    const child = fork(join(import.meta.dirname, "web-process.ts"), [this.server.url], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const origin = await new Promise<string | undefined>((resolve) => {
      child.once("message", (message: { origin: string }) => resolve(message.origin));
      child.once("exit", () => resolve(undefined));
    });
    if (origin !== undefined) return { child, origin };
    await sleep(1000);
    return this.#startWeb();
  }

  async close(): Promise<void> {
    for (const { child, proxy } of this.#workers) {
      await kill(child);
      proxy.close();
    }
    for (const { child } of this.#webs) await kill(child);
  }
}

/** The same for every run: no ids, no times, and whether a call outside the files was told as unknown does not count. */
function happenedIn(entry: LogData): string[] {
  if (entry.kind === "step")
    return [`step ${entry.calls.map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`).join(", ")}`];
  if (entry.kind === "results")
    return [`results ${entry.results.map(({ tool, ok }) => `${tool} ${tool === "ring" || ok}`).join(", ")}`];
  return entry.kind === "user" || entry.kind === "notice" ? [] : [entry.kind];
}

/** What is known of a session before it was ever run: the kinds of its log, and its cost. */
function scripted(name: string, rounds: number, found: Leaving): Leaving {
  const steps = rounds * 2 + 1;
  const isRight =
    found.tree !== "" && found.log.length === steps * 2 && found.log.some((line) => line.includes(name));
  return {
    log: isRight ? found.log : ["something else"],
    tokens: steps * 110,
    end: "done",
    tree: found.tree || "a tree",
  };
}

function differencesOf(found: Leaving, expected: Leaving): string[] {
  return [
    ...(found.log.join("\n") === expected.log.join("\n") ? [] : [`log ${found.log.join("; ")}`]),
    ...(found.tokens === expected.tokens ? [] : [`cost ${found.tokens} instead of ${expected.tokens}`]),
    ...(found.end === expected.end ? [] : [`end ${found.end}`]),
    ...(found.tree === expected.tree ? [] : ["files"]),
  ];
}

export interface ProcessFigures {
  heapBytes: number;
  cpuSeconds: number;
}

/** After a garbage collection there. */
export async function figuresOf(child: ChildProcess): Promise<ProcessFigures> {
  const answer = new Promise<ProcessFigures>((resolve) => child.once("message", resolve));
  child.send("figures");
  return answer;
}

/** Everything in the branch of a session, as one name; empty: it has none. */
function treeOf(git: (...args: string[]) => string, session: string): string {
  try {
    return git("rev-parse", "--verify", `wield/${session}^{tree}`).trim();
  } catch {
    return "";
  }
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
