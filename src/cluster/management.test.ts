import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenView } from "../api/approvals.ts";
import type { SessionSummary, SessionView } from "../api/sessions.ts";
import type { AuditView, SavedKeyView, TeamResultView, TeamView, TokenView } from "../api/team.ts";
import { listen } from "../server/http-server.ts";
import { hasPostgres, type TestDatabase, testDatabase } from "../store/postgres.suite.ts";
import { openPostgres, type PostgresDatabase } from "../store/postgres-database.ts";
import { ringTool } from "../testing/ring-tool.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { scriptFor, testRepository } from "./cluster.suite.ts";
import { gitProblem } from "./git-problem.ts";
import { migrate } from "./migrate.ts";
import { people, type Role } from "./people.ts";
import { tokens } from "./tokens.ts";
import { startWeb, type Web } from "./web.ts";
import { startWorker, type Worker } from "./worker.ts";

const secretKey = "a key of more than thirty-two characters";

describe.skipIf(!hasPostgres)("managing a team", () => {
  const repository = testRepository();
  const texts = new Map<string, string>();
  let database: TestDatabase;
  let db: PostgresDatabase;
  let web: Web;
  let worker: Worker;

  const ask = async (who: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${web.origin}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${texts.get(who)}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  const get = async <T>(who: string, path: string) => JSON.parse((await ask(who, "GET", path)).text) as T;
  const post = async <T>(who: string, path: string, body: unknown = {}) =>
    JSON.parse((await ask(who, "POST", path, body)).text) as T;
  const until = async <T>(look: () => Promise<T | undefined | false>): Promise<T> => {
    for (const end = Date.now() + 100_000; Date.now() < end; await sleep(50)) {
      const found = await look();
      if (found) return found;
    }
    throw new Error("This did not happen in time.");
  };
  const projectNamed = async (name: string) =>
    (await get<TeamView>("root", "/team")).projects.find((one) => one.name === name);
  beforeAll(async () => {
    database = await testDatabase();
    await migrate(database.url);
    db = openPostgres(database.url);
    for (const [name, role] of [
      ["ann", "member"],
      ["ben", "member"],
      ["root", "admin"],
    ] as [string, Role][])
      texts.set(name, await tokens.add(db.query, (await people.add(db.query, name, role)).id));
    web = await startWeb({ database: database.url, version: "test", secretKey });
    worker = await startWorker({
      ...{
        database: database.url,
        folder: join(repository.folder, "worker"),
        version: "test",
        patience: 0.2,
      },
      env: { HOME: join(repository.folder, "home"), PATH: process.env["PATH"], WIELD_SECRET_KEY: secretKey },
      model: scriptedModel(({ prompt }) => scriptFor(prompt)),
      wield: { customTools: [ringTool(join(repository.folder, "witness")) as never] },
    });
    await post("root", "/projects", { name: "example", url: repository.url, ref: "main" });
  });
  afterAll(async () => {
    await worker.close(0);
    await web.close();
    await db.close();
    await database.close();
    repository.remove();
  });

  test("tokens are listed with what they may, and one that is revoked is refused at once", async () => {
    const { token } = await post<{ token: string }>("ann", "/tokens", { label: "build", scopes: ["read"] });
    texts.set("build", token);
    expect((await ask("build", "GET", "/status")).status).toBe(200);
    const [build, first] = await get<TokenView[]>("ann", "/tokens");
    expect(build).toMatchObject({ label: "build", scopes: ["read"], current: false });
    expect(build?.used).not.toBeNull();
    expect(first).toMatchObject({ scopes: null, current: true });
    expect(JSON.stringify([build, first])).not.toContain(token.slice(6, 20));
    // Neither another person nor a token with few rights ends it.
    expect((await ask("ben", "DELETE", `/tokens/${build?.id}`)).status).toBe(404);
    texts.set("writer", (await post<{ token: string }>("ann", "/tokens", { scopes: ["write"] })).token);
    expect((await ask("writer", "DELETE", `/tokens/${first?.id}`)).status).toBe(403);
    expect((await ask("build", "GET", "/status")).status).toBe(200);
    const stream = await fetch(`${web.origin}/api/events`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect((await ask("ann", "DELETE", `/tokens/${build?.id}`)).status).toBe(200);
    expect((await ask("build", "GET", "/status")).status).toBe(401);
    // A stream that was open ends, too.
    for await (const _ of stream.body ?? []);
    // An admin does the same for others, and makes a token for somebody who lost theirs.
    const { token: further } = await post<{ token: string }>("root", "/people/ann/tokens", { label: "lost" });
    texts.set("further", further);
    expect((await get<{ team: unknown }>("further", "/status")).team).toMatchObject({
      person: { name: "ann" },
    });
    const [entry] = await get<AuditView[]>("root", "/audit?action=token.add&person=root");
    expect(entry).toMatchObject({ about: "ann", detail: "acts for ann: all rights: lost" });
    const [lost] = await get<TokenView[]>("root", "/people/ann/tokens");
    expect((await ask("root", "DELETE", `/people/ben/tokens/${lost?.id}`)).status).toBe(404);
    expect((await ask("root", "DELETE", `/people/ann/tokens/${lost?.id}`)).status).toBe(200);
    expect((await ask("further", "GET", "/status")).status).toBe(401);
  });

  test("a token with scopes makes none that may more, also without naming scopes", async () => {
    texts.set("narrow", (await post<{ token: string }>("root", "/tokens", { scopes: ["write"] })).token);
    texts.set("narrower", (await post<{ token: string }>("narrow", "/tokens", {})).token);
    expect((await ask("narrower", "GET", "/people")).status).toBe(403);
    const key = { name: "EXA_API_KEY", value: "v", team: true };
    expect((await ask("narrow", "POST", "/keys", key)).status).toBe(403);
  });

  test("keys are shown with who set them and when, and can be removed", async () => {
    await post("root", "/keys", { name: "OPENAI_API_KEY", value: "sk-of-the-team", team: true });
    await post("ann", "/keys", { name: "EXA_API_KEY", value: "of-ann" });
    const keys = await get<SavedKeyView[]>("ann", "/keys");
    expect(keys).toMatchObject([
      { name: "EXA_API_KEY", team: false, by: "ann" },
      { name: "OPENAI_API_KEY", team: true, by: "root" },
    ]);
    expect(JSON.stringify(keys)).not.toMatch(/of-ann|of-the-team/);
    expect((await ask("ben", "DELETE", "/keys/EXA_API_KEY")).status).toBe(404);
    expect((await ask("ann", "DELETE", "/team/keys/OPENAI_API_KEY")).status).toBe(403);
    expect((await ask("ann", "DELETE", "/keys/EXA_API_KEY")).status).toBe(200);
    expect((await ask("root", "DELETE", "/team/keys/OPENAI_API_KEY")).status).toBe(200);
    expect(await get("ann", "/keys")).toEqual([]);
    expect(await get("ann", "/keys/known")).toContainEqual(
      expect.objectContaining({ label: "Anthropic", variable: "ANTHROPIC_API_KEY" }),
    );
  });

  test("the only admin stays; somebody who is removed loses keys and tokens, and their sessions stop", async () => {
    for (const [method, path, body] of [
      ["POST", "/people/root", { role: "member" }],
      ["DELETE", "/people/root", {}],
    ] as const) {
      const refused = await ask("root", method, path, body);
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("only admin")]);
    }
    texts.set(
      "cat",
      (await post<{ token: string }>("root", "/people", { name: "cat", role: "viewer" })).token,
    );
    expect((await ask("cat", "POST", "/sessions", { text: "ask early" })).status).toBe(403);
    expect((await ask("root", "POST", "/people/cat", { role: "member" })).status).toBe(200);
    await post("cat", "/keys", { name: "EXA_API_KEY", value: "of-cat" });
    const { session } = await post<{ session: string }>("cat", "/sessions", { text: "ask removed" });
    await until(async () => (await get<{ asks: unknown[] }>("cat", "/approvals")).asks.length > 0);
    expect((await ask("root", "DELETE", "/people/cat")).status).toBe(200);
    expect((await ask("cat", "GET", "/status")).status).toBe(401);
    expect(await db.query("SELECT 1 FROM secrets")).toEqual([]);
    await until(
      async () => (await get<TeamResultView>("root", `/sessions/${session}/result`)).state === "idle",
    );
  });

  test("somebody new with the name of a removed person has nothing of theirs", async () => {
    const join = async () => {
      const { id, token } = await post<{ id: string; token: string }>("root", "/people", {
        ...{ name: "gil", role: "member" },
      });
      texts.set("gil", token);
      return id;
    };
    const before = await join();
    const { session } = await post<{ session: string }>("gil", "/sessions", {
      ...{ project: "example", text: "work private 1" },
    });
    const nightly = { name: "gil's", project: "example", cron: "0 6 * * *", prompt: "work nightly 1" };
    const { id: schedule } = await post<{ id: string }>("gil", "/schedules", nightly);
    await ask("root", "DELETE", "/people/gil");
    expect(await join()).not.toBe(before);
    for (const path of ["", "/result", "/patch", "/queue"])
      expect((await ask("gil", "GET", `/sessions/${session}${path}`)).status).toBe(404);
    expect((await ask("gil", "POST", `/sessions/${session}/messages`, { text: "go on" })).status).toBe(404);
    expect(await get("gil", "/sessions")).toEqual([]);
    expect(await get("gil", "/schedules")).toEqual([]);
    expect((await ask("gil", "DELETE", `/schedules/${schedule}`)).status).toBe(404);
    // An admin sees whose it was.
    const { owner } = await get<TeamResultView>("root", `/sessions/${session}/result`);
    expect(owner).toMatch(/^gil-removed-\w+$/);
    expect((await get<TeamView>("root", "/team")).people.map(({ name }) => name)).not.toContain(owner);
    expect((await ask("root", "POST", "/people", { name: "gil", role: "admin" })).status).toBe(409);
    await ask("root", "DELETE", "/people/gil");
    await ask("root", "DELETE", `/schedules/${schedule}`);
  });

  test("a worker says whether it can read a project, in whole sentences", async () => {
    expect((await until(async () => (await projectNamed("example"))?.checked)) !== undefined).toBe(true);
    expect((await projectNamed("example"))?.problem).toBeNull();
    const nonsense = await ask("root", "POST", "/projects", { name: "x", url: "not a url", ref: "main" });
    expect(JSON.parse(nonsense.text).error.message).toBe(
      "Git address: this is not the address of a git repository.",
    );
    const wrong = join(repository.folder, "nowhere.git");
    const { id } = await post<{ id: string }>("root", "/projects", {
      name: "wrong",
      url: wrong,
      ref: "main",
    });
    const problem = await until(async () => (await projectNamed("wrong"))?.problem);
    expect(problem).toBe(
      "The repository cannot be read. There is no git repository at this address, or the worker may not see it.",
    );
    // Members see that it cannot be used, and not why.
    const seen = await get<{ name: string }[]>("ann", "/projects");
    expect(seen.find(({ name }) => name === "wrong")).toEqual({
      ...{ id, name: "wrong", ref: "main", readable: false },
    });
    const unnamed = await ask("ann", "POST", "/sessions", { text: "ask x" });
    expect([unnamed.status, unnamed.text]).toEqual([400, expect.stringContaining("example, wrong")]);
    const nightlyThere = { name: "there", project: "wrong", cron: "30 2 * * *", prompt: "ask x" };
    for (const [path, body] of [
      ["/sessions", { project: "wrong", text: "ask x" }],
      ["/schedules", nightlyThere],
    ] as const) {
      const refused = await ask("ann", "POST", path, body);
      expect([refused.status, refused.text]).toEqual([
        409,
        expect.stringContaining("No worker can read the project wrong."),
      ]);
    }
    // A session that was started before a worker had looked says so, too.
    const unseen = () => db.query("UPDATE projects SET problem = NULL WHERE name = 'wrong'");
    await unseen();
    const { session } = await post<{ session: string }>("ann", "/sessions", {
      project: "wrong",
      text: "ask x",
    });
    const noted = await until(
      async () => (await get<TeamResultView>("ann", `/sessions/${session}/result`)).note,
    );
    expect(noted).toMatch(
      /^The project's repository cannot be read\. There is no git .* on the page Team\.$/,
    );
    const again = { name: "wrong", url: repository.url, ref: "main" };
    expect((await ask("root", "POST", "/projects", again)).status).toBe(409);
    await post("root", `/projects/${id}`, { url: repository.url, ref: "none" });
    const branch = await until(async () => (await projectNamed("wrong"))?.problem);
    expect(branch).toMatch(/^The repository has no branch none\. It has: main/);
    await unseen();
    const { session: next } = await post<{ session: string }>("ann", "/sessions", {
      project: id,
      text: "ask x",
    });
    const note = await until(async () => (await get<TeamResultView>("ann", `/sessions/${next}/result`)).note);
    expect(note).toBe("The repository has no branch none. An admin can name another one on the page Team.");
    await post("root", `/projects/${id}`, { url: repository.url, ref: "main" });
    await until(async () => (await projectNamed("wrong"))?.checked);
    expect((await projectNamed("wrong"))?.problem).toBeNull();
    const plan = { name: "nightly", project: "wrong", cron: "30 2 * * *", prompt: "ask x" };
    const { id: schedule } = await post<{ id: string }>("ann", "/schedules", plan);
    expect((await ask("root", "DELETE", `/projects/${id}`)).text).toContain("Remove it first.");
    await ask("ann", "DELETE", `/schedules/${schedule}`);
    expect((await ask("root", "DELETE", `/projects/${id}`)).status).toBe(200);
    expect((await ask("ann", "POST", "/sessions", { project: "wrong", text: "ask x" })).status).toBe(404);
    expect((await ask("ann", "GET", `/sessions/${session}`)).status).toBe(200);
  });

  test("what git reports becomes a sentence without passwords", () => {
    const said = (stderr: string) => gitProblem("fetch", stderr);
    expect(said("fatal: could not read Username for 'https://x': terminal prompts disabled")).toContain(
      "no access",
    );
    expect(said("ssh: Could not resolve hostname nowhere: Name or service not known")).toContain(
      "by its name",
    );
    expect(said("fatal: something new at https://me:secret@host/x")).toContain(
      "Git says: something new at https://…@host/x.",
    );
    expect(gitProblem("push", "! [remote rejected] main (pre-receive hook declined)")).toContain(
      "did not accept",
    );
  });

  test("the result says who sees it, and its commit has the name of its person", async () => {
    const { session } = await post<{ session: string }>("ann", "/sessions", {
      ...{ project: "example", text: "ask result", mode: "edits" },
    });
    const result = (who: string) => get<TeamResultView>(who, `/sessions/${session}/result`);
    await until(async () => (await result("ann")).branch);
    expect(await result("ann")).toMatchObject({ owner: "ann", own: true, shared: false, hasPatch: true });
    // A repository that is only a folder has no pull requests.
    expect((await result("ann")).mayRequest).toBe(false);
    const refused = await ask("ann", "POST", `/sessions/${session}/pull-request`, {});
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("not on GitHub or GitLab")]);
    expect(repository.git("log", "-1", "--format=%an <%ae>", `wield/${session}`).trim()).toMatch(
      /^ann <u_\w+@users\.noreply\.invalid>$/,
    );
    await post("ann", `/sessions/${session}/share`, { shared: true });
    expect(await result("ben")).toMatchObject({
      owner: "ann",
      own: false,
      shared: true,
      projectName: "example",
    });
    const listed = await get<{ id: string; owner?: string; shared?: boolean }[]>("ben", "/sessions");
    expect(listed.find(({ id }) => id === session)).toMatchObject({ owner: "ann", shared: true });
    expect((await ask("ben", "GET", `/sessions/${session}/patch`)).text).toContain("+result");
  });

  test("a question of the agent waits for its person, without a worker, and is answered on the page", async () => {
    const { session } = await post<{ session: string }>("ann", "/sessions", {
      ...{ project: "example", text: "wonder tea" },
    });
    const asked = async (who: string) =>
      (await get<OpenView>(who, "/approvals")).questions.find(({ chat }) => chat?.id === session);
    const question = await until(() => asked("ann"));
    expect(question).toMatchObject({ server: "The agent", message: "What about tea?" });
    await until(
      async () => (await get<TeamResultView>("ann", `/sessions/${session}/result`)).state === "waiting",
    );
    // An admin may read the session and is told whom the question waits for; for others there is none.
    for (const [who, status] of [
      ["ben", 409],
      ["root", 403],
    ] as const) {
      expect(await asked(who)).toBeUndefined();
      expect((await ask(who, "POST", `/questions/${question.id}`, { action: "decline" })).status).toBe(
        status,
      );
    }
    const wrong = { action: "accept", content: { other: "yes" } };
    expect((await ask("ann", "POST", `/questions/${question.id}`, wrong)).status).toBe(400);
    const answer = { action: "accept", content: { answer: "yes" } };
    expect((await ask("ann", "POST", `/questions/${question.id}`, answer)).status).toBe(200);
    expect((await ask("ann", "POST", `/questions/${question.id}`, answer)).status).toBe(409);
    await until(
      async () => (await get<TeamResultView>("ann", `/sessions/${session}/result`)).state === "idle",
    );
    const told = (await ask("ann", "GET", `/sessions/${session}`)).text;
    expect(told).toContain("What about tea?\\n→ yes");
    const [line] = await get<AuditView[]>("root", "/audit?action=question");
    expect(line).toMatchObject({ name: "ann", action: "question.answer", detail: session });
  });

  test("a run that fails is told as failed: in its result, in the lists and to services", async () => {
    const heard: Record<string, string>[] = [];
    const service = createServer(async (incoming, response) => {
      heard.push(JSON.parse((await incoming.toArray()).join("")));
      response.end();
    });
    const port = await listen(service, 0, "127.0.0.1");
    const hook = await post<{ id: string }>("root", "/webhooks", {
      ...{ url: `http://127.0.0.1:${port}/`, events: ["session.ended"] },
    });
    const { session } = await post<{ session: string }>("ann", "/sessions", {
      ...{ project: "example", text: "fail badly" },
    });
    const told = await until(async () => heard.find((one) => one["session"] === session));
    const failed = { state: "idle", ended: "error", error: "The provider refuses badly" };
    expect(told).toMatchObject(failed);
    expect(await get("ann", `/sessions/${session}/result`)).toMatchObject(failed);
    const { sessions } = await get<TeamView>("root", "/team");
    expect(sessions.find(({ id }) => id === session)).toMatchObject(failed);
    const listed = await get<SessionSummary[]>("ann", "/sessions");
    expect(listed.find(({ id }) => id === session)).toMatchObject({ failed: "failed", project: "example" });
    await ask("root", "DELETE", `/webhooks/${hook.id}`);
    service.close();
  });

  test("a session that could not begin is listed with its words, and begins when its project is corrected", async () => {
    const wrong = join(repository.folder, "nowhere.git");
    await db.query("INSERT INTO projects (id, name, url, ref) VALUES ('j_w', 'stuck', $1, 'main')", [wrong]);
    const { session } = await post<{ session: string }>("ann", "/sessions", {
      ...{ project: "stuck", text: "work stuck 1", mode: "edits" },
    });
    const result = () => get<TeamResultView>("ann", `/sessions/${session}/result`);
    await until(async () => (await result()).state === "waiting");
    const listed = (await get<SessionSummary[]>("ann", "/sessions")).find(({ id }) => id === session);
    expect(listed).toMatchObject({ title: "work stuck 1", running: false, failed: "not begun" });
    expect(await get("ann", `/sessions/${session}`)).toMatchObject({ unfinished: true });
    await post("root", "/projects/j_w", { url: repository.url, ref: "main" });
    await until(async () => (await result()).ended === "done");
    expect(repository.git("show", `wield/${session}:count.txt`)).toBe("stuck 0\n");
    await ask("root", "DELETE", "/projects/j_w");
  });

  test("a session in the queue says what it waits for", async () => {
    const { id: ben } = await people.named(db.query, "ben");
    const { id: project } = (await projectNamed("example")) ?? {};
    const add = (session: string, state: string) =>
      db.query("INSERT INTO team_sessions (session, owner, project, state) VALUES ($1, $2, $3, $4)", [
        ...[session, ben, project, state],
      ]);
    await add("a_fifth", "queued");
    const body = JSON.stringify({ kind: "say", message: { text: "my fifth" }, how: {} });
    await db.query(
      "INSERT INTO messages (id, session, body, by_person) VALUES ('m_fifth', 'a_fifth', $1, $2)",
      [...[body, ben]],
    );
    const queued = async () => (await get<SessionView>("ben", "/sessions/a_fifth")).queued;
    expect(await queued()).toContain("for a worker with a free place");
    for (const n of [1, 2, 3, 4]) await add(`a_busy${n}`, "running");
    expect(await queued()).toContain("one person can run 4 sessions at once, and 4 are running");
    const [first] = await get<SessionSummary[]>("ben", "/sessions?query=fifth");
    expect(first).toMatchObject({ title: "my fifth", queued: true });
    await db.query("DELETE FROM messages WHERE session = 'a_fifth'");
    await db.query("DELETE FROM team_sessions WHERE session ~ '^a_(fifth|busy)'");
  });

  test("a webhook gets no secret of a session", async () => {
    const heard: Record<string, string>[] = [];
    const service = createServer(async (incoming, response) => {
      heard.push(JSON.parse((await incoming.toArray()).join("")));
      response.end();
    });
    const port = await listen(service, 0, "127.0.0.1");
    await post("root", "/webhooks", { url: `http://127.0.0.1:${port}/`, events: ["approval.needed"] });
    const secret = "sk_live_51Hxx9A8bC7dE6fG5hJ4kL3mN2pQ1rS0t";
    await post("ann", "/sessions", { project: "example", text: `ask quiet, the key is ${secret}` });
    const told = await until(async () => heard[0]);
    expect(JSON.stringify(told)).not.toContain(secret);
    expect(told).toMatchObject({ owner: "ann", title: "Not shown here because it contains a secret." });
    service.close();
  });

  test("the audit log is read by person and action, page by page, and saved as a file", async () => {
    await post("root", "/limits", { usd: null });
    const lines = (query: string) => get<AuditView[]>("root", `/audit?${query}`);
    const [newest] = await lines("limit=1");
    expect(newest).toMatchObject({ name: "root", action: "limit.set", subject: "team" });
    const [older] = await lines(`limit=1&before=${newest?.seq}`);
    expect(Number(older?.seq)).toBeLessThan(Number(newest?.seq));
    const anns = await lines("person=ann&action=session");
    expect(new Set(anns.map(({ name }) => name))).toEqual(new Set(["ann"]));
    expect(anns.map(({ action }) => action)).toContain("session.share");
    expect(anns.every(({ action }) => action.startsWith("session."))).toBe(true);
    expect((await lines("action=person.role"))[0]).toMatchObject({ about: "cat", detail: "member" });
    expect((await ask("root", "GET", "/audit?action=sess")).status).toBe(400);
    expect((await ask("root", "GET", "/audit?before=x")).status).toBe(400);
    // A name like a formula is no formula in a spreadsheet.
    await db.query(
      "INSERT INTO audit (person, action, subject, detail) VALUES ('x', 'y', 'z', '=1+1, \"a\"')",
    );
    const { text: csv } = await ask("root", "GET", "/audit/export?format=csv");
    expect(csv.split("\r\n")[0]).toBe("seq,at,person,name,action,subject,about,detail");
    expect(csv.split("\r\n")[1]).toMatch(/,x,x,y,z,z,"'=1\+1, ""a"""$/);
    const [all] = await db.query("SELECT count(*) AS n FROM audit");
    expect(csv.trim().split("\r\n").length - 1).toBe(Number(all?.["n"]));
    const { text: jsonl } = await ask("root", "GET", "/audit/export?format=jsonl&person=ann");
    const rows = jsonl
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as AuditView);
    expect(new Set(rows.map(({ name }) => name))).toEqual(new Set(["ann"]));
  });

  test("a worker that does not renew is shown as lost after the time of a lease", async () => {
    await db.query(
      "INSERT INTO workers (id, host, version, places, running, seen) VALUES ('gone', 'h', 'v', 4, 1, now() - interval '11 s')",
    );
    const { workers } = await get<TeamView>("root", "/team");
    expect(workers.map(({ id, lost }) => [id, lost])).toEqual([
      [worker.id, false],
      ["gone", true],
    ]);
    await db.query("DELETE FROM workers WHERE id = 'gone'");
  });
});
