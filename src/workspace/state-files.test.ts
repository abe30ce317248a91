import { spawnSync } from "node:child_process";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Lock } from "./lock.ts";
import { ensureDirectory, readIfThere, writeAtomic } from "./state-files.ts";
import { makeFolder } from "./workspace.suite.ts";

test("a folder is made for its owner alone, and again without complaint", () => {
  const { folder } = makeFolder();
  const path = join(folder, "state/deep");
  ensureDirectory(path);
  ensureDirectory(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test("a file is written whole, for its owner alone, and replaced", () => {
  const { folder } = makeFolder();
  const path = join(folder, "new/settings.json");
  expect(readIfThere(path)).toBeUndefined();
  writeAtomic(path, "1");
  writeAtomic(path, Buffer.from("zwei"));
  expect(readIfThere(path)?.toString()).toBe("zwei");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, "new"))).toEqual(["settings.json"]);
});

test("a path below a file is not there", () => {
  const { folder } = makeFolder();
  writeFileSync(join(folder, "file"), "");
  expect(readIfThere(join(folder, "file/x"))).toBeUndefined();
});

test("a lock is kept when the same process opens its file a second time", async () => {
  const { folder } = makeFolder();
  const path = join(folder, "lock.db");
  const first = new Lock(path, "testing");
  const second = await first.hold(async () => {
    const opened = new Lock(path, "testing");
    const other = `const { DatabaseSync } = require("node:sqlite");
      try { new DatabaseSync(${JSON.stringify(path)}).exec("BEGIN EXCLUSIVE"); console.log("taken"); }
      catch (error) { console.log(error.message); }`;
    expect(spawnSync(process.execPath, ["-e", other]).stdout.toString()).toBe("database is locked\n");
    return opened;
  });
  second.close();
  first.close();
});
