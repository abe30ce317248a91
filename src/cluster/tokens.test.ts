import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TokenView } from "../api/team.ts";
import { hasPostgres, type TestDatabase, testDatabase } from "../store/postgres.suite.ts";
import { openPostgres, type PostgresDatabase } from "../store/postgres-database.ts";
import { migrate } from "./migrate.ts";
import { type Person, people, type Role } from "./people.ts";
import { tokens } from "./tokens.ts";
import { startWeb, type Web } from "./web.ts";

const dayMs = 24 * 60 * 60 * 1000;

describe.skipIf(!hasPostgres)("tokens with scopes", () => {
  const texts = new Map<string, string>();
  let database: TestDatabase;
  let db: PostgresDatabase;
  let web: Web;

  const ask = async (who: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${web.origin}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${texts.get(who)}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  /** Makes a token and names it; the status. */
  const make = async (name: string, by: string, body: object, path = "/tokens") => {
    const { status, text } = await ask(by, "POST", path, body);
    if (status === 201) texts.set(name, JSON.parse(text).token);
    return status;
  };
  const about = async (name: string): Promise<Person> => {
    const person = await tokens.person(db.query, texts.get(name) ?? "");
    if (!person) throw new Error(`${name} is not valid`);
    return person;
  };
  const daysLeft = async (name: string) =>
    Math.round((Number((await about(name)).expires) - Date.now()) / dayMs);
  const areValid = (...names: string[]) =>
    Promise.all(
      names.map(async (name) => (await tokens.person(db.query, texts.get(name) ?? "")) !== undefined),
    );

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
    await db.query("INSERT INTO projects (id, name, url, ref) VALUES ('app', 'app', '/nowhere.git', 'main')");
    web = await startWeb({
      ...{ database: database.url, version: "test", secretKey: "a key of more than thirty-two characters" },
    });
  });
  afterAll(async () => {
    await web.close();
    await db.close();
    await database.close();
  });

  test("one that manages the team gives nobody more rights or time than it has", async () => {
    expect(await make("manager", "root", { scopes: ["admin"], days: 1 })).toBe(201);
    // Its own person.
    expect(await make("again", "manager", { days: 365 }, "/people/root/tokens")).toBe(201);
    expect([(await about("again")).scopes, await daysLeft("again")]).toEqual([["admin"], 1]);
    expect(await make("x", "manager", { scopes: ["read"] }, "/people/root/tokens")).toBe(403);
    // Others, and a new account: as an admin no more than itself, as a member nothing.
    expect(await make("x", "manager", {}, "/people/ben/tokens")).toBe(403);
    expect(await make("x", "manager", { scopes: ["write"] }, "/people/ben/tokens")).toBe(403);
    expect(await make("second", "manager", { name: "second", role: "admin" }, "/people")).toBe(201);
    expect([(await about("second")).scopes, await daysLeft("second")]).toEqual([["admin"], 1]);
    expect(await make("x", "manager", { name: "third", role: "member" }, "/people")).toBe(403);
    expect((await people.list(db.query)).map(({ name }) => name)).not.toContain("third");
    // With all scopes: those that the role has.
    const all = ["read", "write", "approve", "admin"];
    expect(await make("all", "root", { scopes: all, days: 2 })).toBe(201);
    expect(await make("bens", "all", {}, "/people/ben/tokens")).toBe(201);
    expect([(await about("bens")).scopes, await daysLeft("bens")]).toEqual([["read", "write", "approve"], 2]);
    // Without scopes an admin makes what a person needs.
    expect(await make("full", "root", { days: 300 }, "/people/ben/tokens")).toBe(201);
    expect([(await about("full")).scopes, await daysLeft("full")]).toEqual([undefined, 300]);
  });

  test("one without the right to approve says nothing in a session that asks less", async () => {
    await make("writer", "ann", { scopes: ["read", "write"] });
    await make("approver", "ann", { scopes: ["read", "write", "approve"] });
    const { text } = await ask("ann", "POST", "/sessions", { project: "app", text: "begin" });
    const own = `/sessions/${JSON.parse(text).session}`;
    const waiting = async () => JSON.parse((await ask("ann", "GET", `${own}/queue`)).text).length;
    const say = (who: string, path: string) => ask(who, "POST", `${own}/${path}`, { text: "more" });
    expect((await say("writer", "messages")).status).toBe(202);
    for (const mode of ["edits", "auto"]) {
      expect((await ask("ann", "POST", `${own}/mode`, { mode })).status).toBe(200);
      const before = await waiting();
      for (const path of ["messages", "queue"]) {
        const refused = await say("writer", path);
        expect([refused.status, refused.text]).toEqual([403, expect.stringContaining(`mode ${mode}`)]);
      }
      expect((await ask("writer", "POST", `${own}/resume`, {})).status).toBe(403);
      expect(await waiting()).toBe(before);
      for (const who of ["ann", "approver"]) expect((await say(who, "messages")).status).toBe(202);
    }
    expect((await ask("writer", "POST", `${own}/mode`, { mode: "ask" })).status).toBe(200);
    expect((await say("writer", "messages")).status).toBe(202);
  });

  test("what one made is revoked with it, and what a person made with all rights stays", async () => {
    const chain = ["first", "made", "made by made"];
    await make("first", "ann", { scopes: ["read", "write"] });
    await make("made", "first", {});
    await make("made by made", "made", { scopes: ["write"] });
    await make("beside", "ann", { scopes: ["read", "write"] });
    expect(await areValid(...chain, "beside")).toEqual([true, true, true, true]);
    const { token: first } = await about("first");
    expect((await ask("ann", "DELETE", `/tokens/${first}`)).status).toBe(200);
    expect(await areValid(...chain, "beside")).toEqual([false, false, false, true]);
    expect((await ask("made by made", "POST", "/sessions", { project: "app", text: "x" })).status).toBe(401);
    // Made for somebody else, and revoked by an admin.
    await make("managing", "root", { scopes: ["read", "admin"] });
    await make("for ben", "managing", { scopes: ["read"] }, "/people/ben/tokens");
    const { token: managing } = await about("managing");
    expect((await ask("root", "DELETE", `/people/root/tokens/${managing}`)).status).toBe(200);
    expect(await areValid("managing", "for ben")).toEqual([false, false]);
    // Somebody replaces their token.
    await make("old", "ben", {});
    await make("new", "old", {});
    const listed = JSON.parse((await ask("new", "GET", "/tokens")).text) as TokenView[];
    expect(listed.map(({ scopes }) => scopes)).toContain(null);
    expect((await ask("new", "DELETE", `/tokens/${(await about("old")).token}`)).status).toBe(200);
    expect(await areValid("old", "new")).toEqual([false, true]);
  });

  test("one that is revoked while it makes another leaves none behind", async () => {
    await make("quick", "ann", { scopes: ["write"] });
    const quick = await about("quick");
    const { token = "" } = quick;
    let revoking: Promise<unknown> = Promise.resolve();
    await db.transaction(async (sql) => {
      texts.set("late", (await tokens.addBy(sql, quick, quick)).token);
      revoking = tokens.revoke(db.query, quick.id, token);
      await db.query("SELECT pg_sleep(0.2)");
    });
    await revoking;
    expect(await areValid("quick", "late")).toEqual([false, false]);
    await expect(db.transaction((sql) => tokens.addBy(sql, quick, quick))).rejects.toThrow("was revoked");
  });
});
