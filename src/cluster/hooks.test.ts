import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasPostgres, type TestDatabase, testDatabase } from "../store/postgres.suite.ts";
import { openPostgres, type PostgresDatabase } from "../store/postgres-database.ts";
import { migrate } from "./migrate.ts";
import { startWeb, type Web } from "./web.ts";

describe.skipIf(!hasPostgres)("what other services may start", () => {
  let database: TestDatabase;
  let db: PostgresDatabase;
  let web: Web;

  const deliver = async (path: string, body: string, headers: Record<string, string>) => {
    const answer = await fetch(`${web.origin}/hooks/${path}/app`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const gitlab = (event: object) =>
    deliver("gitlab", JSON.stringify(event), { "x-gitlab-token": "gitlab token" });
  const count = async (sql: string) => Number((await db.query(`SELECT count(*) AS n FROM ${sql}`))[0]?.["n"]);

  beforeAll(async () => {
    database = await testDatabase();
    await migrate(database.url);
    db = openPostgres(database.url);
    await db.query("INSERT INTO projects (id, name, url, ref) VALUES ('app', 'app', $1, 'main')", [
      "https://git.example.org/team/app.git",
    ]);
    web = await startWeb({
      ...{ database: database.url, version: "test", secretKey: "a key of more than thirty-two characters" },
      ...{ githubSecret: "hook secret", gitlab: { token: "gitlab token", users: ["ann"] } },
    });
  });
  afterAll(async () => {
    await web.close();
    await db.close();
    await database.close();
  });

  const from = { user: { username: "ann" }, project: { path_with_namespace: "team/app" } };
  const issue = { iid: 7, title: "Broken", description: "How to get in.", confidential: false };
  const words = { action: "create", url: "https://example.org/n", note: "@wield look" };
  const note = { object_kind: "note", event_type: "note", ...from, object_attributes: words, issue };
  const opened = {
    action: "open",
    url: "https://example.org/i",
    iid: 8,
    title: "A",
    description: "@wield look",
  };
  const secret = { ...issue, confidential: true };
  const request = { iid: 3, title: "A change", description: null };

  test.each<[string, object]>([
    ["an internal note", { ...note, object_attributes: { ...words, internal: true } }],
    ["a confidential note", { ...note, object_attributes: { ...words, confidential: true } }],
    ["a mark of another form", { ...note, object_attributes: { ...words, internal: "yes" } }],
    ["an event of that name", { ...note, event_type: "confidential_note" }],
    ["a note on a confidential issue", { ...note, issue: secret }],
    ["a note with two subjects", { ...note, issue: secret, merge_request: request }],
    [
      "an internal note on a merge request",
      { ...note, issue: undefined, merge_request: request, object_attributes: { ...words, internal: true } },
    ],
    [
      "a confidential issue",
      { object_kind: "issue", ...from, object_attributes: { ...opened, confidential: true } },
    ],
  ])("%s starts no session, and the audit log says why", async (_, event) => {
    const before = await count("team_sessions");
    const lines = await count("audit WHERE action = 'hook.hidden'");
    for (const _again of [1, 2])
      expect(await gitlab(event)).toEqual({
        status: 202,
        body: { ignored: true, reason: expect.stringMatching(/^confidential or internal: /) },
      });
    expect(await count("team_sessions")).toBe(before);
    expect(await count("audit WHERE action = 'hook.hidden'")).toBe(lines + 1);
    const [line] = await db.query("SELECT detail FROM audit ORDER BY seq DESC LIMIT 1");
    expect(line?.["detail"]).toMatch(/^app: confidential or internal: (?:issue|merge request) \d$/);
  });

  test("what everybody may read starts one", async () => {
    expect((await gitlab(note)).status).toBe(201);
    const plain = { object_kind: "issue", event_type: "issue", ...from };
    expect((await gitlab({ ...plain, object_attributes: { ...opened, confidential: null } })).status).toBe(
      201,
    );
  });

  test.each(["repository_advisory", "security_advisory"])("%s of GitHub starts none", async (kind) => {
    const body = JSON.stringify({
      action: "opened",
      issue: { number: 1, title: "x", body: "@wield look", html_url: "x", author_association: "OWNER" },
      repository: { full_name: "team/app" },
    });
    const signature = `sha256=${createHmac("sha256", "hook secret").update(body).digest("hex")}`;
    const headers = { "x-github-event": kind, "x-hub-signature-256": signature };
    expect(await deliver("github", body, headers)).toEqual({ status: 202, body: { ignored: true } });
  });
});
