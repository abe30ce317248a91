import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hashOf } from "./node.ts";
import { bytes, failureOf, makeWorkspace, openDescriptors } from "./workspace.suite.ts";
import type { WalkOptions, Workspace } from "./workspace.ts";

async function paths(workspace: Workspace, options?: WalkOptions): Promise<string[]> {
  const found: string[] = [];
  for await (const { path } of workspace.walk(options)) found.push(path);
  return found;
}

test("a file is read with its size, mode, time and fingerprint", async () => {
  const { workspace, root } = await makeWorkspace({ "a.txt": "hello" });
  chmodSync(join(root, "a.txt"), 0o640);
  const content = await workspace.read("a.txt");
  expect(content.bytes.toString()).toBe("hello");
  expect(content).toMatchObject({ size: 5, mode: 0o640, fingerprint: `file:640:${hashOf(bytes("hello"))}` });
  expect(new Date(content.modified).toISOString()).toBe(content.modified);
});

test("a file above the limit is TOO_LARGE", async () => {
  const { workspace } = await makeWorkspace({ "a.txt": "x".repeat(11) });
  const failure = await failureOf(() => workspace.read("a.txt", { maxBytes: 10 }));
  expect(failure.code).toBe("TOO_LARGE");
  expect((await workspace.read("a.txt", { maxBytes: 11 })).size).toBe(11);
});

test("a directory is listed by name, links as links", async () => {
  const { workspace } = await makeWorkspace({ b: "22", "a/x": "", c: "->../outside" });
  const entries = await workspace.list(".");
  expect(
    entries.map(({ name, type, size, target }) => [name, type, type === "file" ? size : undefined, target]),
  ).toEqual([
    ["a", "directory", undefined, undefined],
    ["b", "file", 2, undefined],
    ["c", "symlink", undefined, "../outside"],
  ]);
  expect((await workspace.list("a")).map(({ path }) => path)).toEqual(["a/x"]);
  expect((await failureOf(() => workspace.list("b"))).message).toContain("is not a directory");
});

test("stat tells the link itself, and near names for what is missing", async () => {
  const { workspace } = await makeWorkspace({ "readme.md": "", l: "->readme.md" });
  expect(await workspace.stat("l")).toMatchObject({ type: "symlink", target: "readme.md", path: "l" });
  expect(await workspace.stat(".")).toMatchObject({ type: "directory", path: "." });
  const failure = await failureOf(() => workspace.stat("README"));
  expect(failure.code).toBe("FILE_NOT_FOUND");
  expect(failure.message).toContain("Did you mean `readme.md`?");
});

const ignoring = {
  ".gitignore": "*.log\n/build\n!keep.log\nnode_modules/\n",
  ".ignore": "ignored-by-rg\n",
  ".git/config": "",
  "build/out.js": "",
  "src/build/in.js": "",
  "src/.gitignore": "*.tmp\n!important.log\n",
  "src/a.ts": "",
  "src/a.tmp": "",
  "src/x.log": "",
  "src/important.log": "",
  "keep.log": "",
  "lib/.wieldignore": "secret*\n!secret-not\n",
  "lib/secret": "",
  "lib/secret-not": "",
  "node_modules/m/index.js": "",
  "ignored-by-rg": "",
  ".hidden/file": "",
  "UPPER.LOG": "",
};

test("a walk leaves out what nested ignore files, negations and dots say", async () => {
  const { workspace } = await makeWorkspace(ignoring);
  expect(await paths(workspace)).toEqual([
    "UPPER.LOG",
    "keep.log",
    "lib/secret-not",
    "src/a.ts",
    "src/build/in.js",
    "src/important.log",
  ]);
});

test("a walk shows hidden and ignored files when asked, but never .git", async () => {
  const { workspace } = await makeWorkspace(ignoring);
  const hidden = await paths(workspace, { hidden: true });
  expect(hidden).toContain(".hidden/file");
  expect(hidden).not.toContain("build/out.js");
  const all = await paths(workspace, { hidden: true, ignored: true });
  expect(all.length).toBe(Object.keys(ignoring).length - 1);
  expect(all).not.toContain(".git/config");
});

test("a walk below a directory heeds the rules above it; an ignored directory that is named is shown", async () => {
  const { workspace } = await makeWorkspace(ignoring);
  expect(await paths(workspace, { under: "src" })).toEqual([
    "src/a.ts",
    "src/build/in.js",
    "src/important.log",
  ]);
  expect(await paths(workspace, { under: "node_modules/m" })).toEqual(["node_modules/m/index.js"]);
  expect((await failureOf(() => paths(workspace, { under: "keep.log" }))).message).toContain(
    "is not a directory",
  );
});

test("the rules agree with git", async () => {
  const { workspace, root } = await makeWorkspace({
    ...ignoring,
    ".git/config": "",
    ".ignore": "",
    "lib/.wieldignore": "",
  });
  execFileSync("git", ["init", "-q", "."], { cwd: root });
  const listed = execFileSync("git", ["ls-files", "-z", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(await paths(workspace, { hidden: true })).toEqual(listed.split("\0").filter(Boolean).sort());
});

test("depth and directories are heeded, and links are not entered", async () => {
  const { workspace } = await makeWorkspace({ "a/b/c/d": "", up: "->a", out: "->/etc" });
  expect(await paths(workspace, { directories: true, depth: 2 })).toEqual(["a", "a/b", "out", "up"]);
});

test("a walk stops when told to, and closes what it opened however it ends", async () => {
  const { workspace } = await makeWorkspace({ "a/b/c": "", "a/b/d": "", e: "" });
  const before = openDescriptors();
  for await (const { path } of workspace.walk()) if (path === "a/b/c") break;
  expect(openDescriptors()).toBe(before);
  const stopped = await failureOf(() => paths(workspace, { signal: AbortSignal.abort() }));
  expect(stopped.code).toBe("ABORTED");
  expect(openDescriptors()).toBe(before);
});

test("a walk below a folder that need not be there finds nothing, and still refuses a path that leads outside", async () => {
  const { workspace } = await makeWorkspace({ "a/b": "", link: "->a", out: "->../outside" });
  expect(await paths(workspace, { under: "a", ifThere: true })).toEqual(["a/b"]);
  expect(await paths(workspace, { under: "link", ifThere: true })).toEqual(["a/b"]);
  const open = openDescriptors();
  for (const under of ["gone", "gone/deeper", "a/gone"])
    expect(await paths(workspace, { under, ifThere: true })).toEqual([]);
  expect(openDescriptors()).toEqual(open);
  for (const under of ["..", "../outside", "out", "/etc"])
    expect((await failureOf(() => paths(workspace, { under, ifThere: true }))).code).toBe("INVALID_PATH");
  expect((await failureOf(() => paths(workspace, { under: "gone" }))).code).toBe("FILE_NOT_FOUND");
});

test("a file that is read through links says where it is, and so does a resolved path", async () => {
  const { workspace } = await makeWorkspace({ "a/b/file": "x", link: "->a", "c/again": "->../link/b/file" });
  expect((await workspace.read("c/again")).place).toBe("a/b/file");
  expect((await workspace.read("./a/../link/b/file")).place).toBe("a/b/file");
  expect(await workspace.resolve("c/again")).toEqual(await workspace.stat("a/b/file"));
  expect(await workspace.resolve("link")).toEqual(await workspace.stat("a"));
  expect(await workspace.resolve("a/..")).toEqual(await workspace.stat("."));
});

test("many files are read in one walk, large ones as null", async () => {
  const { workspace } = await makeWorkspace({ "a/x": "1", "a/y": "22222", b: "333", l: "->b" });
  const before = openDescriptors();
  const read: Record<string, string | undefined> = {};
  await workspace.readEach({ maxBytes: 4 }, async ({ path }, readFile) => {
    await Promise.resolve();
    read[path] = readFile()?.toString();
  });
  expect(read).toEqual({ "a/x": "1", "a/y": undefined, b: "333" });
  expect(openDescriptors()).toBe(before);
});
