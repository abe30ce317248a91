import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeFolder } from "../testing/remove-folder.ts";
import { openDatabase } from "./database.ts";
import { addFiles, sqliteFiles } from "./sqlite-files.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import { storeContract } from "./store.suite.ts";
import type { Store } from "./store.ts";

storeContract("the SQLite store", async () => {
  const { file, remove } = newFile();
  const stores: [Store, Store] = [openSqliteStore(file), openSqliteStore(file)];
  return {
    stores,
    close: async () => {
      for (const store of stores) await store.close();
      remove();
    },
  };
});

test("two processes that write one document at once lose nothing", async () => {
  const { file, remove } = newFile();
  const store = openSqliteStore(file);
  const { id } = await store.documents("/w").create({ id: "d_log", title: "Log", kind: "text", content: "" });
  const writer = join(import.meta.dirname, "fixtures/document-writer.ts");
  const run = (name: string) =>
    new Promise<number | null>((resolve) => {
      spawn(process.execPath, [writer, file, id, name], { stdio: "inherit" }).on("exit", resolve);
    });
  expect(await Promise.all([run("a"), run("b")])).toEqual([0, 0]);
  const { content, version } = await store.documents("/w").read(id);
  await store.close();
  remove();
  expect(version).toBe(201);
  const expected = ["a", "b"].flatMap((name) => Array.from({ length: 100 }, (_, i) => `${name}${i}`));
  expect(content.trimEnd().split("\n").sort()).toEqual(expected.sort());
});

test("files of the oldest calls are removed for new ones, and never those of the newest", async () => {
  const db = openDatabase(":memory:", "");
  const files = sqliteFiles(db);
  const add = (call: string, ...sizes: number[]) => {
    const made = sizes.map((size, at) => ({ name: `${at}`, mediaType: "x/y", bytes: new Uint8Array(size) }));
    db.transaction(() => addFiles(db, call, made, 100));
  };
  const kept = async () => [...(await files.list(["a", "b", "c", "d"])).keys()];
  add("a", 40);
  add("b", 20, 20);
  expect(await kept()).toEqual(["a", "b"]);
  add("c", 50);
  expect(await kept()).toEqual(["b", "c"]);
  // Whole calls: an index always names the same file.
  add("a", 20);
  expect(await kept()).toEqual(["a", "c"]);
  add("d", 70, 70);
  expect(await kept()).toEqual(["d"]);
  db.close();
});

test("statistics over many calls let other work run in between", async () => {
  const store = openSqliteStore(":memory:");
  const numbers = { durationMs: 1, bytes: 0, tokensIn: 0, tokensOut: 0 };
  for (const tool of ["a", "b", "c"])
    await store.recordCall({
      ...{ id: `c_${tool}`, session: "s", tool, at: "2026", ok: true, errorCode: null, approval: "auto" },
      ...numbers,
    });
  let turns = 0;
  const count = () => {
    turns++;
    waiting = setImmediate(count);
  };
  let waiting = setImmediate(count);
  expect(await store.statistics()).toHaveLength(3);
  clearImmediate(waiting);
  expect(turns).toBeGreaterThanOrEqual(2);
  await store.close();
});

function newFile(): { file: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "wield-store-"));
  return {
    file: join(folder, "wield.db"),
    remove: () => removeFolder(folder),
  };
}

test("a search reads only logs that can have the words, and finds what was stored before it knew them", async () => {
  const { file, remove } = newFile();
  const store = openSqliteStore(file);
  const say = (id: string, seq: number, text: string) =>
    store.appendEntry(
      { id, workspace: "/w", agent: "code", title: "t", at: "1", updated: "1" },
      { seq, at: "1", data: { kind: "user", text } },
    );
  const found = async (query: string) => (await store.sessions({ query })).map(({ id }) => id);
  await say("a", 1, "The HARdware, naïvely");
  await say("b", 1, "a windmill");
  const db = openDatabase(file, "");
  // As an earlier version leaves them; what it adds later has no marks either.
  db.exec("DELETE FROM session_words; DELETE FROM session_word_marks");
  expect(await found("hardWARE, naïv")).toEqual(["a"]);
  db.exec(`INSERT INTO entries VALUES ('b', 2, '1', '{"kind":"user","text":"a harbour"}')`);
  await say("b", 3, "and a pier");
  for (const word of ["harbour", "pier", "windmill"]) expect(await found(word)).toEqual(["b"]);

  // The marks decide: without them in the row, the log is not looked at.
  db.exec("UPDATE session_word_marks SET marks = zeroblob(8192) WHERE session = 'b'");
  expect(await found("harbour")).toEqual([]);
  await store.removeSession("b");
  expect(db.sql("SELECT session FROM session_word_marks").all()).toEqual([{ session: "a" }]);
  db.close();
  await store.close();
  remove();
});
