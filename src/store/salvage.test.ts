import { mkdtempSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFolder } from "../testing/remove-folder.ts";
import { repairStore } from "./repair-store.ts";
import { databaseProblem } from "./salvage.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const page = 4_096;
const sessions = 200;
let folder = "";
const file = () => join(folder, "wield.db");
const repairedFile = () => join(folder, "repaired.db");
const idOf = (n: number) => `a_${String(n).padStart(4, "0")}`;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "wield-salvage-"));
  const store = openSqliteStore(file());
  const at = "2026-01-01T00:00:00.000Z";
  for (let n = 0; n < sessions; n++) {
    const session = { id: idOf(n), workspace: "/ws", agent: "code", title: `Session ${n}`, at, updated: at };
    for (const seq of [1, 2])
      await store.appendEntry(session, {
        seq,
        at,
        data: { kind: "user", text: `said ${n} ${"x".repeat(500)}` },
      });
    await store
      .documents("/ws")
      .create({ id: `d_${n}`, title: `Paper ${n}`, kind: "text", content: `about topic${n}` });
  }
  await store.close();
});
afterEach(() => removeFolder(folder));

async function saved() {
  const store = openSqliteStore(repairedFile());
  const list = await store.sessions({ workspace: "/ws", limit: 1_000 });
  const entries = await Promise.all(list.map(async ({ id }) => (await store.entries(id)).length));
  const found = await store.documents("/ws").search("topic7", 10);
  await store.close();
  return {
    sessions: list.length,
    entries: entries.reduce((sum, count) => sum + count, 0),
    found: found.length,
  };
}

test("a page of the logs that is lost costs what was on it", async () => {
  const bytes = readFileSync(file());
  const at = Math.floor(bytes.indexOf("said 100 ") / page) * page;
  writeFileSync(file(), bytes.fill(0xa5, at, at + page));
  expect(databaseProblem(file())?.message).toContain("is damaged");
  const tables = repairStore(file(), repairedFile(), "/ws");
  expect(tables.some(({ whole }) => !whole)).toBe(true);
  expect(databaseProblem(repairedFile())).toBeUndefined();
  const { sessions: count, entries } = await saved();
  expect(count).toBeGreaterThan(sessions - 60);
  expect(entries).toBeGreaterThan(2 * sessions - 60);
  expect(readFileSync(file()).equals(bytes)).toBe(true);
});

test("without its first hundred bytes, everything else is still found", async () => {
  writeFileSync(file(), readFileSync(file()).fill(0xa5, 0, 100));
  expect(databaseProblem(file())?.message).toContain("is damaged");
  repairStore(file(), repairedFile(), "/ws");
  expect(await saved()).toEqual({ sessions, entries: 2 * sessions, found: 1 });
});

test("of a truncated file, what is before the end is saved; sessions without a name of their own belong to this folder", async () => {
  truncateSync(file(), Math.floor(readFileSync(file()).length / page / 2) * page);
  repairStore(file(), repairedFile(), "/ws");
  expect(databaseProblem(repairedFile())).toBeUndefined();
  const { sessions: count, entries } = await saved();
  expect(count).toBeGreaterThan(20);
  expect(entries).toBeGreaterThan(20);
});

test("one that is nothing but noise gives an empty store that works", async () => {
  writeFileSync(file(), Buffer.alloc(40_000, 0xa5));
  expect(repairStore(file(), repairedFile(), "/ws")).toEqual([]);
  expect(await saved()).toEqual({ sessions: 0, entries: 0, found: 0 });
});
