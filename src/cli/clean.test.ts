import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSqliteStore } from "../store/sqlite-store.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import { runCli } from "./run-cli.suite.ts";

const long = (text: string) => `${text} `.repeat(400);
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

async function place(): Promise<TestWield & { state: string }> {
  const made = await testWield({ "a.txt": "a" });
  onTestFinished(() => made.close());
  const { store } = made.wield;
  const add = (id: string, days: number, text: string) =>
    store.appendEntry(
      {
        id,
        workspace: made.root,
        agent: "code",
        title: text.slice(0, 20),
        at: daysAgo(days),
        updated: daysAgo(days),
      },
      { seq: 1, at: daysAgo(days), data: { kind: "user", text } },
    );
  await add("a_old", 400, long("forgotten words"));
  await add("a_pinned", 400, long("pinned words"));
  await store.markSession("a_pinned", { pinned: true });
  await add("a_new", 1, long("fresh words"));
  await store.savePending({
    ...{ id: "h_1", workspace: made.root, tool: "apply_held_changes", args: {}, reason: "r", seen: {} },
    at: daysAgo(30),
  });
  await store.held(made.root).save({ id: "h_1", description: "d", data: Buffer.from(long("held words")) });
  const state = join(made.env["XDG_STATE_HOME"] ?? "", "wield");
  writeFileSync(join(state, "tidied"), "");
  return { ...made, state };
}

/** Whether the words are anywhere under the state folder. */
function isOnDisk(state: string, words: string): boolean {
  return readdirSync(state, { recursive: true, withFileTypes: true, encoding: "utf8" })
    .filter((entry) => entry.isFile())
    .some((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(words));
}

test("clean shows what is kept and what would go, and removes nothing before somebody says yes", async () => {
  const { root, env } = await place();
  const { code, out, err } = await runCli({ root, env }, ["clean"]);
  expect(code).toBe(0);
  expect(out).toMatch(/sessions +3 .* 1 would go \(6\.\d kB\)/);
  expect(out).toMatch(/approvals +1 .* 1 would go/);
  expect(err).toContain("wield clean --yes");
  expect((await runCli({ root, env }, ["sessions"])).out).toContain("a_old");
});

test("what was removed is gone from disk; pinned sessions, new ones and the last changes of files stay", async () => {
  const { root, env, state, wield } = await place();
  await wield.call("write_file", { path: "b.txt", content: "b" });
  const aside = join(state, "wield.db.damaged-20260101T000000");
  writeFileSync(aside, "damaged");
  expect(isOnDisk(state, "forgotten words")).toBe(true);
  const { out } = await runCli({ root, env }, ["clean", "--yes"]);
  expect(out).toMatch(/Removed: 1 sessions \(.*\), 1 approvals \(.*\), 1 set aside/);
  for (const words of ["forgotten words", "held words"]) expect(isOnDisk(state, words), words).toBe(false);
  const { out: left } = await runCli({ root, env }, ["sessions", "--json"]);
  expect((JSON.parse(left) as { id: string }[]).map(({ id }) => id).sort()).toEqual(["a_new", "a_pinned"]);
  expect((await runCli({ root, env }, ["changes"])).out).toContain("b.txt");
  expect(readdirSync(state)).not.toContain("wield.db.damaged-20260101T000000");
});

test("--days 0 removes everything but what is pinned, the journal included", async () => {
  const { root, env, wield, state } = await place();
  await wield.call("write_file", { path: "b.txt", content: "b" });
  const { code } = await runCli({ root, env }, ["clean", "--days", "0", "--yes"]);
  expect(code).toBe(0);
  expect((await runCli({ root, env }, ["changes", "--json"])).out.trim()).toBe("[]");
  expect(isOnDisk(state, "fresh words")).toBe(false);
  expect(isOnDisk(state, "pinned words")).toBe(true);
});

test("after all changes of a folder were removed, files can be changed and undone as before", async () => {
  const { root, env, wield } = await place();
  for (const path of ["b.txt", "c.txt"]) await wield.call("write_file", { path, content: "b" });
  for (const path of ["d.txt", "e.txt"]) {
    await runCli({ root, env }, ["clean", "--days", "0", "--yes"]);
    const { result } = await wield.call("write_file", { path, content: "d" });
    expect(result).toMatchObject({ ok: true });
  }
  expect((await runCli({ root, env }, ["undo", "--yes"])).code).toBe(0);
  expect(readdirSync(root)).not.toContain("e.txt");
  expect(JSON.parse((await runCli({ root, env }, ["changes", "--json"])).out)).toHaveLength(1);
});

test("sessions delete takes one off the disk, after a question", async () => {
  const { root, env, state } = await place();
  expect((await runCli({ root, env }, ["sessions", "delete", "a_new"])).err).toContain("--yes");
  expect(isOnDisk(state, "fresh words")).toBe(true);
  const { code, out } = await runCli({ root, env }, ["sessions", "delete", "a_new", "--yes"]);
  expect([code, out]).toEqual([0, "Deleted a_new: fresh words fresh wo\n"]);
  expect(isOnDisk(state, "fresh words")).toBe(false);
  expect((await runCli({ root, env }, ["sessions", "delete", "a_new", "--yes"])).code).toBe(1);
});

test("above the size limit the oldest sessions go, as far as needed", async () => {
  const { env, state } = await place();
  const store = openSqliteStore(join(state, "wield.db"));
  const megabyte = "x".repeat(1_000_000);
  for (let n = 0; n < 20; n++)
    await store.appendEntry(
      {
        id: `a_${n + 10}`,
        workspace: "/w",
        agent: "code",
        title: "t",
        at: daysAgo(20 - n),
        updated: daysAgo(20 - n),
      },
      { seq: 1, at: daysAgo(20 - n), data: { kind: "user", text: megabyte } },
    );
  const removed = await store.upkeep?.().remove({ before: {}, bytes: 16_000_000 });
  expect(removed?.sessions.count).toBeGreaterThan(4);
  expect(removed?.sessions.count).toBeLessThan(9);
  expect(await store.session("a_29")).toBeDefined();
  expect(await store.session("a_10")).toBeUndefined();
  await store.close();
  expect(env).toBeDefined();
});

test("once a day, the process that ends then removes what is beyond the limits", async () => {
  const { reopen, root, env, state } = await place();
  await (await reopen()).close();
  expect((await runCli({ root, env }, ["sessions"])).out).toContain("a_old");
  const yesterday = new Date(Date.now() - 2 * 86_400_000);
  utimesSync(join(state, "tidied"), yesterday, yesterday);
  const store = openSqliteStore(join(state, "wield.db"));
  await store.appendEntry(
    { id: "a_late", workspace: root, agent: "code", title: "t", at: daysAgo(300), updated: daysAgo(300) },
    { seq: 1, at: daysAgo(300), data: {} },
  );
  await store.close();
  await (await reopen()).close();
  expect((await runCli({ root, env }, ["sessions"])).out).not.toMatch(/a_late|a_old/);
});
