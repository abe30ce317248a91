import { spawn } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFolder } from "../../testing/remove-folder.ts";
import { filesBelow, indexFolderAt, temporaryFolder, writeTree } from "../folder.suite.ts";
import { findExact } from "../resolve/definitions.ts";
import { Project } from "./project.ts";

let root: string;
let state: string;
beforeEach(() => {
  root = temporaryFolder();
  state = temporaryFolder();
});
afterEach(() => {
  removeFolder(root);
  removeFolder(state);
});

function churn(who: string, rounds: number): Promise<[string, string][]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [
      join(import.meta.dirname, "churn.suite.ts"),
      root,
      state,
      who,
      String(rounds),
    ]);
    let out = "";
    let err = "";
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk;
    });
    child.stderr.on("data", (chunk: Buffer) => {
      err += chunk;
    });
    child.on("error", reject);
    child.on("exit", (code) =>
      code === 0 ? resolve(JSON.parse(out) as [string, string][]) : reject(new Error(err)),
    );
  });
}

test("two processes edit, rename and delete at random while asking: every answer is right, nothing is left locked", async () => {
  const left = (await Promise.all([churn("a", 120), churn("b", 120)])).flat();
  const project = new Project(filesBelow(root), indexFolderAt(state));
  for (const [path, name] of left) {
    const found = await project.ask(() => findExact(project, name));
    expect(found.map((d) => d.file)).toEqual([path]);
  }
  project.close();
  expect(readdirSync(state).filter((name) => /lock|tmp/.test(name))).toEqual([]);
});

test("what someone else changes is known within a second, without being told", async () => {
  writeTree(root, { "a.ts": "export const before = 1;\n" });
  const project = new Project(filesBelow(root), indexFolderAt(state));
  const find = (name: string) => project.ask(() => findExact(project, name));
  expect(await find("before")).toHaveLength(1);
  writeFileSync(join(root, "a.ts"), "export const after = 1;\n");
  const changedAt = performance.now();
  let seenAfter = 0;
  while (seenAfter === 0) {
    const asked = performance.now();
    if ((await find("after")).length === 1) seenAfter = asked - changedAt;
    else expect(asked - changedAt).toBeLessThan(1_000);
  }
  expect(await find("before")).toEqual([]);
  project.close();
});

test("a damaged database is thrown away and filled again", async () => {
  writeTree(root, { "a.ts": "export const alpha = 1;\n" });
  const first = new Project(filesBelow(root), indexFolderAt(state));
  await first.ask(() => findExact(first, "alpha"));
  first.close();
  for (const suffix of ["", "-wal", "-shm"]) rmSync(join(state, `syntax.db${suffix}`), { force: true });
  writeFileSync(
    join(state, "syntax.db"),
    "this is no database, but long enough to be taken for one".repeat(100),
  );
  const second = new Project(filesBelow(root), indexFolderAt(state));
  expect(await second.ask(() => findExact(second, "alpha"))).toHaveLength(1);
  second.close();
});

test("a database of another version is emptied, not misread", async () => {
  writeTree(root, { "a.ts": "export const alpha = 1;\n" });
  indexFolderAt(state);
  const old = new DatabaseSync(join(state, "syntax.db"));
  old.exec("CREATE TABLE syntax (other TEXT); PRAGMA user_version = 99");
  old.close();
  const project = new Project(filesBelow(root), indexFolderAt(state));
  expect(await project.ask(() => findExact(project, "alpha"))).toHaveLength(1);
  project.close();
});

test("workers fill the cache with visible progress; stopping them stops at once", async () => {
  writeTree(
    root,
    Object.fromEntries(
      Array.from({ length: 150 }, (_, i) => [`f${i}.ts`, `export function name${i}() {}\n`]),
    ),
  );
  const project = new Project(filesBelow(root), indexFolderAt(state));
  await project.index.refresh();
  const stopped = AbortSignal.abort();
  await project.fill({ signal: stopped });
  expect(project.coverage()).toMatchObject({ code: 150, parsed: 0 });
  const seen: number[] = [];
  await project.fill({ threads: 2, progress: ({ parsed }) => seen.push(parsed) });
  expect(project.coverage()).toMatchObject({ code: 150, parsed: 150 });
  expect(seen.at(-1)).toBe(150);
  expect(seen.length).toBeGreaterThan(1);
  expect(project.namesWith("NAME14").sort()).toEqual([
    "name14",
    ...Array.from({ length: 10 }, (_, i) => `name14${i}`),
  ]);
  project.close();
});

test("parents of types are those of the present contents, and a question reads no file for them", async () => {
  writeTree(root, { "a.ts": "class Lower extends Upper {}\n", "b.ts": "class Other extends Upper {}\n" });
  const project = new Project(filesBelow(root), indexFolderAt(state));
  await project.index.refresh();
  await project.fill();
  const names = (type: string, direction: "up" | "down") =>
    project
      .relatives(type, direction)
      .map(({ name }) => name)
      .sort();
  expect(names("Upper", "down")).toEqual(["Lower", "Other"]);
  expect(project.relatives("Lower", "up")).toEqual([{ name: "Upper", paths: ["a.ts"] }]);
  writeFileSync(join(root, "a.ts"), "class Lower {}\n");
  project.index.invalidate(["a.ts"]);
  await project.index.refresh();
  expect(names("Upper", "down")).toEqual(["Other"]);
  expect(names("Lower", "up")).toEqual([]);
  await project.fill();
  expect(names("Upper", "down")).toEqual(["Other"]);
  project.close();
});
