import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { APICallError } from "@ai-sdk/provider";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Link } from "../../bench/cluster/link.ts";
import type { LogData } from "../agent/log.ts";
import { openJobs } from "../jobs/pg-boss-jobs.ts";
import { chooseModel } from "../model/model.ts";
import type { Price } from "../model/prices.ts";
import { listen } from "../server/http-server.ts";
import { hasPostgres, type TestDatabase, testDatabase } from "../store/postgres.suite.ts";
import { openPostgres, type PostgresDatabase } from "../store/postgres-database.ts";
import { openPostgresStore } from "../store/postgres-store.ts";
import type { Store } from "../store/store.ts";
import { ringTool } from "../testing/ring-tool.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { type Hint, openChannel } from "./channel.ts";
import { addressSpellings, scriptFor, testRepository } from "./cluster.suite.ts";
import { fakeCodeHost } from "./code-host.suite.ts";
import { hostsFrom } from "./code-host.ts";
import { migrate } from "./migrate.ts";
import { inTeamWords, withKeyWords } from "./model-words.ts";
import { type Person, people } from "./people.ts";
import { pacedModel } from "./provider-waits.ts";
import { openPullRequest } from "./pull-requests.ts";
import { Repositories } from "./repositories.ts";
import { seal } from "./sealing.ts";
import { SessionWorktree } from "./session-worktree.ts";
import { patchOf, team } from "./team.ts";
import { TeamSessions } from "./team-sessions.ts";
import { startWorker, type Worker } from "./worker.ts";

const author = { name: "Ann", email: "ann@noreply.invalid" };
const announce = async () => undefined;

describe.skipIf(!hasPostgres)("workers", () => {
  const repository = testRepository();
  const witness = join(repository.folder, "witness");
  const workers: Worker[] = [];
  let database: TestDatabase;
  let db: PostgresDatabase;
  let store: Store;
  let sessions: TeamSessions;
  let ann: Person;
  let ben: Person;
  let closeRest = async () => {};

  beforeAll(async () => {
    database = await testDatabase();
    await migrate(database.url);
    // Again, it changes nothing.
    expect((await migrate(database.url)).added).toEqual([]);
    db = openPostgres(database.url);
    store = await openPostgresStore(db);
    const jobs = await openJobs({ database: db });
    const channel = await openChannel(
      db,
      () => undefined,
      () => undefined,
    );
    sessions = new TeamSessions({ database: db, jobs, channel });
    ann = await people.add(db.query, "ann", "member");
    ben = await people.add(db.query, "ben", "member");
    await db.query("INSERT INTO projects (id, name, url, ref) VALUES ('p', 'example', $1, 'main')", [
      repository.url,
    ]);
    closeRest = async () => {
      await channel.close();
      await jobs.close();
      await store.close();
    };
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.close(0);
  });
  afterAll(async () => {
    await closeRest();
    await database.close();
    repository.remove();
  });

  const start = async (
    more: {
      patience?: number;
      mode?: "edits" | "ask";
      prices?: Record<string, Price>;
      env?: Record<string, string>;
      isScripted?: boolean;
    } = {},
  ) => {
    const { patience = 30, mode = "edits", prices = {}, env = {}, isScripted = true } = more;
    const worker = await startWorker({
      ...{
        database: database.url,
        folder: join(repository.folder, `worker${workers.length}`),
        version: "test",
      },
      env: { HOME: join(repository.folder, "home"), PATH: process.env["PATH"], ...env },
      ...(isScripted && { model: scriptedModel(({ prompt }) => scriptFor(prompt)) }),
      wield: { customTools: [ringTool(witness) as never], mode, settings: { prices } },
      patience,
    });
    workers.push(worker);
    return worker;
  };
  const until = async <T>(look: () => Promise<T | undefined | false>): Promise<T> => {
    for (const end = Date.now() + 170_000; Date.now() < end; await sleep(50)) {
      const found = await look();
      if (found) return found;
    }
    throw new Error("This did not happen in time.");
  };
  const idle = (id: string) =>
    until(async () => {
      const row = await team.session(db.query, id);
      return row?.state === "idle" && row;
    });
  const kindsOf = async (id: string) => (await store.entries(id)).map(({ data }) => (data as LogData).kind);

  test("a session is worked on, its result is pushed as a branch and kept as a patch", async () => {
    await start();
    const id = await sessions.start(ann, { project: "p", message: { text: "work one 2" } });
    const row = await idle(id);
    expect(row.branch).toBe(`wield/${id}`);
    expect(repository.git("show", `wield/${id}:count.txt`)).toBe("one 1\n");
    expect(repository.git("show", `wield/${id}:one-0.txt`)).toBe("one 0\n");
    expect(String(await patchOf(db.query, id))).toContain("+one 1");
    expect(readFileSync(witness, "utf8")).toBe("one 0\none 1\n");
    expect((await kindsOf(id)).at(-1)).toBe("end");
    // Nothing of it stays on the worker: neither its files nor what undoing them would need.
    const worktrees = join(repository.folder, "worker0", "worktrees");
    const journals = join(repository.folder, "home", ".local", "state", "wield", "journals");
    await until(async () => [worktrees, journals].every((folder) => readdirSync(folder).length === 0));
    // The next message goes on where it was, on another worker, which removes what one that was killed left.
    await workers.pop()?.close(0);
    for (const name of [`${id}-0`, "a_unknown-0"]) mkdirSync(join(worktrees, name));
    await start();
    expect(readdirSync(worktrees)).toEqual(["a_unknown-0"]);
    rmdirSync(join(worktrees, "a_unknown-0"));
    await sessions.say(ann, id, { text: "work more 1" });
    await until(async () => (await kindsOf(id)).filter((kind) => kind === "end").length === 2);
    await idle(id);
    expect(repository.git("show", `wield/${id}:count.txt`)).toBe("more 0\n");
    expect(repository.git("show", `wield/${id}:one-1.txt`)).toBe("one 1\n");
  });

  test("a session that waits for a person frees its worker, and goes on with the answer on any", async () => {
    await start({ patience: 0.2, mode: "ask" });
    const id = await sessions.start(ann, { project: "p", message: { text: "ask yes" } });
    const [ask] = await until(async () => {
      const asks = await sessions.asks(ann);
      return asks.length > 0 && asks;
    });
    expect(ask?.view).toMatchObject({ tool: "create_file", chat: { id } });
    await until(
      async () => (await team.session(db.query, id))?.state === "waiting" && workers[0]?.running() === 0,
    );
    // Neither another person nor a made-up id answers it.
    expect(await sessions.asks(ben)).toEqual([]);
    const askId = ask?.view.id ?? "";
    await expect(sessions.answer(ben, askId, { approved: true })).rejects.toMatchObject({ code: "CONFLICT" });
    await workers.pop()?.close(0);
    await start({ patience: 0.2, mode: "ask" });
    await sessions.answer(ann, askId, { approved: true });
    await expect(sessions.answer(ann, askId, { approved: false })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    await idle(id);
    expect(repository.git("show", `wield/${id}:yes.txt`)).toBe("yes\n");
    expect(await kindsOf(id)).toEqual(["user", "step", "results", "step", "end"]);
    const audit = await db.query(
      "SELECT person, action FROM audit WHERE detail LIKE '%' || $1 OR subject = $1 ORDER BY seq",
      [id],
    );
    expect(audit.map(({ action }) => action)).toEqual(["session.start", "ask.approve"]);
  });

  test("an answer at the moment of parking is never lost", async () => {
    await start({ patience: 0, mode: "ask" });
    const names = Array.from({ length: 8 }, (_, n) => `p${n}`);
    const started = await Promise.all(
      names.map((name) =>
        sessions.start(name > "p3" ? ann : ben, { project: "p", message: { text: `ask ${name}` } }),
      ),
    );
    const answered = new Set<string>();
    await until(async () => {
      for (const person of [ann, ben])
        for (const { view } of await sessions.asks(person)) {
          await sessions.answer(person, view.id, { approved: true }).catch(() => undefined);
          answered.add(view.id);
        }
      const rows = await Promise.all(started.map((id) => team.session(db.query, id)));
      return rows.every((row) => row?.state === "idle");
    });
    expect(answered.size).toBe(8);
    for (const [at, id] of started.entries())
      expect(repository.git("show", `wield/${id}:p${at}.txt`)).toBe(`p${at}\n`);
  });

  test("a worker that was taken for dead writes nothing, and its session goes on elsewhere without repeating a call", async () => {
    await start();
    const id = await sessions.start(ann, { project: "p", message: { text: "work taken 6" } });
    await until(async () => (await kindsOf(id)).includes("results"));
    // What a takeover does: from now on the worker's claim is void.
    await store.claim(id, "another worker");
    await idle(id);
    const ends = (await store.entries(id)).filter(({ data }) => (data as LogData).kind === "end");
    expect(ends.map(({ data }) => data)).toMatchObject([{ stop: "done" }]);
    const rung = readFileSync(witness, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("taken "));
    expect(new Set(rung).size).toBe(rung.length);
    expect(repository.git("show", `wield/${id}:count.txt`)).toBe("taken 5\n");
  });

  test("a stop ends the run, and the next message begins another", async () => {
    const id = await sessions.start(ann, { project: "p", message: { text: "work halt 500" } });
    await start();
    await until(async () => (await kindsOf(id)).includes("results"));
    await sessions.stop(ann, id);
    await idle(id);
    expect((await store.entries(id)).at(-1)?.data).toMatchObject({ kind: "end", stop: "aborted" });
    await sessions.say(ann, id, { text: "work again 1" });
    await until(async () => (await kindsOf(id)).filter((kind) => kind === "end").length === 2);
    expect((await store.entries(id)).at(-1)?.data).toMatchObject({ kind: "end", stop: "done" });
  });

  test("a run that reaches a cost limit stops with a sentence, and goes on when the limit is raised", async () => {
    await start({ prices: { "scripted/scripted": { input: 10_000, output: 0 } } });
    // A step has 100 tokens: one dollar.
    await db.query("INSERT INTO cost_limits VALUES ($1, 2.5)", [ben.id]);
    const id = await sessions.start(ben, { project: "p", message: { text: "work dear 3" } });
    const row = await until(async () => {
      const now = await team.session(db.query, id);
      return now?.note && now;
    });
    expect(row).toMatchObject({
      state: "waiting",
      note: expect.stringContaining("$2.50 a month, is reached"),
    });
    expect((await kindsOf(id)).filter((kind) => kind === "step")).toHaveLength(3);
    await expect(sessions.say(ben, id, { text: "more" })).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
    await db.query("DELETE FROM cost_limits");
    await sessions.resume(ben, id);
    await idle(id);
    expect(repository.git("show", `wield/${id}:count.txt`)).toBe("dear 2\n");
    const [spent] = await db.query("SELECT sum(usd) AS usd, count(*) AS steps FROM spending WHERE top = $1", [
      id,
    ]);
    expect(spent).toEqual({ usd: 7, steps: "7" });
  });

  test("under a cost limit no session runs with a model whose price is not known", async () => {
    await start();
    const said = /^No price is known for the model scripted\/scripted, so the cost limit of this person/;
    const waits = (id: string) =>
      until(async () => {
        const now = await team.session(db.query, id);
        return now?.state === "waiting" && now.note;
      });
    await db.query("INSERT INTO cost_limits VALUES ($1, 1000)", [ben.id]);
    const id = await sessions.start(ben, { project: "p", message: { text: "work unpriced 2" } });
    expect(await waits(id)).toMatch(said);
    expect(await kindsOf(id)).not.toContain("step");
    await db.query("DELETE FROM cost_limits");
    await sessions.resume(ben, id);
    await idle(id);
    // Also where the limit is set during the run.
    await db.query(`CREATE FUNCTION limit_ben() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO cost_limits VALUES (NEW.owner, 1000) ON CONFLICT DO NOTHING; RETURN NEW; END $$`);
    await db.query(
      "CREATE TRIGGER limit_ben AFTER INSERT ON spending FOR EACH ROW EXECUTE FUNCTION limit_ben()",
    );
    const later = await sessions.start(ben, { project: "p", message: { text: "work limited 2" } });
    expect(await waits(later)).toMatch(said);
    expect((await kindsOf(later)).filter((kind) => kind === "step")).toHaveLength(1);
    await db.query("DROP TRIGGER limit_ben ON spending");
    await db.query("DELETE FROM cost_limits");
  });

  test("a member's approval opens nothing outside the sandbox of a worker", async () => {
    await start({ mode: "ask" });
    const mark = join(repository.folder, "reached");
    const id = await sessions.start(ann, { project: "p", message: { text: `outside ${mark}` } });
    await until(async () => {
      for (const { view } of await sessions.asks(ann))
        await sessions.answer(ann, view.id, { approved: true }).catch(() => undefined);
      return (await team.session(db.query, id))?.state === "idle" && (await kindsOf(id)).includes("end");
    });
    expect(existsSync(mark)).toBe(false);
    const results = (await store.entries(id)).find(({ data }) => (data as LogData).kind === "results");
    expect(JSON.stringify(results)).toContain("are for its owner to allow");
  });

  test("changes become a pull request where that is wanted: once, brought up to date, and without secrets", async () => {
    const hasBranch = (name: string) => repository.git("branch", "--list", name) !== "";
    const host = await fakeCodeHost(hasBranch);
    const [hub, lab] = [
      `http://127.0.0.1:${host.port}/team/app`,
      `http://localhost:${host.port}/group/sub/app`,
    ];
    // The service has no git: the repository of the trial stands for it.
    const home = join(repository.folder, "forge-home");
    mkdirSync(home);
    const instead = [hub, lab].map((url) => `  insteadOf = ${url}\n`).join("");
    writeFileSync(join(home, ".gitconfig"), `[url "${repository.url}"]\n${instead}`);
    await db.query(
      `INSERT INTO projects (id, name, url, ref, result)
       VALUES ('hub', 'hub', $1, 'main', 'pull-request'), ('lab', 'lab', $2, 'main', 'branch')`,
      [hub, lab],
    );
    const env = {
      ...{ HOME: home, WIELD_GITHUB_REPLY_TOKEN: "gh", WIELD_GITLAB_REPLY_TOKEN: "gl" },
      WIELD_GITHUB_API_URL: `http://127.0.0.1:${host.port}/api/v3`,
      WIELD_GITLAB_API_URL: `http://localhost:${host.port}/api/v4`,
    };
    await start({ env });
    const { github, gitlab } = host.requests;
    const ends = (id: string, count: number) =>
      until(async () => {
        const isOver = (await kindsOf(id)).filter((kind) => kind === "end").length === count;
        const row = isOver && (await team.session(db.query, id));
        return row && row.state === "idle" && row;
      });

    const first = await sessions.start(ann, { project: "hub", message: { text: "work pull 1 for @ben" } });
    expect((await ends(first, 1)).pull_request).toBe("https://github.example/1");
    expect(github).toMatchObject([
      { head: `wield/${first}`, base: "main", title: "work pull 1 for @\u200bben" },
    ]);
    expect(github[0]?.body).toContain(`finished pull\n\nSession \`${first}\` of Wield.\n\n<!-- wield `);
    expect(repository.git("show", "-s", "--format=%an <%ae>, %cn", `wield/${first}`)).toBe(
      `ann <${ann.id}@users.noreply.invalid>, Wield\n`,
    );
    await sessions.say(ann, first, { text: "work more 1" });
    await ends(first, 2);
    expect(github).toMatchObject([{ body: expect.stringContaining("finished more") }]);
    // What a person wrote there stays.
    const edited = `${github[0]?.body} And more.`;
    Object.assign(github[0] ?? {}, { body: edited });
    await sessions.say(ann, first, { text: "work last 1" });
    await ends(first, 3);
    expect(github.map(({ body }) => body)).toEqual([edited]);
    // After it was closed, later changes get another one.
    Object.assign(github[0] ?? {}, { state: "closed" });
    await sessions.say(ann, first, { text: "work again 1" });
    expect((await ends(first, 4)).pull_request).toBe("https://github.example/2");

    // The answer of the service is lost, and two workers do it at once: it is one request all the same.
    host.faults.push("none", "lost answer");
    const lost = await sessions.start(ann, { project: "hub", message: { text: "work lost 1" } });
    expect((await ends(lost, 1)).pull_request).toBe("https://github.example/3");
    Object.assign(github[2] ?? {}, { state: "closed" });
    const repositories = new Repositories(join(repository.folder, "requests"), {
      ...process.env,
      HOME: home,
    });
    const parts = { database: db, store, repositories, hosts: hostsFrom(env) };
    expect(await openPullRequest(parts, lost, async () => false)).toBeUndefined();
    expect(github).toHaveLength(3);
    let looked = 0;
    const bothLooked = Promise.withResolvers<void>();
    const together = async () => {
      if (++looked === 2) bothLooked.resolve();
      await bothLooked.promise;
      return true;
    };
    const both = await Promise.all([1, 2].map(() => openPullRequest(parts, lost, together)));
    expect(both).toEqual(["https://github.example/4", "https://github.example/4"]);
    expect(github).toHaveLength(4);

    // A service that is away: the branch is there, the session says so, and it is tried again.
    host.faults.push(...Array<"away">(1000).fill("away"));
    const away = await sessions.start(ann, { project: "hub", message: { text: "work away 1" } });
    expect(await ends(away, 1)).toMatchObject({
      ...{ branch: `wield/${away}`, pull_request: null },
      note: expect.stringContaining(
        "The changes are pushed, but there is no pull request yet. GitHub is not working",
      ),
    });
    host.faults.length = 0;
    const later = await until(async () => {
      await db.query("UPDATE pgboss.job SET start_after = now() WHERE name = 'errands'");
      const row = await team.session(db.query, away);
      return row?.pull_request && row;
    });
    expect(later).toMatchObject({ pull_request: "https://github.example/5", note: null });

    // Neither a title nor an answer gives a secret away.
    const secret = "sk_live_51Hxx9A8bC7dE6fG5hJ4kL3mN2pQ1rS0t";
    const telling = await sessions.start(ann, {
      project: "hub",
      message: { text: `work secret 1 ${secret}` },
    });
    await ends(telling, 1);
    expect(github[5]?.title).toBe(`Session ${telling} of Wield`);
    expect(github[5]?.body).toContain("finished secret");
    await store.sessionStates().change(telling, (state) => ({
      ...state,
      flow: { seen: {}, secrets: [{ name: "PIN", value: "finished secret" }] },
    }));
    await openPullRequest(parts, telling);
    expect(github[5]?.body).toMatch(
      /^The answer of the session is not shown here because it contains a secret\./,
    );
    expect(repository.git("show", "-s", "--format=%B", `wield/${telling}`)).toBe(
      `Work of a session\n\nSession ${telling}\n\n`,
    );

    // On GitLab, for one session only, and later for one that has ended.
    const merge = await sessions.start(ben, {
      ...{ project: "lab", message: { text: "work merge 1" }, result: "pull-request" },
    });
    expect((await ends(merge, 1)).pull_request).toBe("https://gitlab.example/1");
    const plain = await sessions.start(ben, { project: "lab", message: { text: "work plain 1" } });
    expect((await ends(plain, 1)).pull_request).toBeNull();
    await expect(sessions.wantPullRequest(ann, plain)).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
    await sessions.wantPullRequest(ben, plain);
    await until(
      async () => (await team.session(db.query, plain))?.pull_request === "https://gitlab.example/2",
    );
    expect(gitlab).toMatchObject([{ head: `wield/${merge}`, base: "main" }, { head: `wield/${plain}` }]);

    // Without a token, or over a connection that others can read, nothing is sent.
    const apis = { ...parts.hosts.apis, github: `http://0.0.0.0:${host.port}/api/v3` };
    await db.query("UPDATE projects SET url = $1 WHERE id = 'hub'", [`http://0.0.0.0:${host.port}/team/app`]);
    await expect(openPullRequest({ ...parts, hosts: { ...parts.hosts, apis } }, first)).rejects.toThrow(
      "WIELD_GITHUB_REPLY_TOKEN",
    );
    await expect(openPullRequest(parts, first)).rejects.toThrow("neither on github.com nor on gitlab.com");
    const refused = host.refused.filter((line) => !line.startsWith("503 "));
    expect(refused).toEqual([expect.stringMatching(/^422 POST .*already exists/)]);
    host.close();
  });

  test("a session whose repository cannot be read says so in a sentence, and begins when the address is corrected", async () => {
    const wrong = join(repository.folder, "nowhere.git");
    await db.query("INSERT INTO projects (id, name, url, ref) VALUES ('w', 'wrong', $1, 'main')", [wrong]);
    await start();
    const id = await sessions.start(ann, { project: "w", message: { text: "work corrected 1" } });
    const waiting = await until(async () => {
      const row = await team.session(db.query, id);
      return row?.state === "waiting" && row;
    });
    expect(waiting.note).toBe(
      "The project's repository cannot be read. There is no git repository at this address, or the worker may not see it. An admin can correct its address on the page Team.",
    );
    expect(await kindsOf(id)).toEqual([]);
    await db.query("UPDATE projects SET url = $1 WHERE id = 'w'", [repository.url]);
    await sessions.resume(ann, id);
    const row = await until(async () => {
      const now = await team.session(db.query, id);
      return now?.state === "idle" && now.branch !== null && now;
    });
    expect(row.note).toBeNull();
    expect(repository.git("show", `wield/${id}:count.txt`)).toBe("corrected 0\n");
    expect((await kindsOf(id)).filter((kind) => kind === "user")).toHaveLength(1);
  });

  test("a key that cannot be read stops only the sessions whose model needs it", async () => {
    const other = "another key of thirty-two characters";
    for (const name of ["EXA_API_KEY", "ANTHROPIC_API_KEY"])
      await db.query("INSERT INTO secrets (owner, name, sealed) VALUES ('', $1, $2)", [
        ...[name, seal("value", { owner: "", name }, other)],
      ]);
    const env = { WIELD_MODEL: "offline", WIELD_SECRET_KEY: "a key of more than thirty-two characters" };
    await start({ env, isScripted: false });
    const message = { text: "What is in README.md?" };
    await idle(await sessions.start(ann, { project: "p", message }));
    const id = await sessions.start(ann, { project: "p", message, model: "anthropic/claude-sonnet-5-5" });
    const note = await until(async () => (await team.session(db.query, id))?.note);
    expect(note).toContain("The key ANTHROPIC_API_KEY was saved under another WIELD_SECRET_KEY.");
    expect(await kindsOf(id)).toEqual([]);
    await db.query("DELETE FROM secrets");
  });

  test("a worker sends the team's key to no address that a session names", async () => {
    const heard: unknown[] = [];
    const stranger = createServer((request, response) => {
      heard.push(request.headers);
      response.writeHead(500).end();
    });
    const port = await listen(stranger, 0, "127.0.0.1");
    onTestFinished(() => void stranger.close());
    await start({ env: { WIELD_API_KEY: "the team's" }, isScripted: false });
    for (const model of addressSpellings(`127.0.0.1:${port}`).slice(0, 4)) {
      const id = await sessions.start(ann, { project: "p", message: { text: "hello" }, model });
      const note = await until(async () => (await team.session(db.query, id))?.note);
      expect(note).toContain("Name a model of a provider: provider/model.");
    }
    expect(heard).toEqual([]);
  });

  test("a refused key is named with its owner and place, and an unknown model in one line", async () => {
    const refused = new APICallError({
      ...{ message: "invalid x-api-key", url: "https://example.org", requestBodyValues: {}, statusCode: 401 },
    });
    const model = scriptedModel(() => {
      throw refused;
    });
    const key = { name: "ANTHROPIC_API_KEY", at: "", by: null };
    const told = async (...teams: boolean[]) => {
      const keys = teams.map((isTeams) => ({ ...key, team: isTeams }));
      const asked = withKeyWords(model, "anthropic/claude", keys).doStream({ prompt: [] });
      return asked.then(String, ({ message }: Error) => message);
    };
    expect(await told(false, true)).toMatch(
      /\(HTTP 401: invalid x-api-key\)\. It is the own key.* My account\.$/,
    );
    expect(await told(true)).toContain("It is the team's key: an admin can replace it under Team → Keys.");
    expect(await told()).toContain("the key in the environment of the workers");
    const unknown = await chooseModel("nowhere/none", {}).catch(inTeamWords);
    expect(String(unknown)).toMatch(/nowhere.* Choose another model of a provider/);
    expect(String(unknown)).not.toMatch(/\n|wield login/);
  });

  test("what a provider tells one worker holds for all, under the same key", async () => {
    const tooMany = new APICallError({
      ...{ message: "Too many requests", url: "https://provider.example", requestBodyValues: {} },
      ...{ statusCode: 429, responseHeaders: { "retry-after": "300" } },
    });
    let isBusy = true;
    const busy = scriptedModel(() => (isBusy ? { error: tooMany } : { say: "later" }));
    const request = { prompt: [] };
    const env = { ANTHROPIC_API_KEY: "the team's" };
    const [one, other] = [1, 2].map(() => pacedModel(busy, "anthropic/model", env, db));
    await expect(one?.doGenerate(request)).rejects.toBe(tooMany);
    isBusy = false;
    const waiting = other?.doGenerate(request);
    const stop = new AbortController();
    const stopped = other?.doGenerate({ ...request, abortSignal: stop.signal });
    // Another key, and another provider.
    const own = pacedModel(
      scriptedModel([{ say: "at once" }]),
      "anthropic/model",
      { ANTHROPIC_API_KEY: "own" },
      db,
    );
    expect((await own.doGenerate(request)).content).toEqual([{ type: "text", text: "at once" }]);
    await pacedModel(scriptedModel([{ say: "x" }]), "openai/model", env, db).doGenerate(request);
    stop.abort();
    await expect(stopped).rejects.toThrow("aborted");
    expect(busy.requests).toHaveLength(1);
    const [row] = await db.query(
      "SELECT account, until > now() + interval '4 min' AS is_long FROM provider_waits",
    );
    expect(row).toEqual({ account: expect.stringMatching(/^anthropic [0-9a-f]{16}$/), is_long: true });
    await db.query("UPDATE provider_waits SET until = now()");
    expect((await waiting)?.content).toEqual([{ type: "text", text: "later" }]);
    // A session asks in this way.
    await db.query("INSERT INTO provider_waits VALUES ('scripted', now() + interval '1 hour')");
    await start();
    const id = await sessions.start(ann, { project: "p", message: { text: "work paced 1" } });
    await until(async () => (await kindsOf(id)).includes("user"));
    expect(await kindsOf(id)).toEqual(["user"]);
    await db.query("DELETE FROM provider_waits");
    await idle(id);
  });

  test("an errand that only a newer version knows is left to a newer worker", async () => {
    const jobs = await openJobs({ database: db });
    await db.transaction((sql) => jobs.errand(sql, { kind: "future", session: "x" } as never));
    await jobs.close();
    await start();
    const state = "SELECT state FROM pgboss.job WHERE data ->> 'kind' = 'future'";
    const [row] = await until(async () => {
      const rows = await db.query(`${state} AND retry_count + (state = 'retry')::int > 0`);
      return rows.length > 0 && rows;
    });
    expect(row).not.toEqual({ state: "completed" });
    await db.query("DELETE FROM pgboss.job WHERE data ->> 'kind' = 'future'");
  });

  test("what a session wrote into .git starts nothing when its work is handed over", async () => {
    const env = { PATH: process.env["PATH"], HOME: repository.folder };
    const repositories = new Repositories(join(repository.folder, "hostile"), env);
    const project = { id: "p", name: "example", url: repository.url, ref: "main" };
    const base = await repositories.newest(project);
    const mark = join(repository.folder, "started");
    const hostile = (place: string) => {
      const git = (...args: string[]) => execFileSync("git", args, { cwd: place, stdio: "pipe" });
      git("init", "--quiet", ...["--separate-git-dir", join(place, "stuff")]);
      writeFileSync(join(place, ".gitattributes"), "* filter=x\n");
      git("add", "--all", ":!stuff");
      git("-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "--quiet", "-m", "inside");
      for (const name of ["core.fsmonitor", "filter.x.clean"]) git("config", name, `touch ${mark}; cat`);
      writeFileSync(join(place, "more.txt"), "more\n");
    };
    for (const inner of [".", "sub"]) {
      const folder = await repositories.checkOut(project, base, `hostile-${inner.length}`);
      const place = join(folder, inner);
      mkdirSync(place, { recursive: true });
      if (inner === ".") rmSync(join(folder, ".git"));
      hostile(place);
      const result = await repositories.result(project, folder, base);
      expect(String(result.patch)).toContain("+more");
      const branch = `hostile-${inner.length}`;
      await result.push({ branch, message: "m", author, known: [], announce });
      expect(repository.git("show", `${branch}:${join(inner, "more.txt")}`)).toBe("more\n");
      await repositories.remove(project, folder);
    }
    expect(existsSync(mark)).toBe(false);
  });

  test("a worktree is one for git, and what is pushed again after a lost answer replaces nothing", async () => {
    const env = { PATH: process.env["PATH"], HOME: repository.folder };
    const repositories = new Repositories(join(repository.folder, "again"), env);
    const project = { id: "p", name: "example", url: repository.url, ref: "main" };
    const base = await repositories.newest(project);
    const folder = await repositories.checkOut(project, base, "again-1");
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
    expect(git("status", "--porcelain=v2", "--branch")).toContain(`branch.oid ${base}`);
    expect(git("status", "--porcelain")).toBe("");
    expect(git("worktree", "list")).toContain(folder);
    const push = async (text: string, known: string[]) => {
      writeFileSync(join(folder, "more.txt"), text);
      const result = await repositories.result(project, folder, base);
      await result.push({ branch: "again", message: "m", author, known, announce });
      return repository.git("rev-parse", "again").trim();
    };
    const first = await push("more\n", []);
    expect(await push("more\n", [])).toBe(first);
    const second = await push("other\n", [first]);
    expect(second).not.toBe(first);
    // A worker that knows less than what is there.
    await expect(push("late\n", [first])).rejects.toThrow("commits that this session did not push");
    await expect(push("late\n", [])).rejects.toThrow("commits that this session did not push");
    repository.git("update-ref", "-d", "refs/heads/again");
    expect(await push("other\n", [first])).toBe(second);
    expect(repository.git("show", "again:more.txt")).toBe("other\n");
    expect(repository.git("rev-parse", "again^").trim()).toBe(base);
    await repositories.remove(project, folder);
  });

  test.each(["path", "file address"])(
    "a repository on this machine runs no program of its own, by its %s",
    async (kind) => {
      const name = kind.replace(" ", "-");
      const mark = join(repository.folder, `ran-${name}`);
      const path = join(repository.folder, `${name}.git`);
      const other = join(repository.folder, `${name}-other.git`);
      for (const place of [path, other]) repository.git("clone", "--quiet", "--bare", repository.url, place);
      const inside = (...args: string[]) => repository.git("-C", path, ...args);
      writeFileSync(join(path, "objects/info/alternates"), `${join(other, "objects")}\n`);
      for (const hook of ["pre-receive", "update", "post-receive", "post-update", "reference-transaction"])
        writeFileSync(join(path, "hooks", hook), `#!/bin/sh\necho ${hook} >> ${mark}\n`, { mode: 0o755 });
      inside("config", "core.hooksPath", join(path, "hooks"));
      for (const setting of [
        "core.alternateRefsCommand",
        "core.fsmonitor",
        "core.sshCommand",
        "credential.helper",
        "uploadpack.packObjectsHook",
      ])
        inside("config", setting, `echo ${setting} >> ${mark}; true`);
      const env = { PATH: process.env["PATH"], HOME: repository.folder };
      const repositories = new Repositories(join(repository.folder, `worker-${name}`), env);
      const url = kind === "path" ? path : `file://${path}`;
      const project = { id: "p", name: "example", url, ref: "main" };
      expect(await repositories.problemOf(project)).toBeUndefined();
      const base = await repositories.newest(project);
      const folder = await repositories.checkOut(project, base, `local-${name}`);
      for (const text of ["one\n", "two\n"]) {
        writeFileSync(join(folder, "more.txt"), text);
        const result = await repositories.result(project, folder, base);
        await result.push({ branch: "made", message: "m", author, known: undefined, announce });
        expect(inside("show", "made:more.txt")).toBe(text);
      }
      expect(existsSync(mark) ? readFileSync(mark, "utf8") : "").toBe("");
    },
  );

  test("a worker whose claim is lost pushes nothing, also if it is delayed just before", async () => {
    await start();
    const id = await sessions.start(ann, { project: "p", message: { text: "work pushed 1" } });
    const row = await idle(id);
    const at = repository.git("rev-parse", `wield/${id}`).trim();
    expect(row.pushed).toEqual([at]);
    for (const worker of workers.splice(0)) await worker.close(0);
    const env = { PATH: process.env["PATH"], HOME: repository.folder };
    const repositories = new Repositories(join(repository.folder, "delayed"), env);
    const claim = await store.claim(id, "a delayed worker");
    const fenced = db.fencedBy(claim);
    const parts = { claim, fenced, repositories, indexes: {} as never, env, push: true };
    const worktree = await SessionWorktree.checkOut(parts, { ...row, handed_over: -1 });
    writeFileSync(join(worktree.folder, "late.txt"), "late\n");
    // The claim is asked for, and lost before the push.
    claim.holds = async () => {
      await store.claim(id, "another worker");
      return true;
    };
    await expect(worktree.handOver()).rejects.toThrow();
    expect(repository.git("rev-parse", `wield/${id}`).trim()).toBe(at);
    await worktree.remove();
  });

  test("a session that a worker of an earlier version pushed goes on, and one with commits of others says so", async () => {
    await start();
    const id = await sessions.start(ann, { project: "p", message: { text: "work earlier 1" } });
    await idle(id);
    const target = `refs/heads/wield/${id}`;
    repository.git("update-ref", target, "main");
    await db.query("UPDATE team_sessions SET pushed_changes = NULL WHERE session = $1", [id]);
    await sessions.say(ann, id, { text: "work later 1" });
    await until(async () => repository.git("show", `${target}:count.txt`) === "later 0\n");
    await idle(id);
    repository.git("update-ref", target, "main");
    await sessions.say(ann, id, { text: "work last 1" });
    const told = await until(async () => {
      const row = await team.session(db.query, id);
      return row?.state === "waiting" && row;
    });
    expect(told.note).toContain("has commits that this session did not push");
    expect(repository.git("rev-parse", target)).toBe(repository.git("rev-parse", "main"));
    repository.git("update-ref", "-d", target);
    await sessions.say(ann, id, { text: "work more 1" });
    await idle(id);
    expect(repository.git("show", `${target}:last-0.txt`)).toBe("last 0\n");
  });

  test("a session reads the history that it began with, and nothing that another one made", async () => {
    await start();
    const other = await sessions.start(ben, { project: "p", message: { text: "work private 1" } });
    await idle(other);
    const made = repository.git("rev-parse", `wield/${other}`).trim();
    const begun = repository.git("rev-parse", "main").trim();
    const answers = async (revision: string) => {
      const id = await sessions.start(ann, { project: "p", message: { text: `look ${revision}` } });
      await idle(id);
      const results = (await store.entries(id)).filter(({ data }) => (data as LogData).kind === "results");
      return JSON.stringify(results.map(({ data }) => data));
    };
    const seen = await answers("HEAD");
    for (const text of ["detached HEAD", "t: begin", "# Example", "No differences."])
      expect(seen).toContain(text);
    expect(seen).not.toContain("failed");
    for (const revision of [`wield/${other}`, made, made.slice(0, 12), `main..${made}`]) {
      const refused = await answers(revision);
      expect(refused).toContain("There is no commit");
      expect(refused).not.toContain("private 0");
    }
    expect(await answers(begun.slice(0, 12))).not.toContain("There is no commit");
  });

  test("worktrees are made and removed while the mirror is fetched", async () => {
    const env = { PATH: process.env["PATH"], HOME: repository.folder };
    const repositories = new Repositories(join(repository.folder, "mirrors"), env);
    const project = { id: "p", name: "example", url: repository.url, ref: "main" };
    const base = await repositories.newest(project);
    let made = 0;
    const fetching = (async () => {
      while (made < 24) await repositories.newest(project);
    })();
    const making = Array.from({ length: 4 }, async (_, place) => {
      for (let n = 0; n < 6; n++, made++) {
        const folder = await repositories.checkOut(project, base, `race-${place}-${n}`);
        expect(readFileSync(join(folder, "count.txt"), "utf8")).toBe("0\n");
        await repositories.remove(project, folder);
      }
    });
    await Promise.all([fetching, ...making]);
  });

  test("a connection that is cut is given up after one question, and replaced", async () => {
    const link = await Link.open(Number(new URL(database.url).port));
    const url = new URL(database.url);
    url.port = String(link.port);
    const cut = openPostgres(url.href, { connections: 1, answerMs: 300 });
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on("warning", warn);
    const heard: Hint[] = [];
    const again = Promise.withResolvers<void>();
    const channel = await openChannel(cut, (hint) => heard.push(hint), again.resolve, { pingEveryMs: 20 });
    const inTransaction = cut.transaction(async (sql) => {
      await sql("SELECT 1");
      link.cut(true);
      await sql("SELECT 2");
    });
    await expect(inTransaction).rejects.toThrow("timeout");
    link.cut(false);
    await again.promise;
    await expect.poll(() => cut.query("SELECT 3 AS n"), { timeout: 60_000 }).toEqual([{ n: 3 }]);
    await channel.tell({ t: "stop", session: "heard" });
    await expect.poll(() => heard.some((hint) => "session" in hint && hint.session === "heard")).toBe(true);
    await channel.close();
    await cut.close();
    link.close();
    process.off("warning", warn);
    expect(warnings).toEqual([]);
  });

  test("nobody runs more sessions at once than they may", async () => {
    const jobs = await openJobs({ database: db, perPerson: 2 });
    await db.transaction(async (sql) => {
      for (let n = 0; n < 10; n++)
        await jobs.wake(sql, `limit_${n}`, { person: n < 8 ? "greedy" : "modest" });
    });
    const all = (await Promise.all(Array.from({ length: 8 }, () => jobs.take(3)))).flat();
    const taken = all.filter(({ session }) => session.startsWith("limit_"));
    const people = taken.map(({ session }) => (Number(session.slice(6)) < 8 ? "greedy" : "modest"));
    expect(people.filter((person) => person === "greedy")).toHaveLength(2);
    expect(people.filter((person) => person === "modest")).toHaveLength(2);
    expect(await jobs.renew(taken)).toEqual(new Set(taken.map(({ id }) => id)));
    for (const job of taken) expect(await jobs.done(job)).toBe(true);
    for (let n = 0; n < 8; n++) await jobs.cancel(`limit_${n}`);
    // What a worker gave back comes before what waits for the first time, even where no place is free.
    await db.transaction((sql) => jobs.wake(sql, "limit_back", { person: "back", priority: 1 }));
    const [back] = await jobs.take(1);
    expect(back?.session).toBe("limit_back");
    await db.transaction((sql) => jobs.wake(sql, "limit_new", { person: "new", priority: 1000 }));
    if (back) await jobs.giveBack(back);
    const again = await jobs.take(0, 5);
    expect(again.map(({ session }) => session)).toEqual(["limit_back"]);
    for (const job of again) await jobs.done(job);
    await jobs.cancel("limit_new");
    // What one worker lost is taken by all others that have extra places, not only by the first that looks.
    await db.transaction(async (sql) => {
      for (let n = 0; n < 4; n++) await jobs.wake(sql, `limit_lost${n}`, { person: `lost${n}` });
    });
    for (const job of await jobs.take(4)) await jobs.giveBack(job);
    const shared = [...(await jobs.take(0, 2)), ...(await jobs.take(0, 2))];
    expect(shared.map(({ session }) => session).sort()).toEqual([0, 1, 2, 3].map((n) => `limit_lost${n}`));
    for (const job of shared) await jobs.done(job);
    for (let n = 0; n < 10; n++) await jobs.cancel(`limit_${n}`);
    expect(await jobs.take(10)).toEqual([]);
    await jobs.close();
  });
});
