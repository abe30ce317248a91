import { createHmac } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PageEvent } from "../api/api.ts";
import type { OpenView } from "../api/approvals.ts";
import type { SessionView } from "../api/sessions.ts";
import type { ScheduleView, TeamView } from "../api/team.ts";
import { teamClient } from "../app/team-client.ts";
import { openJobs } from "../jobs/pg-boss-jobs.ts";
import { listen } from "../server/http-server.ts";
import { hasPostgres, type TestDatabase, testDatabase } from "../store/postgres.suite.ts";
import { openPostgres, type PostgresDatabase } from "../store/postgres-database.ts";
import { openPostgresStore } from "../store/postgres-store.ts";
import { ringTool } from "../testing/ring-tool.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import type { ApiRoute } from "./api/route.ts";
import { auditGroups } from "./audit-log.ts";
import { addressSpellings, scriptFor, testRepository } from "./cluster.suite.ts";
import { migrate } from "./migrate.ts";
import { fittingName, nameRule } from "./name.ts";
import { testIssuer } from "./oidc.suite.ts";
import { people, type Role } from "./people.ts";
import { reply } from "./reply.ts";
import { type Project, Repositories } from "./repositories.ts";
import { keysOf } from "./secrets.ts";
import { tokens as accountTokens } from "./tokens.ts";
import { startWeb, type Web } from "./web.ts";
import { apiRoutes } from "./web-api.ts";
import { startWorker, type Worker } from "./worker.ts";

const secretKey = "a key of more than thirty-two characters";
/** Only Ann's session holds this word. */
const hidden = "zebrafish";

describe.skipIf(!hasPostgres)("the page of a team", () => {
  const repository = testRepository();
  const tokens = new Map<string, string>();
  let database: TestDatabase;
  let db: PostgresDatabase;
  let webs: [Web, Web];
  let worker: Worker;
  let session = "";
  let ask = "";
  let question = "";
  let schedule = "";
  let project = "";
  /** The id of Ann's token. */
  let annsToken = "";

  const request = async (who: string, method: string, path: string, body?: unknown, at = webs[0]) => {
    const token = tokens.get(who);
    const response = await fetch(`${at.origin}${path}`, {
      method: method.toUpperCase(),
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(method !== "get" && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(170_000),
    });
    if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
      await response.body?.cancel();
      return { status: response.status, text: "" };
    }
    return { status: response.status, text: await response.text() };
  };
  const until = async <T>(look: () => Promise<T | undefined | false>): Promise<T> => {
    for (const end = Date.now() + 170_000; Date.now() < end; await sleep(50)) {
      const found = await look();
      if (found) return found;
    }
    throw new Error("This did not happen in time.");
  };
  const view = async (id: string, at = webs[0]) =>
    JSON.parse((await request("ann", "get", `/api/sessions/${id}`, undefined, at)).text) as SessionView;

  const startTestWorker = () =>
    startWorker({
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

  beforeAll(async () => {
    database = await testDatabase();
    await migrate(database.url);
    db = openPostgres(database.url);
    for (const [name, role] of [
      ["ann", "member"],
      ["ben", "member"],
      ["eve", "viewer"],
      ["root", "admin"],
      ["robot", "bot"],
    ] as [string, Role][])
      tokens.set(name, await accountTokens.add(db.query, (await people.add(db.query, name, role)).id));
    const web = () =>
      startWeb({
        database: database.url,
        version: "test",
        secretKey,
        githubSecret: "hook secret",
        gitlab: { token: "gitlab token", users: ["ann"] },
      });
    webs = [await web(), await web()];
    const added = await request("root", "post", "/api/projects", {
      name: "example",
      url: repository.url,
      ref: "main",
    });
    expect(added.status).toBe(201);
    project = JSON.parse(added.text).id;
    annsToken = JSON.parse((await request("ann", "get", "/api/tokens")).text)[0].id;
    worker = await startTestWorker();
    const nightly = { name: "nightly", project: "example", cron: "30 2 * * *", prompt: `ask ${hidden}` };
    schedule = JSON.parse((await request("ann", "post", "/api/schedules", nightly)).text).id;
    const started = await request("ann", "post", "/api/sessions", { text: `ask ${hidden}` });
    session = JSON.parse(started.text).session;
    await request("ann", "post", "/api/sessions", { text: `wonder ${hidden}` });
    question = await until(
      async () => JSON.parse((await request("ann", "get", "/api/approvals")).text).questions[0]?.id,
    );
    ask = await until(
      async () => JSON.parse((await request("ann", "get", "/api/approvals")).text).asks[0]?.id,
    );
  });
  afterAll(async () => {
    await worker.close(0);
    for (const web of webs) await web.close();
    await db.close();
    await database.close();
    repository.remove();
  });

  const pathOf = ({ path }: ApiRoute) =>
    `/api${path.replace("/calls/:id", `/calls/${ask}`).replace(":id", session).replace(":ask", ask).replace(":message", "m_1").replace(":index", "0").replace(":name", "ann").replace(":schedule", schedule).replace(":webhook", "h_1").replace(":project", project).replace(":token", annsToken).replace(":key", "EXA_API_KEY").replace(":question", question)}`;
  const bodies: Readonly<Record<string, unknown>> = {
    "/sessions": { text: "work other 1" },
    "/sessions/:id/messages": { text: "hello" },
    "/sessions/:id/queue": { text: "hello" },
    "/sessions/:id/model": { model: "openai/y" },
    "/sessions/:id/mode": { mode: "auto" },
    "/sessions/:id/share": { shared: true },
    "/approvals/:ask": { approved: true },
    "/questions/:question": { action: "decline" },
    "/projects": { name: "theirs", url: "https://example.org/x.git", ref: "main" },
    "/projects/:project": { url: "https://example.org/x.git", ref: "main" },
    "/people": { name: "mallory", role: "admin" },
    "/people/:name": { role: "viewer" },
    "/people/:name/tokens": { label: "theirs" },
    "/keys": { name: "EXA_API_KEY", value: "v", team: true },
    "/limits": { usd: 0 },
    "/webhooks": { url: "https://example.org/hook", events: ["session.ended"] },
    "/schedules/:schedule": { prompt: "work theirs 1" },
    "/schedules": { name: "theirs", project: "nowhere", cron: "0 6 * * *", prompt: "work nightly 1" },
    "/tokens": { scopes: ["admin"] },
  };

  test.each(apiRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "%s: nobody reaches what is another's",
    async (_, route) => {
      const path = route.path === "/events" ? `/api/events?session=${session}` : pathOf(route);
      const body = route.method === "post" ? (bodies[route.path] ?? {}) : undefined;
      expect((await request("nobody", route.method, path, body)).status).toBe(401);
      for (const who of ["ben", "eve", "robot"]) {
        const { status, text } = await request(who, route.method, path, body);
        expect(text).not.toContain(hidden);
        expect(text).not.toContain(session);
        if (route.reach === "admin") expect([who, status]).toEqual([who, 403]);
        else if (route.reach !== "everybody") expect([403, 404, 409]).toContain(status);
      }
      // As if nothing of it had been tried.
      const row = await db.query("SELECT shared, model, stop FROM team_sessions WHERE session = $1", [
        session,
      ]);
      expect(row).toEqual([{ shared: false, model: null, stop: false }]);
      const [kept] = await db.query(
        "SELECT j.url, p.role FROM projects j, tokens t JOIN people p ON p.id = t.person WHERE j.id = $1 AND t.id = $2",
        [project, annsToken],
      );
      expect(kept).toEqual({ url: repository.url, role: "member" });
      const [open] = await db.query("SELECT answer, closed FROM asks WHERE id = $1", [ask]);
      expect(open).toEqual({ answer: null, closed: false });
      const [asked] = await db.query("SELECT answer, closed FROM questions WHERE id = $1", [question]);
      expect(asked).toEqual({ answer: null, closed: false });
    },
  );

  test.each(["read", "write", "approve"] as const)(
    "an admin's token with the scope %s reaches nothing that is private to others",
    async (scope) => {
      const admin = await people.named(db.query, "root");
      tokens.set("limited", await accountTokens.add(db.query, admin.id, { scopes: [scope], days: 1 }));
      for (const route of apiRoutes) {
        const path = route.path === "/events" ? `/api/events?session=${session}` : pathOf(route);
        // What belongs to everybody is tried by reading alone.
        if (route.reach === "everybody" && route.method !== "get") continue;
        const body = route.method === "post" ? (bodies[route.path] ?? {}) : undefined;
        const { status, text } = await request("limited", route.method, path, body);
        expect([route.path, text]).toEqual([route.path, expect.not.stringContaining(hidden)]);
        expect([route.path, text]).toEqual([route.path, expect.not.stringContaining(session)]);
        if (route.reach !== "everybody")
          expect([route.path, status]).toEqual([route.path, expect.toBeOneOf([403, 404, 409])]);
      }
      const [row] = await db.query("SELECT stop FROM team_sessions WHERE session = $1", [session]);
      expect(row).toEqual({ stop: false });
    },
  );

  test("an admin's list of sessions has no words of private ones", async () => {
    const listed = await request("root", "get", "/api/team");
    expect(listed.text).not.toContain(hidden);
    const { sessions } = JSON.parse(listed.text) as TeamView;
    expect(sessions.find(({ id }) => id === session)).toMatchObject({ title: "", private: true });
  });

  test("an admin who is shown a request of a bot's private session has read it, which is recorded once", async () => {
    const started = await request("robot", "post", "/api/sessions", { text: "ask quietly" });
    const id: string = JSON.parse(started.text).session;
    const shown = () => request("root", "get", "/api/approvals").then(({ text }) => text.includes(id));
    await until(shown);
    expect(await shown()).toBe(true);
    const lines = await db.query("SELECT person FROM audit WHERE action = 'session.read' AND subject = $1", [
      id,
    ]);
    expect(lines).toEqual([{ person: (await people.named(db.query, "root")).id }]);
    expect((await request("ann", "get", "/api/approvals")).text).not.toContain(id);
    expect((await request("root", "post", `/api/sessions/${id}/stop`)).status).toBe(202);
  });

  test("an admin reads what is private, which is recorded once, and it is not among the admin's chats", async () => {
    // As a page asks: all at once.
    const reads = ["", "/result", "/queue"].map((what) =>
      request("root", "get", `/api/sessions/${session}${what}`),
    );
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const lines = await db.query("SELECT person FROM audit WHERE action = 'session.read' AND subject = $1", [
      session,
    ]);
    expect(lines).toEqual([{ person: (await people.named(db.query, "root")).id }]);
    expect((await request("root", "get", "/api/sessions")).text).not.toContain(session);
    expect((await request("ann", "get", "/api/sessions")).text).toContain(session);
  });

  test("an admin who answers for somebody else is told whom the request waits for", async () => {
    const answer = await request("root", "post", `/api/approvals/${ask}`, { approved: true });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain(
      "This request waits for ann, who started the session: only they can answer it.",
    );
    expect((await request("ben", "post", `/api/approvals/${ask}`, { approved: true })).text).not.toContain(
      "ann",
    );
  });

  test("NUL in an address or a name is a wrong request", async () => {
    for (const route of apiRoutes.filter(({ path }) => path.includes(":"))) {
      const path = `/api${route.path.replace(/:\w+/, "a%00b").replaceAll(/:\w+/g, "0")}`;
      const body = route.method === "post" ? (bodies[route.path] ?? {}) : undefined;
      const { status, text } = await request("root", route.method, path, body);
      expect([route.path, status, text]).toEqual([
        route.path,
        expect.toBeOneOf([400, 403, 404]),
        expect.not.stringContaining("INTERNAL_ERROR"),
      ]);
    }
    expect((await request("root", "get", "/api/sessions/%00")).status).toBe(400);
    expect((await request("root", "post", "/api/people", { name: "a\0b", role: "member" })).status).toBe(400);
  });

  test("a name that is taken is refused: nobody loses a role by being added again", async () => {
    const again = await request("root", "post", "/api/people", { name: "root", role: "member" });
    expect([again.status, again.text]).toEqual([409, expect.stringContaining("root is in the team already")]);
    for (const [path, body] of [
      ["/api/people", { name: "bad name", role: "member" }],
      ["/api/projects", { name: "bad name", url: "https://example.org/x.git", ref: "main" }],
    ] as const) {
      const refused = await request("root", "post", path, body);
      expect([refused.status, refused.text]).toEqual([
        400,
        expect.stringContaining("A name has letters, digits and . _ @ -"),
      ]);
    }
    expect((await request("root", "get", "/api/people")).status).toBe(200);
  });

  test("what is shared is read by others, and only its owner speaks in it", async () => {
    expect((await request("ann", "post", `/api/sessions/${session}/share`, { shared: true })).status).toBe(
      200,
    );
    expect((await request("eve", "get", `/api/sessions/${session}`)).text).toContain(hidden);
    for (const route of apiRoutes
      .filter(
        ({ path }) =>
          path.startsWith("/sessions/:id") ||
          path.startsWith("/approvals/:ask") ||
          path.startsWith("/questions/:"),
      )
      .filter(({ reach }) => reach === "owner" || reach === "answerer"))
      for (const who of ["ben", "eve", "robot"]) {
        const { status } = await request(who, route.method, pathOf(route), bodies[route.path] ?? {});
        expect([403, 409]).toContain(status);
      }
    expect((await request("ann", "post", `/api/sessions/${session}/share`, { shared: false })).status).toBe(
      200,
    );
    expect((await request("eve", "get", `/api/sessions/${session}`)).status).toBe(404);
  });

  test("a page on one process follows a session that another process answered for", async () => {
    const before = await view(session, webs[1]);
    expect(before.session.running).toBe(true);
    const events: PageEvent[] = [];
    const stream = await fetch(`${webs[1].origin}/api/events?session=${session}`, {
      headers: { authorization: `Bearer ${tokens.get("ann")}`, "last-event-id": before.cursor },
    });
    const reading = (async () => {
      let rest = "";
      for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const parts = (rest + chunk).split("\n\n");
        rest = parts.pop() ?? "";
        for (const part of parts) {
          const data = /^data: (.*)$/m.exec(part)?.[1];
          if (data) events.push(JSON.parse(data) as PageEvent);
        }
      }
    })().catch(() => undefined);
    await request("ann", "post", `/api/approvals/${ask}`, { approved: true });
    await until(async () => !(await view(session, webs[1])).session.running);
    await until(async () => events.some(({ type }) => type === "resync" || type === "chunk"));
    const after = await view(session, webs[1]);
    expect(after.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(JSON.stringify(after.messages)).toContain(`asked ${hidden}`);
    expect(after.messages.at(-1)?.metadata).toMatchObject({ stop: "done" });
    await until(async () => repository.git("branch", "--list", "wield/*").includes(session));
    await stream.body?.cancel().catch(() => undefined);
    void reading;
  });

  test("live events make the same message as the log", async () => {
    const started = await request("ann", "post", "/api/sessions", { text: "work live 12" });
    const id = JSON.parse(started.text).session as string;
    await request("ann", "post", `/api/sessions/${id}/mode`, { mode: "edits" });
    let grown = 0;
    let last = "";
    await until(async () => {
      const now = await view(id);
      const told = JSON.stringify(now.chunks ?? now.messages);
      if (told.length > last.length) grown++;
      last = told;
      return now.session.running ? undefined : now;
    });
    expect(grown).toBeGreaterThan(2);
    const { messages } = await view(id);
    expect(JSON.stringify(messages)).toContain("finished live");
  });

  test("keys are kept encrypted, named but never shown, and reach workers only", async () => {
    const value = "sk-very-secret";
    expect((await request("ann", "post", "/api/keys", { name: "ANTHROPIC_API_KEY", value })).status).toBe(
      200,
    );
    expect(
      (await request("ann", "post", "/api/keys", { name: "OPENAI_API_KEY", value, team: true })).status,
    ).toBe(403);
    expect(
      (await request("root", "post", "/api/keys", { name: "OPENAI_API_KEY", value: "t", team: true })).status,
    ).toBe(200);
    expect((await request("ann", "get", "/api/keys")).text).toContain("ANTHROPIC_API_KEY");
    expect((await request("ben", "get", "/api/keys")).text).not.toContain("ANTHROPIC_API_KEY");
    // A variable that says where keys go, or where settings are, is no key.
    for (const name of ["ANTHROPIC_BASE_URL", "XDG_CONFIG_HOME", "HOME", "PATH", "WIELD_MODEL"])
      expect((await request("ann", "post", "/api/keys", { name, value })).status).toBe(400);
    const rows = await db.query("SELECT sealed FROM secrets");
    expect(rows.some(({ sealed }) => (sealed as Buffer).includes(value))).toBe(false);
    const ann = (await people.list(db.query)).find(({ name }) => name === "ann")?.id ?? "";
    expect(await keysOf(db.query, ann, secretKey)).toEqual({
      keys: { ANTHROPIC_API_KEY: value, OPENAI_API_KEY: "t" },
      unreadable: [],
    });
    expect(await keysOf(db.query, ann, "another key of thirty-two characters")).toEqual({
      keys: {},
      unreadable: ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"],
    });
    await db.query("INSERT INTO secrets (owner, name, sealed) VALUES ($1, 'HOME', '')", [ann]);
    expect(JSON.stringify(await keysOf(db.query, ann, secretKey))).not.toContain("HOME");
    for (const who of ["ann", "robot"])
      for (const model of addressSpellings("127.0.0.1:9")) {
        const started = await request(who, "post", "/api/sessions", { text: "hello", model });
        expect([model, started.status]).toEqual([model, 400]);
      }
    for (const model of addressSpellings("127.0.0.1:9")) {
      const chosen = await request("ann", "post", `/api/sessions/${session}/model`, { model });
      expect([model, chosen.status]).toEqual([model, 400]);
    }
    // A row that somebody moves to their own name cannot be opened.
    await db.query("UPDATE secrets SET owner = 'u_ben' WHERE name = 'ANTHROPIC_API_KEY'");
    expect((await keysOf(db.query, "u_ben", secretKey)).unreadable).toEqual(["ANTHROPIC_API_KEY"]);
    await db.query("DELETE FROM secrets");
  });

  test("webhooks start a session when their signature is right, once for each delivery", async () => {
    const said = (
      author: string,
      of = repository.url
        .split("/")
        .slice(-2)
        .join("/")
        .replace(/\.git$/, ""),
    ) =>
      JSON.stringify({
        action: "created",
        issue: { number: 7, title: "Broken", body: "It fails.", html_url: "https://example.org/7" },
        comment: {
          body: "@wield work hook 1",
          html_url: "https://example.org/7#c",
          author_association: author,
        },
        repository: { full_name: of },
      });
    let payload = said("MEMBER");
    let delivery = 0;
    const post = (signature: string, event = "issue_comment") =>
      fetch(`${webs[0].origin}/hooks/github/example`, {
        method: "POST",
        headers: {
          ...{ "content-type": "application/json", "x-github-event": event },
          "x-github-delivery": `d${delivery++}`,
          "x-hub-signature-256": signature,
        },
        body: payload,
      });
    const signed = (secret: string) => `sha256=${createHmac("sha256", secret).update(payload).digest("hex")}`;
    for (const forged of ["", "sha256=00", signed("another secret"), signed("hook secret").toUpperCase()])
      expect((await post(forged)).status).toBe(403);
    const first = await post(signed("hook secret"));
    expect(first.status).toBe(201);
    const { session: id } = (await first.json()) as { session: string };
    expect(await (await post(signed("hook secret"))).json()).toEqual({ session: id });
    // At the same moment, too, it is one session.
    payload = said("MEMBER").replace("work hook 1", "work twice 1");
    const both = await Promise.all([post(signed("hook secret")), post(signed("hook secret"))]);
    const [one, other] = await Promise.all(both.map((answer) => answer.json()));
    expect(one).toEqual(other);
    expect((await post(signed("hook secret"), "push")).status).toBe(202);
    payload = said("NONE");
    expect((await post(signed("hook secret"))).status).toBe(202);
    // Neither a comment of Wield's own nor a program gives tasks.
    payload = said("OWNER").replace("work hook 1", "work own 1\\n\\n<!-- wield e1 -->");
    expect((await post(signed("hook secret"))).status).toBe(202);
    payload = JSON.stringify({ ...JSON.parse(said("OWNER")), sender: { type: "Bot" } });
    expect((await post(signed("hook secret"))).status).toBe(202);
    payload = said("OWNER", "somebody/else");
    expect((await post(signed("hook secret"))).status).toBe(403);
    expect((await request("ben", "get", `/api/sessions/${id}`)).status).toBe(200);
    // Nobody sits behind a bot: a member answers for it, a viewer does not.
    const askOf = async (name: string) => {
      const { asks } = JSON.parse((await request(name, "get", "/api/approvals")).text) as OpenView;
      return asks.find(({ chat }) => chat?.id === id)?.id;
    };
    const asked = await until(() => askOf("ben"));
    expect([await askOf("eve"), await askOf("robot")]).toEqual([undefined, undefined]);
    for (const name of ["eve", "robot"])
      expect((await request(name, "post", `/api/approvals/${asked}`, { approved: true })).status).toBe(403);
    expect((await request("ben", "post", `/api/approvals/${asked}`, { approved: false })).status).toBe(200);
    // Of one that is not shared only admins hear.
    await db.query("UPDATE team_sessions SET shared = false WHERE session = $1", [id]);
    const next = await until(() => askOf("root"));
    expect(await askOf("ben")).toBeUndefined();
    expect((await request("ben", "post", `/api/approvals/${next}`, { approved: true })).status).toBe(409);
    expect((await request("root", "post", `/api/approvals/${next}`, { approved: true })).status).toBe(200);
  });

  test("what a session answered is written under its issue or request, once", async () => {
    const [hooked] = await db.query(
      "SELECT session, reply FROM team_sessions WHERE reply IS NOT NULL ORDER BY at LIMIT 1",
    );
    const id = String(hooked?.["session"]);
    expect(JSON.parse(String(hooked?.["reply"]))).toEqual({ service: "github", number: 7, isRequest: false });
    await until(async () => {
      const { asks } = JSON.parse((await request("root", "get", "/api/approvals")).text) as OpenView;
      for (const one of asks.filter(({ chat }) => chat?.id === id))
        await request("root", "post", `/api/approvals/${one.id}`, { approved: true });
      const ordered = "SELECT 1 FROM pgboss.job WHERE data ->> 'kind' = 'reply' AND data ->> 'session' = $1";
      return (await db.query(ordered, [id])).length > 0;
    });
    const written: { path: string; body: string; token: string }[] = [];
    const service = createServer(async (incoming, response) => {
      const body = (await incoming.toArray()).join("");
      const [path = ""] = (incoming.url ?? "").split("?");
      const token = String(incoming.headers.authorization ?? incoming.headers["private-token"]);
      if (incoming.method === "POST") written.push({ path, token, body: JSON.parse(body).body });
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify(incoming.method === "POST" ? {} : written.filter((one) => one.path === path)),
      );
    });
    const port = await listen(service, 0, "127.0.0.1");
    const [was] = await db.query("SELECT project, branch FROM team_sessions WHERE session = $1", [id]);
    await db.query("INSERT INTO projects (id, name, url, ref) VALUES ('hosted', 'hosted', $1, 'main')", [
      `http://127.0.0.1:${port}/team/app.git`,
    ]);
    const request7 = "https://hub.example/pull/7";
    await db.query("UPDATE team_sessions SET project = 'hosted', pull_request = $2 WHERE session = $1", [
      ...[id, request7],
    ]);
    expect(JSON.parse((await request("root", "get", `/api/sessions/${id}/result`)).text).pullRequest).toBe(
      request7,
    );
    const store = await openPostgresStore(db);
    const apisAt = (host: string) => ({ github: `http://${host}/api/v3`, gitlab: `http://${host}/api/v4` });
    const repositories = new Repositories(join(repository.folder, "replies"), process.env);
    // The project only pretends to be on that service: its files are in the repository.
    const secretsOf = (project: Project, commit: string) =>
      repositories.secretsOf({ ...project, url: repository.url }, commit);
    const parts = {
      ...{ database: db, store, repositories: { secretsOf } },
      hosts: { tokens: { github: "gh", gitlab: "gl" }, apis: apisAt(`127.0.0.1:${port}`) },
    };
    await reply(parts, id, "e1");
    await reply(parts, id, "e1");
    const tokens = { github: undefined, gitlab: "gl" };
    await reply({ ...parts, hosts: { ...parts.hosts, tokens } }, id, "e2");
    const place = { service: "gitlab", number: 4, isRequest: true };
    await db.query("UPDATE team_sessions SET reply = $2 WHERE session = $1", [id, JSON.stringify(place)]);
    await reply(parts, id, "e3");
    expect(written.map(({ path, token }) => [path, token])).toEqual([
      ["/api/v3/repos/team/app/issues/7/comments", "Bearer gh"],
      ["/api/v4/projects/team%2Fapp/merge_requests/4/notes", "gl"],
    ]);
    expect(written[0]?.body).toContain("finished hook");
    expect(written[0]?.body).toContain(String(was?.["branch"]));
    expect(written[0]?.body).toContain(request7);
    // What Wield writes calls nobody, itself included.
    const [before] = await db.query("SELECT note, base FROM team_sessions WHERE session = $1", [id]);
    const bodyWith = async (errand: string, note: string) => {
      await db.query("UPDATE team_sessions SET note = $2 WHERE session = $1", [id, note]);
      await reply(parts, id, errand);
      return String(written.at(-1)?.body);
    };
    const calm = await bodyWith("e4", "@wield look again, (@ann) &#64;ben, mail a@example.org\n/merge");
    expect(calm).toContain(
      "@\u200bwield look again, (@\u200bann) &#64;\u200bben, mail a@example.org\n\u200b/merge",
    );
    // A secret by its shape, one that the session has read, and one of a file in its commit.
    const file = join(repository.folder, "env");
    writeFileSync(file, "SERVICE_PASSWORD=correct-horse-47-battery\n");
    const blob = repository.git("hash-object", "-w", file).trim();
    repository.git("update-index", "--add", "--cacheinfo", `100644,${blob},config/.env`);
    const tree = repository.git("write-tree").trim();
    const who = ["-c", "user.name=t", "-c", "user.email=t@localhost"];
    const commit = repository.git(...who, "commit-tree", tree, "-m", "with a secret").trim();
    repository.git("update-ref", "refs/heads/with-secret", commit);
    await db.query("UPDATE team_sessions SET base = $2 WHERE session = $1", [id, commit]);
    await store.sessionStates().change(id, (state) => ({
      ...state,
      flow: { seen: {}, secrets: [{ name: "PIN", value: "tulip-garden-8812-north" }] },
    }));
    const secrets = [
      "sk_live_51Hxx9A8bC7dE6fG5hJ4kL3mN2pQ1rS0t",
      "tulip-garden-8812-north",
      "correct-horse-47-battery",
    ];
    for (const [n, secret] of secrets.entries()) {
      const body = await bodyWith(`s${n}`, `The key is ${secret}.`);
      expect(body).toBe(
        `The answer is in the session \`${id}\` of Wield. It is not shown here because it contains a secret.\n\n<!-- wield s${n} -->`,
      );
    }
    // Without its files it is not known what is secret: nothing is written.
    const count = written.length;
    const unknown = () => Promise.reject(new Error("no files"));
    await expect(reply({ ...parts, repositories: { secretsOf: unknown } }, id, "e5")).rejects.toThrow(
      "no files",
    );
    // The token goes to the configured address, never to one that the project names; and unencrypted to this machine only.
    const moveTo = (host: string) =>
      db.query("UPDATE projects SET url = $1 WHERE id = 'hosted'", [`http://${host}/team/app.git`]);
    await moveTo(`localhost:${port}`);
    await reply(parts, id, "e6");
    await moveTo(`0.0.0.0:${port}`);
    await reply({ ...parts, hosts: { ...parts.hosts, apis: apisAt(`0.0.0.0:${port}`) } }, id, "e7");
    expect(written.length).toBe(count);
    await db.query("UPDATE team_sessions SET note = $2, base = $3 WHERE session = $1", [
      ...[id, before?.["note"], before?.["base"]],
    ]);
    await db.query("UPDATE team_sessions SET project = $2 WHERE session = $1", [id, was?.["project"]]);
    await db.query("DELETE FROM projects WHERE id = 'hosted'");
    service.close();
  });

  test("webhooks of GitLab need the token and a named person, and start one session for the same words", async () => {
    const of = repository.url
      .split("/")
      .slice(-2)
      .join("/")
      .replace(/\.git$/, "");
    const note = (username: string, path = of) => ({
      object_kind: "note",
      user: { username },
      project: { path_with_namespace: path },
      object_attributes: { note: "@wield work gitlab 1", url: "https://example.org/1", action: "create" },
      merge_request: { iid: 4, title: "A change", description: null },
    });
    const post = async (token: string | undefined, body: unknown) => {
      const answer = await fetch(`${webs[0].origin}/hooks/gitlab/example`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(token !== undefined && { "x-gitlab-token": token }),
        },
        body: JSON.stringify(body),
      });
      return { status: answer.status, ...((await answer.json()) as { session?: string }) };
    };
    for (const forged of [undefined, "", "gitlab tokens", "hook secret"])
      expect((await post(forged, note("ann"))).status).toBe(403);
    expect((await post("gitlab token", note("stranger"))).status).toBe(202);
    expect((await post("gitlab token", note("ann", "somebody/else"))).status).toBe(403);
    const own = note("ann");
    own.object_attributes.note += "\n\n<!-- wield e1 -->";
    expect((await post("gitlab token", own)).status).toBe(202);
    // Whoever has the name of the service neither gets its sessions nor loses a role to it.
    const named = await people.bySubject(db, "issuer 7", "gitlab");
    const first = await post("gitlab token", note("ann"));
    expect(first.status).toBe(201);
    const [owner] = await db.query("SELECT owner FROM team_sessions WHERE session = $1", [first.session]);
    expect(owner?.["owner"]).not.toBe(named.id);
    expect(await people.named(db.query, "gitlab")).toEqual({ id: named.id, name: "gitlab", role: "member" });
    expect(await post("gitlab token", note("ann"))).toEqual({ status: 200, session: first.session });
  });

  test("a schedule starts sessions of its person, and services hear of them with a signature", async () => {
    const heard: { event: string; body: string; signature: string }[] = [];
    let refusals = 1;
    const service = createServer(async (incoming, response) => {
      const body = (await incoming.toArray()).join("");
      const { "x-wield-event": event, "x-wield-signature-256": signature } = incoming.headers;
      response.statusCode = refusals-- > 0 ? 503 : 200;
      if (response.statusCode === 200)
        heard.push({ body, event: String(event), signature: String(signature) });
      response.end();
    });
    const port = await listen(service, 0, "127.0.0.1");
    const hook = { url: `http://127.0.0.1:${port}/`, events: ["session.ended"] };
    const { id, secret } = JSON.parse((await request("root", "post", "/api/webhooks", hook)).text);
    expect((await request("ben", "post", `/api/schedules/${schedule}/run`, {})).status).toBe(404);
    expect((await request("ben", "delete", `/api/schedules/${schedule}`)).status).toBe(404);
    expect((await request("ann", "post", `/api/schedules/${schedule}/run`, {})).status).toBe(202);
    const started = await until(async () => {
      const [row] = JSON.parse((await request("ann", "get", "/api/schedules")).text);
      return (row.last_session as string | null) ?? undefined;
    });
    const [owner] = await db.query(
      "SELECT p.name FROM team_sessions t JOIN people p ON p.id = t.owner WHERE session = $1",
      [started],
    );
    expect(owner).toEqual({ name: "ann" });
    const asked = await until(async () => {
      const { asks } = JSON.parse((await request("ann", "get", "/api/approvals")).text);
      return asks.find(({ chat }: { chat: { id: string } }) => chat.id === started);
    });
    // The service refuses once; the engine tries again. Not to wait for that long, the next try is made due.
    await request("ann", "post", `/api/approvals/${asked.id}`, { approved: false });
    const told = await until(async () => {
      await db.query("UPDATE pgboss.job SET start_after = now() WHERE name = 'errands' AND state = 'retry'");
      return heard.find(({ body }) => body.includes(started));
    });
    expect(told.event).toBe("session.ended");
    expect(told.signature).toBe(`sha256=${createHmac("sha256", secret).update(told.body).digest("hex")}`);
    expect(JSON.parse(told.body)).toMatchObject({
      session: started,
      owner: "ann",
      project: "example",
      state: "idle",
    });
    expect((await request("root", "get", "/api/webhooks")).text).not.toContain(secret);
    const bad = { name: "bad", project: "example", cron: "61 * * * *", prompt: "x" };
    const wrong = await request("ann", "post", "/api/schedules", bad);
    expect([wrong.status, JSON.parse(wrong.text).error.message]).toEqual([
      400,
      "This is not a cron line. Example: 30 6 * * 1-5",
    ]);
    for (const [cron, zone, complaint] of [
      ["0 0 31 2 *", "UTC", "This cron line is not due on any day of the next four years."],
      [
        "0 0 0 31 2,4,6,9,11 *",
        "America/New_York",
        "This cron line is not due on any day of the next four years.",
      ],
      ["0 6 * * *", "Mars/X", 'There is no time zone "Mars/X". Examples: UTC, Europe/Berlin'],
    ])
      expect((await request("ann", "post", "/api/schedules", { ...bad, cron, zone })).text).toContain(
        JSON.stringify(complaint),
      );
    const empty = await request("ann", "post", "/api/schedules", { ...bad, name: "", profile: "cook" });
    expect(JSON.parse(empty.text).error.message).toBe(
      "name must not be empty.\nprofile must be one of: code, explore, research, assistant.",
    );
    const [ran] = await db.query("SELECT detail FROM audit WHERE action = 'schedule.run'");
    expect(ran).toEqual({ detail: `nightly: ${started}` });
    const [line] = JSON.parse((await request("root", "get", "/api/audit?action=schedule.run")).text);
    expect(line).toMatchObject({ about: "nightly" });
    const unknown = await request("root", "get", "/api/audit?action=approval");
    expect([unknown.status, unknown.text]).toEqual([
      400,
      expect.stringContaining("There is no such action."),
    ]);
    expect((await request("root", "delete", `/api/webhooks/${id}`)).status).toBe(200);
    expect((await request("ann", "delete", `/api/schedules/${schedule}`)).status).toBe(200);
    service.close();
  });

  test("a schedule does not start for a time before it was made", async () => {
    const leapDay = { name: "rare", project: "example", cron: "0 0 29 2 *", prompt: "work x 1" };
    const { id } = JSON.parse((await request("ann", "post", "/api/schedules", leapDay)).text);
    // The queue looks back a minute, and so orders it for a time that was over already.
    const jobs = await openJobs({ database: db });
    await db.transaction((sql) => jobs.errand(sql, { kind: "schedule", schedule: id }));
    const done = "SELECT 1 FROM pgboss.job WHERE data->>'schedule' = $1 AND state = 'completed'";
    await until(async () => (await db.query(done, [id])).length > 0);
    const [rare] = await db.query("SELECT last_at, last_session, problem FROM schedules WHERE id = $1", [id]);
    expect(rare).toEqual({ last_at: null, last_session: null, problem: null });
    expect((await request("ann", "delete", `/api/schedules/${id}`)).status).toBe(200);
    await jobs.close();
  });

  test("a token does only what its scopes say, and makes none that may more", async () => {
    const scoped = async (who: string, ...scopes: string[]) => {
      const { token } = JSON.parse((await request(who, "post", "/api/tokens", { scopes })).text);
      tokens.set(`${who} ${scopes}`, token);
      return `${who} ${scopes}`;
    };
    const reader = await scoped("root", "read");
    const tried = apiRoutes.filter(({ path, method }) => path !== "/events" && method !== "delete");
    for (const route of tried) {
      const body = route.method === "post" ? (bodies[route.path] ?? {}) : undefined;
      const { status } = await request(reader, route.method, pathOf(route), body);
      if (route.method === "get" && route.reach !== "admin") expect([route.path, status]).not.toContain(403);
      else expect([route.path, status]).toEqual([route.path, 403]);
    }
    const writer = await scoped("ann", "read", "write");
    expect((await request(writer, "post", `/api/sessions/${session}/share`, { shared: false })).status).toBe(
      200,
    );
    expect((await request(writer, "post", `/api/approvals/${ask}`, { approved: true })).status).toBe(403);
    expect((await request(writer, "post", "/api/tokens", { scopes: ["approve"] })).status).toBe(403);
    for (const [who, scope] of [
      ["ann", "admin"],
      ["robot", "approve"],
      ["eve", "write"],
    ] as const) {
      const body = { scopes: ["read", scope] };
      expect((await request(who, "post", "/api/tokens", body)).status).toBe(400);
      const refused = await request("root", "post", `/api/people/${who}/tokens`, body);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(`${who} has the role`)]);
    }
    // Whose key pays is not for a token with few rights.
    const key = { name: "EXA_API_KEY", value: "v" };
    expect((await request(writer, "post", "/api/keys", key)).status).toBe(403);
    expect((await request("ann", "post", "/api/keys", key)).status).toBe(200);
    expect((await request(writer, "delete", "/api/keys/EXA_API_KEY")).status).toBe(403);
    expect((await request("ann", "delete", "/api/keys/EXA_API_KEY")).status).toBe(200);
    // To be asked less is to answer beforehand.
    for (const mode of ["edits", "auto"]) {
      expect((await request(writer, "post", `/api/sessions/${session}/mode`, { mode })).status).toBe(403);
      for (const who of [writer, "robot"])
        expect(
          (await request(who, "post", "/api/sessions", { project: "example", text: "x", mode })).status,
        ).toBe(403);
    }
    expect((await request(writer, "post", `/api/sessions/${session}/mode`, { mode: "ask" })).status).toBe(
      200,
    );
    const short = { scopes: ["write"], days: 1 };
    tokens.set("short", JSON.parse((await request("ann", "post", "/api/tokens", short)).text).token);
    expect((await request("short", "post", "/api/tokens", { scopes: ["write"], days: 300 })).status).toBe(
      201,
    );
    const [longest] = await db.query(
      "SELECT max(expires) < now() + interval '2 days' AS ends FROM tokens WHERE scopes = 'write'",
    );
    expect(longest).toEqual({ ends: true });
  });

  test("an admin sees workers, sessions, people and cost, and sets limits that hold", async () => {
    const seen = () => request("root", "get", "/api/team").then(({ text }) => JSON.parse(text) as TeamView);
    const before = await seen();
    expect(before.workers).toMatchObject([{ version: "test", places: 16 }]);
    expect(before.sessions.find(({ id }) => id === session)).toMatchObject({
      owner: "ann",
      project: "example",
    });
    expect(before.cost.models).toMatchObject([{ name: "scripted/scripted", usd: 0 }]);
    expect(JSON.parse((await request("ben", "get", "/api/status")).text).model).toBe(
      "Default: scripted/scripted",
    );
    expect(before.cost.month.tokens).toBeGreaterThan(0);
    // As if these had been steps of a model that costs something.
    await db.query(
      `INSERT INTO spending (session, seq, owner, project, top, model, tokens_in, tokens_out, usd)
       SELECT session, 1000, owner, project, session, 'a/b', 1, 1, 3 FROM team_sessions WHERE session = $1`,
      [session],
    );
    expect((await seen()).people.find(({ name }) => name === "ann")).toMatchObject({ usd: 3, limit: null });
    expect((await request("root", "post", "/api/limits", { person: "ann", usd: 2 })).status).toBe(200);
    const newest = async () => Number((await db.query("SELECT max(seq) AS seq FROM audit"))[0]?.["seq"]);
    const last = await newest();
    const refused = await request("ann", "post", "/api/sessions", {
      project: "example",
      text: "work dear 1",
    });
    expect(refused.status).toBe(429);
    expect(refused.text).toContain(
      "Your cost limit of $2.00 a month is reached. An admin can raise it; otherwise you can continue next month.",
    );
    expect(
      (await request("ben", "post", "/api/sessions", { project: "example", text: "work cheap 1" })).status,
    ).toBe(201);
    // The refused start has used up no number.
    expect(await newest()).toBe(last + 1);
    expect((await request("root", "post", "/api/limits", { usd: 1 })).status).toBe(200);
    const team = await request("ben", "post", "/api/sessions", { project: "example", text: "work dear 1" });
    expect(team.text).toContain("The team's cost limit of $1.00 a month is reached.");
    for (const person of ["ann", undefined])
      await request("root", "post", "/api/limits", { person, usd: null });
    await db.query("DELETE FROM spending WHERE model = 'a/b'");
  });

  test("the audit log has every answer with its person, and nobody edits it", async () => {
    const rows = JSON.parse((await request("root", "get", "/api/audit")).text) as {
      action: string;
      subject: string;
      detail: string;
    }[];
    expect(rows.find(({ action, subject }) => action === "ask.approve" && subject === ask)?.detail).toBe(
      `create_file ${hidden}.txt in ${session}`,
    );
    expect(rows.map(({ action }) => action)).toContain("project.add");
    for (const change of ["UPDATE audit SET person = 'x'", "DELETE FROM audit", "TRUNCATE audit"])
      await expect(db.query(change)).rejects.toThrow("only added to");
  });

  test("every route that changes something leaves a line in the audit log, with its person", async () => {
    const ids = new Map((await people.list(db.query)).map(({ name, id }) => [name, id]));
    const done = new Set<string>();
    const act = async (who: string, key: string, path: string, body?: unknown) => {
      const lines = async () =>
        (await db.query("SELECT seq, action FROM audit WHERE person = $1", [ids.get(who)])).length;
      const before = await lines();
      const [method = "", route = ""] = key.split(" ");
      const { status, text } = await request(who, method, `/api${path}`, body);
      expect([key, status, text]).toEqual([key, expect.toBeOneOf([200, 201, 202]), text]);
      expect([key, await lines()]).toEqual([key, before + 1]);
      done.add(`${method} ${route}`);
      return text === "" ? {} : JSON.parse(text);
    };
    const { session: id } = await act("ann", "post /sessions", "/sessions", {
      project: "example",
      text: "ask audited",
    });
    const asked = await until(async () => {
      const { asks } = JSON.parse((await request("ann", "get", "/api/approvals")).text) as OpenView;
      return asks.find(({ chat }) => chat?.id === id)?.id;
    });
    const own = `/sessions/${id}`;
    await act("ann", "post /questions/:question", `/questions/${question}`, { action: "decline" });
    await act("ann", "post /sessions/:id/model", `${own}/model`, { model: "anthropic/claude" });
    await act("ann", "post /sessions/:id/mode", `${own}/mode`, { mode: "auto" });
    await act("ann", "post /sessions/:id/share", `${own}/share`, { shared: true });
    const move = (url: string) => db.query("UPDATE projects SET url = $2 WHERE id = $1", [project, url]);
    await move("https://github.com/example/app.git");
    await act("ann", "post /sessions/:id/pull-request", `${own}/pull-request`, {});
    await move(repository.url);
    // Nobody takes messages while the only worker is closed.
    await worker.close(0);
    await act("ann", "post /sessions/:id/messages", `${own}/messages`, { text: "more" });
    await act("ann", "post /sessions/:id/queue", `${own}/queue`, { text: "even more" });
    const [waiting] = await db.query("SELECT id FROM messages WHERE session = $1 AND begun IS NULL", [id]);
    await act("ann", "post /sessions/:id/queue/:message/take", `${own}/queue/${waiting?.["id"]}/take`, {});
    await act("ann", "post /sessions/:id/resume", `${own}/resume`, {});
    await act("ann", "post /approvals/:ask", `/approvals/${asked}`, { approved: false });
    await act("root", "post /sessions/:id/stop", `${own}/stop`, {});
    const nightly = { name: "audited", project: "example", cron: "30 2 * * *", prompt: "work x 1" };
    const { id: planned } = await act("ann", "post /schedules", "/schedules", nightly);
    const moved = { cron: "0 3 * * *", zone: "Europe/Berlin", name: "moved" };
    await act("ann", "post /schedules/:schedule", `/schedules/${planned}`, moved);
    const planning = JSON.parse((await request("ann", "get", "/api/schedules")).text) as ScheduleView[];
    expect(planning.find((one) => one.id === planned)).toMatchObject({ ...moved, prompt: "work x 1" });
    await act("root", "post /schedules/:schedule/run", `/schedules/${planned}/run`, {});
    await act("ann", "delete /schedules/:schedule", `/schedules/${planned}`);
    await act("ann", "post /tokens", "/tokens", { scopes: ["read"] });
    const newest = async (who: string, path: string) =>
      JSON.parse((await request(who, "get", `/api${path}`)).text)[0].id as string;
    await act("ann", "delete /tokens/:token", `/tokens/${await newest("ann", "/tokens")}`);
    await act("ann", "post /keys", "/keys", { name: "EXA_API_KEY", value: "v" });
    await act("ann", "delete /keys/:key", "/keys/EXA_API_KEY");
    await request("root", "post", "/api/keys", { name: "EXA_API_KEY", value: "v", team: true });
    await act("root", "delete /team/keys/:key", "/team/keys/EXA_API_KEY");
    const address = { url: "https://example.invalid/x.git", ref: "main" };
    const { id: added } = await act("root", "post /projects", "/projects", { name: "audited", ...address });
    await act("root", "post /projects/:project", "/projects/audited", { ...address, ref: "next" });
    await act("root", "post /projects/:project/check", "/projects/audited/check", {});
    await act("root", "delete /projects/:project", `/projects/${added}`);
    await act("root", "post /people", "/people", { name: "temporary", role: "viewer" });
    await act("root", "post /people/:name", "/people/temporary", { role: "member" });
    await act("root", "post /people/:name/tokens", "/people/temporary/tokens", {});
    const theirs = `/people/temporary/tokens`;
    await act("root", "delete /people/:name/tokens/:token", `${theirs}/${await newest("root", theirs)}`);
    await act("root", "delete /people/:name", "/people/temporary");
    const hook = { url: "https://example.org/hook", events: ["session.ended"] };
    const { id: heard } = await act("root", "post /webhooks", "/webhooks", hook);
    await act("root", "delete /webhooks/:webhook", `/webhooks/${heard}`);
    await act("root", "post /limits", "/limits", { usd: null });
    const changing = apiRoutes.filter(({ method }) => method !== "get");
    const actions = (await db.query("SELECT DISTINCT action FROM audit")).map(({ action }) => String(action));
    expect(actions.filter((action) => !auditGroups.some((group) => action.split(".")[0] === group))).toEqual(
      [],
    );
    expect([...done].sort()).toEqual(changing.map(({ method, path }) => `${method} ${path}`).sort());
    await db.query("DELETE FROM secrets");
    worker = await startTestWorker();
  });

  test("the typed client asks and is refused like any other", async () => {
    const client = (who: string) => teamClient({ origin: webs[0].origin, token: tokens.get(who) ?? "" });
    const { session: id } = await client("ann")("POST /sessions", {
      body: { text: "ask typed", project: "example" },
    });
    expect((await client("ann")("GET /sessions", {})).map((one) => one.id)).toContain(id);
    expect((await client("ann")("GET /sessions/:id/result", { id })).shared).toBe(false);
    await expect(client("ben")("GET /sessions/:id", { id })).rejects.toMatchObject({
      status: 404,
      code: "FILE_NOT_FOUND",
    });
    expect(await client("root")("POST /sessions/:id/stop", { id })).toEqual({});
  });

  test("health, readiness, figures and the description of the API", async () => {
    expect((await request("nobody", "get", "/health")).text).toBe("ok");
    expect((await request("nobody", "get", "/ready")).text).toBe("ready");
    expect((await request("nobody", "get", "/metrics")).status).toBe(401);
    expect((await request("ann", "get", "/metrics")).status).toBe(403);
    expect((await request("robot", "get", "/metrics")).text).toMatch(/^wield_workers 1$/m);
    const described = JSON.parse((await request("nobody", "get", "/api/openapi.json")).text);
    expect(Object.keys(described.paths)).toContain("/api/sessions/{id}");
    expect(described.paths["/api/approvals/{ask}"].post.requestBody).toBeDefined();
    const start = described.paths["/api/sessions"].post.requestBody.content["application/json"].schema;
    expect(start.properties.result.enum).toEqual(["branch", "pull-request"]);
    expect(described.paths["/api/sessions/{id}/result"].get.summary).toContain("pull request");
    const { workers } = JSON.parse((await request("root", "get", "/api/workers")).text);
    expect(workers).toHaveLength(1);
  });

  test("signing in with an identity provider makes a member, and only its own answer is accepted", async () => {
    const provider = await testIssuer({ sub: "42", email: "zoe@example.org" });
    const signIn = { issuer: provider.issuer, clientId: "wield", clientSecret: "s" };
    const web = await startWeb({ database: database.url, version: "test", secretKey, signIn });
    const follow = (url: string, cookie?: string) =>
      fetch(url, {
        redirect: "manual",
        headers: { ...(cookie && { cookie }), "sec-fetch-site": "cross-site" },
      });
    const begun = await follow(`${web.origin}/sign-in`);
    const cookie = begun.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect(begun.headers.get("set-cookie")).toContain("HttpOnly");
    const back = (await follow(begun.headers.get("location") ?? "")).headers.get("location") ?? "";
    // Neither without what this browser was given, nor with a state of somebody else, nor from another site elsewhere.
    expect((await follow(back)).status).toBe(403);
    expect((await follow(back.replace(/state=[^&]+/, "state=x"), cookie)).status).toBe(403);
    expect((await follow(`${web.origin}/api/status`)).status).toBe(403);
    const again = await follow(`${web.origin}/sign-in`);
    const kept = again.headers.get("set-cookie")?.split(";")[0] ?? "";
    const answer = (await follow(again.headers.get("location") ?? "")).headers.get("location") ?? "";
    const entered = await follow(answer, kept);
    expect(entered.status).toBe(302);
    const token = /#token=(wield_[\w-]+)$/.exec(entered.headers.get("location") ?? "")?.[1] ?? "";
    tokens.set("zoe", token);
    expect((await request("zoe", "get", "/api/status")).text).toContain("zoe@example.org");
    expect((await people.list(db.query)).find(({ name }) => name === "zoe@example.org")?.role).toBe("member");
    expect(fittingName(" Zoé van  Dyk (Ops) ", "person")).toBe("Zoé-van-Dyk-Ops");
    expect(fittingName("(!)", "person")).toBe("person");
    expect((await people.list(db.query)).every(({ name }) => nameRule.test(name))).toBe(true);
    // Those who come for the first time at once with one name are as many people.
    for (const name of ["twin", "namesake"]) {
      const all = Array.from({ length: 8 }, (_, n) => people.bySubject(db, `${name} ${n}`, name));
      expect(new Set((await Promise.all(all)).map(({ id }) => id)).size).toBe(8);
    }
    await web.close();
    provider.close();
  });

  test("a removed person's token ends at once, and other sites' requests are refused", async () => {
    expect((await request("eve", "get", "/api/status")).status).toBe(200);
    expect((await request("root", "delete", "/api/people/eve")).status).toBe(200);
    expect((await request("eve", "get", "/api/status")).status).toBe(401);
    const foreign = await fetch(`${webs[0].origin}/api/status`, {
      headers: { origin: "https://evil.example", authorization: `Bearer ${tokens.get("ann")}` },
    });
    expect(foreign.status).toBe(403);
    const elsewhere = new URL(webs[0].origin);
    const byName = httpRequest(elsewhere, { headers: { host: `wield.example.org:${elsewhere.port}` } }).end();
    const [answer] = (await once(byName, "response")) as [IncomingMessage];
    expect(answer.statusCode).toBe(421);
    expect((await answer.toArray()).join("")).toContain("set WIELD_PUBLIC_URL");
  });
});
