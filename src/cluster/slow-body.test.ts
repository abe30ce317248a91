import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { hasPostgres, type TestDatabase, testDatabase } from "../store/postgres.suite.ts";
import { openPostgres, type PostgresDatabase } from "../store/postgres-database.ts";
import { migrate } from "./migrate.ts";
import { people, type Role } from "./people.ts";
import { tokens } from "./tokens.ts";
import { startWeb, type Web } from "./web.ts";

const secretKey = "a key of more than thirty-two characters";

describe.skipIf(!hasPostgres)("a request whose body arrives slowly", () => {
  let database: TestDatabase;
  let db: PostgresDatabase;
  let web: Web;

  beforeAll(async () => {
    database = await testDatabase();
    await migrate(database.url);
    db = openPostgres(database.url);
    await people.add(db.query, "root", "admin");
    await db.query("INSERT INTO projects (id, name, url, ref) VALUES ('p', 'example', '/nowhere', 'main')");
    web = await startWeb({ database: database.url, version: "test", secretKey, bodyMs: 3000 });
  });
  afterAll(async () => {
    await web.close();
    await db.close();
    await database.close();
  });

  const join = async (name: string, role: Role) =>
    tokens.add(db.query, (await people.add(db.query, name, role)).id);

  /** Sends the headers and the first byte; `rest` sends the other ones. */
  const begin = async (path: string, token: string, value: unknown, length?: string) => {
    const body = JSON.stringify(value);
    const { hostname, port, host } = new URL(web.origin);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    socket.write(
      [
        ...[`POST /api${path} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${token}`],
        ...["Content-Type: application/json", length ?? `Content-Length: ${body.length}`, "", ""],
      ].join("\r\n"),
    );
    socket.write(length === undefined ? body.slice(0, 1) : `1\r\n${body.slice(0, 1)}\r\n`);
    return { socket, rest: () => socket.write(body.slice(1)) };
  };
  const statusOf = async (socket: Socket) => {
    const [answer] = (await once(socket, "data")) as [Buffer];
    return Number(answer.toString().split(" ")[1]);
  };
  const everything = async () =>
    JSON.stringify([
      await db.query("SELECT name, role, removed FROM people ORDER BY name"),
      await db.query("SELECT digest FROM tokens ORDER BY digest"),
      await db.query("SELECT name FROM secrets"),
      await db.query("SELECT url FROM webhooks"),
      await db.query("SELECT usd FROM cost_limits"),
      await db.query("SELECT session FROM team_sessions"),
      await db.query("SELECT seq FROM audit"),
    ]);

  test.each([
    ["/people", { name: "ghost", role: "admin" }],
    ["/people/root", { role: "viewer" }],
    ["/people/root/tokens", { label: "theirs" }],
    ["/tokens", { label: "theirs" }],
    ["/keys", { name: "OPENAI_API_KEY", value: "theirs", team: true }],
    ["/webhooks", { url: "https://example.org/hook", events: ["session.ended"] }],
    ["/limits", { usd: null }],
    ["/sessions", { project: "example", text: "hello" }],
  ])("of somebody who is removed before it ends does nothing: %s", async (path, body) => {
    const token = await join("leaver", "admin");
    const { socket, rest } = await begin(path, token, body);
    await sleep(100);
    await people.remove(db.query, "leaver");
    const before = await everything();
    const answer = statusOf(socket);
    rest();
    expect(await answer).toBe(401);
    expect(await everything()).toBe(before);
  });

  test("of somebody whose role changes before it ends is judged by the new one", async () => {
    const token = await join("demoted", "admin");
    const added = await begin("/people", token, { name: "ghost", role: "admin" });
    const started = await begin("/sessions", token, { project: "example", text: "hello" });
    await sleep(100);
    await people.changeRole(db.query, "demoted", "viewer");
    const before = await everything();
    const answers = [statusOf(added.socket), statusOf(started.socket)];
    added.rest();
    started.rest();
    expect(await Promise.all(answers)).toEqual([403, 403]);
    expect(await everything()).toBe(before);
  });

  test("is refused after its time", async () => {
    const { socket } = await begin("/tokens", await join("slow", "member"), { label: "x" });
    expect(await statusOf(socket)).toBe(408);
  });

  test("is not waited for without a valid token, however it announces its length", async () => {
    for (const length of [undefined, "Transfer-Encoding: chunked"]) {
      const { socket } = await begin("/sessions", "wield_wrong", { text: "x".repeat(1000) }, length);
      const began = performance.now();
      expect(await statusOf(socket)).toBe(401);
      expect(performance.now() - began).toBeLessThan(2000);
    }
  });

  test("is not kept beyond its size", async () => {
    const token = await join("large", "member");
    const { socket } = await begin("/sessions", token, {}, "Content-Length: 17000000");
    expect(await statusOf(socket)).toBe(413);
    const chunked = await begin("/sessions", token, {}, "Transfer-Encoding: chunked");
    chunked.socket.on("error", () => undefined);
    const answer = statusOf(chunked.socket);
    const part = "x".repeat(1_000_000);
    for (let sent = 0; sent < 17; sent++) chunked.socket.write(`${part.length.toString(16)}\r\n${part}\r\n`);
    expect(await answer).toBe(413);
  });
});
