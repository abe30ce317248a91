import { once } from "node:events";
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasPostgres, type TestDatabase, testDatabase } from "../store/postgres.suite.ts";
import { openPostgres, type PostgresDatabase } from "../store/postgres-database.ts";
import { migrate } from "./migrate.ts";
import { people } from "./people.ts";
import { tokens } from "./tokens.ts";
import { startWeb, type Web } from "./web.ts";

describe.skipIf(!hasPostgres)("event streams of one person", () => {
  let database: TestDatabase;
  let db: PostgresDatabase;
  let web: Web;
  const requests: ClientRequest[] = [];

  beforeAll(async () => {
    database = await testDatabase();
    await migrate(database.url);
    db = openPostgres(database.url);
    web = await startWeb({ database: database.url, version: "test" });
  });
  afterAll(async () => {
    for (const request of requests) request.destroy();
    await web.close();
    await db.close();
    await database.close();
  });

  const join = async (name: string) =>
    tokens.add(db.query, (await people.add(db.query, name, "viewer")).id, {});
  const begin = (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const request = get(`${web.origin}/api/events`, { headers, agent: false });
    request.on("error", () => undefined);
    requests.push(request);
    return request;
  };
  const open = async (token: string) => {
    const request = begin(token);
    const [{ statusCode = 0 }] = (await once(request, "response")) as [IncomingMessage];
    return { statusCode, request };
  };
  const untilOpen = async (token: string) => {
    for (const end = Date.now() + 20_000; Date.now() < end; await sleep(50)) {
      const { statusCode, request } = await open(token);
      if (statusCode === 200) return request;
    }
    throw new Error("No stream became free.");
  };

  test("are a hundred at most; one that is closed makes room", async () => {
    const token = await join("ann");
    const opened = await Promise.all(Array.from({ length: 100 }, () => open(token)));
    expect(new Set(opened.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect((await open(token)).statusCode).toBe(429);
    expect((await open(await join("ben"))).statusCode).toBe(200);
    opened[0]?.request.destroy();
    await untilOpen(token);
    for (const { request } of opened) request.destroy();
  });

  test("that are left before they begin do not count", async () => {
    const token = await join("zoe");
    for (let tried = 0; tried < 120; tried++) {
      const request = begin(token);
      await once(request, "socket");
      await sleep(tried % 8);
      request.destroy();
    }
    await sleep(500);
    const opened = await Promise.all(Array.from({ length: 100 }, () => open(token)));
    expect(opened.filter(({ statusCode }) => statusCode !== 200)).toEqual([]);
  });
});
