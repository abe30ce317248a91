import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFolder } from "../testing/remove-folder.ts";
import { FolderCache } from "./folder-cache.ts";

let place = "";
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "folder-cache-"));
});
afterEach(() => removeFolder(place));

const part = 100_000;
const fill = async (folder: string) => writeFileSync(join(folder, "bytes"), Buffer.alloc(part, 1));
const nothing = async () => {};
const kept = () => readdirSync(place).filter((name) => name !== "lock.db");
const lastUsed = (name: string, year: number) =>
  utimesSync(join(place, name), new Date(0), new Date(year, 0));

test("a folder is made once", async () => {
  const cache = new FolderCache(place, 10 * part);
  let made = 0;
  for (let n = 0; n < 2; n++) await cache.use("a", async () => void made++, nothing);
  expect(made).toBe(1);
});

test("above the bound, what was not used for longest goes", async () => {
  const cache = new FolderCache(place, 2.5 * part);
  await cache.use("a", fill, nothing);
  await cache.use("b", fill, nothing);
  expect(kept()).toEqual(["a", "b"]);
  lastUsed("a", 2001);
  lastUsed("b", 2002);
  await cache.use("a", fill, nothing);
  await cache.use("c", fill, nothing);
  expect(kept()).toEqual(["a", "c"]);
});

test("nothing goes while somebody uses a folder", async () => {
  const cache = new FolderCache(place, 1.5 * part);
  await cache.use("a", fill, async () => {
    await new FolderCache(place, 1.5 * part).use("b", fill, nothing);
    expect(kept()).toEqual(["a", "b"]);
    lastUsed("a", 2001);
  });
  expect(kept()).toEqual(["b"]);
});

test("another process that uses a folder counts, until it ends in whatever way", async () => {
  const source = `
    const { FolderCache } = await import(${JSON.stringify(new URL("folder-cache.ts", import.meta.url).href)});
    await new FolderCache(${JSON.stringify(place)}, ${1.5 * part}).use("a", async () => {}, async () => {
      process.stdout.write("using");
      await new Promise((done) => process.stdin.once("data", done));
    });`;
  const other = spawn(process.execPath, ["--input-type=module", "-e", source], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(other.stdout, "data");
  const cache = new FolderCache(place, 0);
  await cache.use("b", fill, nothing);
  expect(kept()).toEqual(["a", "b"]);
  other.kill("SIGKILL");
  await once(other, "exit");
  await cache.use("c", fill, nothing);
  expect(kept()).toEqual([]);
});

test("what a process left half built goes, and a build that fails leaves nothing", async () => {
  mkdirSync(join(place, "a.0123.tmp"));
  const cache = new FolderCache(place, 10 * part);
  const failing = cache.use("b", () => Promise.reject(new Error("no")), nothing);
  await expect(failing).rejects.toThrow("no");
  expect(kept()).toEqual([]);
});
