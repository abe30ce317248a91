import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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
