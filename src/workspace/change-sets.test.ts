import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openWorkspace } from "./open-workspace.ts";
import {
  asNobody,
  by,
  bytes,
  failureOf,
  makeFolder,
  makeWorkspace,
  openDescriptors,
  plant,
  treeOf,
} from "./workspace.suite.ts";
import type { Change, FileOperation, Plan } from "./workspace.ts";

function summary({ files }: Plan | Change): string[] {
  return files.map(({ path, change, from }) => `${change} ${from ? `${from} -> ` : ""}${path}`);
}

test("a file is written, keeping the mode of the old one; a new one gets 644 less the umask", async () => {
  const { workspace, root } = await makeWorkspace({ "run.sh": "old" });
  chmodSync(join(root, "run.sh"), 0o750);
  await workspace.apply([{ op: "write", path: "run.sh", bytes: bytes("new") }], by);
  await workspace.apply([{ op: "write", path: "fresh", bytes: bytes("x") }], by);
  await workspace.apply([{ op: "write", path: "tool", bytes: bytes("x"), mode: 0o4755 }], by);
  expect(treeOf(root)).toEqual({
    "run.sh": "file 750 new",
    fresh: `file ${(0o644 & ~process.umask()).toString(8)} x`,
    tool: "file 755 x",
  });
});

test("a write goes through a link that stays inside, and breaks hard links", async () => {
  const { workspace, root } = await makeWorkspace({ "a.txt": "old", l: "->a.txt" });
  linkSync(join(root, "a.txt"), join(root, "twin"));
  const change = await workspace.apply([{ op: "write", path: "l", bytes: bytes("new") }], by);
  expect(summary(change)).toEqual(["modify a.txt"]);
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("new");
  expect(readFileSync(join(root, "twin"), "utf8")).toBe("old");
});

const refusals: [name: string, operation: FileOperation, code: string, message: RegExp][] = [
  [
    "writing over a directory",
    { op: "write", path: "d", bytes: bytes("") },
    "INVALID_PATH",
    /is a directory/,
  ],
  ["writing outside by a link", { op: "write", path: "out/x", bytes: bytes("") }, "INVALID_PATH", /outside/],
  ["writing outside by dots", { op: "write", path: "../x", bytes: bytes("") }, "INVALID_PATH", /leaves/],
  [
    "a new file that exists",
    { op: "write", path: "a", bytes: bytes(""), mustBe: "new" },
    "CONFLICT",
    /already exists/,
  ],
  [
    "an old file that is missing",
    { op: "write", path: "z", bytes: bytes(""), mustBe: "existing" },
    "FILE_NOT_FOUND",
    /does not exist/,
  ],
  [
    "a missing parent",
    { op: "write", path: "x/y/z", bytes: bytes("") },
    "FILE_NOT_FOUND",
    /`x` must exist first.*createDirs/,
  ],
  [
    "a parent that is a file",
    { op: "write", path: "a/b", bytes: bytes(""), createDirs: true },
    "INVALID_PATH",
    /not a directory/,
  ],
  ["deleting what is missing", { op: "delete", path: "d/g" }, "FILE_NOT_FOUND", /Did you mean `d\/f`/],
  [
    "deleting a full directory",
    { op: "delete", path: "d" },
    "INVALID_INPUT",
    /directory with 1 entry.*recursive/,
  ],
  ["deleting the root", { op: "delete", path: ".", recursive: true }, "INVALID_PATH", /root itself/],
  ["moving over a file", { op: "move", from: "a", to: "b" }, "CONFLICT", /already exists.*overwrite/],
  [
    "moving onto a directory",
    { op: "move", from: "a", to: "d", overwrite: true },
    "CONFLICT",
    /full new path/,
  ],
  [
    "moving a directory over a file",
    { op: "move", from: "d", to: "a", overwrite: true },
    "CONFLICT",
    /cannot replace/,
  ],
  ["moving into itself", { op: "move", from: "d", to: "d/e" }, "INVALID_PATH", /into itself/],
  ["moving nowhere", { op: "move", from: "a", to: "./a" }, "INVALID_INPUT", /same place/],
  ["moving outside", { op: "move", from: "a", to: "out/a" }, "INVALID_PATH", /outside/],
  ["a link that leads out", { op: "link", path: "n", target: "../outside" }, "INVALID_PATH", /outside/],
  [
    "a link that leads out by another link",
    { op: "link", path: "n", target: "out" },
    "INVALID_PATH",
    /outside/,
  ],
  [
    "an absolute link that leads out",
    { op: "link", path: "n", target: "/etc/passwd" },
    "INVALID_PATH",
    /outside/,
  ],
  ["a directory over a file", { op: "mkdir", path: "a" }, "CONFLICT", /already exists/],
];

test.each(refusals)(
  "refuses %s, in plan and apply, and changes nothing",
  async (_, operation, code, message) => {
    const { workspace, root, folder } = await makeWorkspace({
      a: "1",
      b: "2",
      "d/f": "3",
      out: "->../outside",
    });
    plant(folder, { "outside/": "" });
    const before = treeOf(folder);
    const good: FileOperation = { op: "write", path: "good", bytes: bytes("x") };
    for (const work of [
      () => workspace.plan([good, operation]),
      () => workspace.apply([good, operation], by),
    ]) {
      const failure = await failureOf(work);
      expect(failure.code).toBe(code);
      expect(failure.message).toMatch(message);
    }
    expect(treeOf(root)).toEqual(
      Object.fromEntries(
        Object.entries(before).flatMap(([path, state]) =>
          path.startsWith("ws/") ? [[path.slice(3), state]] : [],
        ),
      ),
    );
    expect(readdirSync(join(folder, "outside"))).toEqual([]);
  },
);

test("operations of one batch build on each other, and the plan tells what it comes to", async () => {
  const { workspace, root } = await makeWorkspace({ "a.txt": "1", "b.txt": "2", "d/x": "3", "d/y": "4" });
  const operations: FileOperation[] = [
    { op: "write", path: "a.txt", bytes: bytes("first") },
    { op: "write", path: "b.txt", bytes: bytes("between") },
    { op: "write", path: "a.txt", bytes: bytes("later wins") },
    { op: "move", from: "a.txt", to: "new/a.txt", createDirs: true },
    { op: "move", from: "d", to: "e" },
    { op: "write", path: "e/x", bytes: bytes("inside the moved") },
    { op: "delete", path: "e/y" },
    { op: "write", path: "gone", bytes: bytes("") },
    { op: "delete", path: "gone" },
    { op: "link", path: "l", target: "new" },
    { op: "write", path: "l/through", bytes: bytes("by link") },
  ];
  const plan = await workspace.plan(operations);
  expect(summary(plan)).toEqual([
    "modify b.txt",
    "create new",
    "move a.txt -> new/a.txt",
    "move d -> e",
    "modify e/x",
    "delete d/y",
    "create l",
    "create new/through",
  ]);
  const moved = plan.files.find(({ path }) => path === "new/a.txt");
  expect([moved?.beforeBytes?.toString(), moved?.afterBytes?.toString()]).toEqual(["1", "later wins"]);
  expect(plan.undoable).toBe(true);
  expect(treeOf(root)["a.txt"]).toBe("file 644 1");

  const change = await workspace.apply(operations, { ...by, expect: plan.seen });
  expect(summary(change)).toEqual(summary(plan));
  expect(treeOf(root)).toEqual({
    "b.txt": "file 644 between",
    e: "directory 755",
    "e/x": "file 644 inside the moved",
    l: "link new",
    new: "directory 755",
    "new/a.txt": "file 644 later wins",
    "new/through": "file 644 by link",
  });
});

test("files can change places in one batch", async () => {
  const { workspace, root } = await makeWorkspace({ a: "1", b: "2" });
  const swap: FileOperation[] = [
    { op: "move", from: "a", to: "t" },
    { op: "move", from: "b", to: "a" },
    { op: "move", from: "t", to: "b" },
  ];
  const change = await workspace.apply(swap, by);
  expect(summary(change)).toEqual(["move b -> a", "move a -> b"]);
  expect(treeOf(root)).toEqual({ a: "file 644 2", b: "file 644 1" });
});

test("a diff tells what changed in text, and nothing for binary", async () => {
  const { workspace } = await makeWorkspace({ a: "1\n2\n", b: "\0" });
  const operations: FileOperation[] = [
    { op: "write", path: "a", bytes: bytes("1\nzwei\n") },
    { op: "write", path: "b", bytes: bytes("\0\0") },
  ];
  const { files } = await workspace.apply(operations, by);
  expect(files.map(({ diff }) => diff)).toEqual(["--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n 1\n-2\n+zwei\n", ""]);
});

test("a state that was approved and is not there any more is a CONFLICT that says what changed", async () => {
  const { workspace, root } = await makeWorkspace({ a: "1", "d/": "" });
  const operation: FileOperation = { op: "write", path: "a", bytes: bytes("2") };
  const { seen } = await workspace.plan([operation]);
  const attempt = () => failureOf(() => workspace.apply([operation], { ...by, expect: seen }));

  writeFileSync(join(root, "a"), "someone else");
  expect((await attempt()).message).toContain("the content of `a` changed");
  writeFileSync(join(root, "a"), "1");
  chmodSync(join(root, "a"), 0o600);
  expect((await attempt()).message).toContain("the mode of `a` changed from 644 to 600");
  expect(readFileSync(join(root, "a"), "utf8")).toBe("1");

  const create: FileOperation = { op: "write", path: "n", bytes: bytes("2") };
  const approved = await workspace.plan([create]);
  writeFileSync(join(root, "n"), "");
  const failure = await failureOf(() => workspace.apply([create], { ...by, expect: approved.seen }));
  expect([failure.code, failure.message]).toEqual([
    "CONFLICT",
    expect.stringContaining("`n` exists now and did not before"),
  ]);
});

test("an approval is bound to where links led", async () => {
  const { workspace, root } = await makeWorkspace({ "one/": "", "two/": "", l: "->one" });
  const operation: FileOperation = { op: "write", path: "l/f", bytes: bytes("x") };
  const { seen } = await workspace.plan([operation]);
  await workspace.apply([{ op: "link", path: "l", target: "two" }], by);
  const failure = await failureOf(() => workspace.apply([operation], { ...by, expect: seen }));
  expect(failure.message).toContain("`l` points to `two` now, not to `one`");
  expect(readdirSync(join(root, "two"))).toEqual([]);
});

test("an approval is bound to the directory it was given for", async () => {
  const { workspace, root } = await makeWorkspace({ "one/": "", "two/": "" });
  const operation: FileOperation = { op: "write", path: "one/f", bytes: bytes("x") };
  const { seen } = await workspace.plan([operation]);
  renameSync(join(root, "one"), join(root, "gone"));
  symlinkSync("two", join(root, "one"));
  const failure = await failureOf(() => workspace.apply([operation], { ...by, expect: seen }));
  expect(failure.message).toContain("`one` was a directory and is now a symlink");
  expect(readdirSync(join(root, "two"))).toEqual([]);
});

test("the fingerprint of a read can be expected, through links too", async () => {
  const { workspace, root } = await makeWorkspace({ a: "1", l: "->a" });
  const { fingerprint } = await workspace.read("l");
  const operation: FileOperation = { op: "write", path: "l", bytes: bytes("2") };
  await workspace.apply([operation], { ...by, expect: new Map([["l", fingerprint]]) });
  expect(treeOf(root)).toEqual({ a: "file 644 2", l: "link a" });
});

test.each([64_000_000, 0])(
  "what the system refuses half way takes back the rest, with a byte cap of %d",
  async (capBytes) => {
    const { folder, root, stateDir } = makeFolder({ a: "1", "d/f": "2", "closed/g": "3" });
    for (const path of [folder, root, join(root, "d")]) chmodSync(path, 0o777);
    chmodSync(join(root, "closed"), 0o555);
    asNobody();
    const workspace = await openWorkspace(root, { stateDir, journal: { capBytes, quotaBytes: capBytes } });
    onTestFinished(() => workspace.close());
    const before = treeOf(root);
    const operations: FileOperation[] = [
      { op: "write", path: "n/m/new", bytes: bytes("x"), createDirs: true },
      { op: "move", from: "d", to: "n/d" },
      { op: "delete", path: "n/d/f" },
      { op: "write", path: "closed/h", bytes: bytes("x") },
    ];
    expect(summary(await workspace.plan(operations))).toHaveLength(6);
    const failure = await failureOf(() => workspace.apply(operations, by));
    expect(failure.code).toBe("PERMISSION_DENIED");
    expect(treeOf(root)).toEqual(before);
    expect(await workspace.changes()).toEqual([]);
  },
);

test.skipIf(process.getuid?.() === 0)("a file without write permission is not replaced", async () => {
  const { folder, root, stateDir } = makeFolder({ a: "1" });
  for (const path of [folder, root]) chmodSync(path, 0o777);
  asNobody();
  const workspace = await openWorkspace(root, { stateDir });
  onTestFinished(() => workspace.close());
  const failure = await failureOf(() => workspace.apply([{ op: "write", path: "a", bytes: bytes("2") }], by));
  expect(failure.code).toBe("PERMISSION_DENIED");
});

test("every descriptor is closed after changes, failures and undo", async () => {
  const { workspace } = await makeWorkspace({ "a/b/c": "1", l: "->a" });
  await workspace.apply([{ op: "write", path: "warm-up", bytes: bytes("1") }], by);
  const before = openDescriptors();
  await workspace.apply([{ op: "write", path: "l/b/c", bytes: bytes("2") }], by);
  await failureOf(() => workspace.apply([{ op: "write", path: "l/z/c", bytes: bytes("2") }], by));
  await workspace.apply([{ op: "delete", path: "a", recursive: true }], by);
  await workspace.reverse("undo", { steps: 2 }, by);
  await workspace.reverse("redo", { steps: 1 }, by);
  expect(openDescriptors()).toBe(before);
});

test("names that are special to JavaScript are names like any other", async () => {
  const { workspace, root } = await makeWorkspace({});
  mkdirSync(join(root, "d"));
  for (const name of ["__proto__", "constructor", "toString"]) writeFileSync(join(root, "d", name), name);
  const before = treeOf(root);
  await workspace.apply([{ op: "delete", path: "d", recursive: true }], by);
  await workspace.reverse("undo", {}, by);
  expect(treeOf(root)).toEqual(before);
});

test("a workspace that nobody uses after a crash is changed, undone and opened again like any other", async () => {
  const { root, stateDir } = makeFolder({ "a.txt": "old", "d/b.txt": "b" });
  const open = () => openWorkspace(root, { stateDir, durable: false });
  const workspace = await open();
  const operations: FileOperation[] = [
    { op: "write", path: "a.txt", bytes: bytes("new") },
    { op: "write", path: "fresh/c.txt", bytes: bytes("c"), createDirs: true },
    { op: "delete", path: "d", recursive: true },
  ];
  const { id } = await workspace.apply(operations, by);
  workspace.close();
  const again = await open();
  onTestFinished(() => again.close());
  expect((await again.changes()).map((change) => change.id)).toEqual([id]);
  const after = treeOf(root);
  await again.reverse("undo", { steps: 1 }, by);
  expect(Object.keys(treeOf(root)).sort()).toEqual(["a.txt", "d", "d/b.txt"]);
  await again.reverse("redo", { steps: 1 }, by);
  expect(treeOf(root)).toEqual(after);
});
