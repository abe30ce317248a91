import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorkspace } from "./open-workspace.ts";
import { by, bytes, failureOf, makeWorkspace, treeOf } from "./workspace.suite.ts";
import type { Change, FileOperation, Workspace } from "./workspace.ts";

function write(workspace: Workspace, path: string, content: string): Promise<Change> {
  const operation: FileOperation = { op: "write", path, bytes: bytes(content), createDirs: true };
  return workspace.apply([operation], { ...by, description: `write ${path}` });
}

test("undo restores contents, modes, links and directories exactly, and redo does it all again", async () => {
  const { workspace, root } = await makeWorkspace({
    "a.txt": "1\r\n",
    "d/e/x": "\0binary",
    "d/y": "2",
    l: "->d/y",
  });
  chmodSync(join(root, "d/e/x"), 0o751);
  chmodSync(join(root, "d/e"), 0o2750);
  mkdirSync(join(root, "d/empty"), { mode: 0o700 });
  symlinkSync("../a.txt", join(root, "d/inner"));
  const states = [treeOf(root)];
  const batches: FileOperation[][] = [
    [{ op: "write", path: "a.txt", bytes: bytes("new"), mode: 0o600 }],
    [{ op: "move", from: "a.txt", to: "d/y", overwrite: true }],
    [{ op: "link", path: "l", target: "d/e" }],
    [{ op: "move", from: "d", to: "n/m/d", createDirs: true }],
    [
      { op: "write", path: "n/m/d/e/deep/er", bytes: bytes("deep"), createDirs: true },
      { op: "write", path: "n/m/d/y", bytes: bytes("3") },
    ],
    [{ op: "delete", path: "n/m/d", recursive: true }],
    [{ op: "mkdir", path: "made/here" }],
    [
      { op: "delete", path: "l" },
      { op: "write", path: "l", bytes: bytes("a file now") },
    ],
  ];
  for (const batch of batches) {
    await workspace.apply(batch, by);
    states.push(treeOf(root));
  }
  for (const expected of states.toReversed().slice(1)) {
    await workspace.reverse("undo", {}, by);
    expect(treeOf(root)).toEqual(expected);
  }
  for (const expected of states.slice(1)) {
    await workspace.reverse("redo", {}, by);
    expect(treeOf(root)).toEqual(expected);
  }
  const undone = await workspace.reverse("undo", { steps: 100 }, by);
  expect(undone).toHaveLength(batches.length);
  expect(treeOf(root)).toEqual(states[0]);
  await workspace.reverse("redo", { steps: 100 }, by);
  expect(treeOf(root)).toEqual(states.at(-1));
});

test("what undo would do can be seen first, and approved", async () => {
  const { workspace, root } = await makeWorkspace({ a: "1\n" });
  await write(workspace, "a", "2\n");
  const { changes, plan } = await workspace.planReversal("undo", {});
  expect(changes.map(({ description }) => description)).toEqual(["write a"]);
  expect(plan.files).toMatchObject([{ path: "a", change: "modify" }]);
  expect(plan.files[0]?.afterBytes?.toString()).toBe("1\n");
  writeFileSync(join(root, "a"), "2\n", { mode: 0o644 });
  await workspace.reverse("undo", {}, { ...by, expect: plan.seen });
  expect(treeOf(root)).toEqual({ a: "file 644 1\n" });
});

test("a journal that could not be opened is tried again", async () => {
  const { workspace, root, folder, stateDir } = await makeWorkspace({ a: "1" });
  writeFileSync(stateDir, "in the way");
  expect(await failureOf(() => write(workspace, "a", "2"))).toMatchObject({ code: "UNAVAILABLE" });
  renameSync(stateDir, join(folder, "moved"));
  await write(workspace, "a", "2");
  expect(readFileSync(join(root, "a"), "utf8")).toBe("2");
});

test("changes are kept across a restart, with author, time, diff and state", async () => {
  const { workspace, root, stateDir } = await makeWorkspace({ "src/a": "1\n" });
  await write(workspace, "src/a", "2\n");
  await write(workspace, "b", "x");
  await workspace.reverse("undo", { steps: 1 }, { ...by, callId: "call-2", tool: "undo" });
  workspace.close = () => {};
  const again = await openWorkspace(root, { stateDir });
  const [newest, oldest] = await again.changes();
  expect(oldest).toMatchObject({
    callId: "call-1",
    tool: "test",
    description: "write src/a",
    state: "done",
    undoable: true,
  });
  expect(oldest?.files[0]?.diff).toContain("-1\n+2\n");
  expect(newest).toMatchObject({ description: "write b", state: "undone" });
  expect(newest?.notices.join()).toMatch(/Undone at .* by undo \(call-2\)/);
  expect(await again.change(oldest?.id ?? "")).toEqual(oldest);
  expect(await again.change("none")).toBeUndefined();
  expect((await again.changes({ path: "src" })).map(({ id }) => id)).toEqual([oldest?.id]);
  expect((await again.changes({ before: newest?.id ?? "" })).map(({ id }) => id)).toEqual([oldest?.id]);
  expect(await again.changes({ limit: 1 })).toHaveLength(1);
  again.close();
});

test("a file that someone else changed is not undone, and the difference is shown", async () => {
  const { workspace, root } = await makeWorkspace({ a: "1\n2\n3\n" });
  await write(workspace, "a", "1\nzwei\n3\n");
  writeFileSync(join(root, "a"), "1\nzwei\ndrei\n");
  const failure = await failureOf(() => workspace.reverse("undo", {}, by));
  expect(failure.code).toBe("CONFLICT");
  expect(failure.message).toContain("the content of `a` changed, and not by Wield");
  expect(failure.message).toContain(" zwei\n-3\n+drei\n");
  expect(readFileSync(join(root, "a"), "utf8")).toBe("1\nzwei\ndrei\n");
  expect((await workspace.changes())[0]?.state).toBe("done");
});

test("so is a file that was new", async () => {
  const { workspace, root } = await makeWorkspace({});
  await write(workspace, "a", "mine\n");
  writeFileSync(join(root, "a"), "someone else\n");
  expect(await failureOf(() => workspace.reverse("undo", {}, by))).toMatchObject({
    code: "CONFLICT",
    details: { path: "a", difference: expect.stringContaining("-mine\n+someone else\n") },
  });
});

test("certain changes are undone together, newest first, in whatever order they are named", async () => {
  const { workspace, root } = await makeWorkspace({ a: "0", b: "0" });
  const first = await write(workspace, "a", "1");
  await write(workspace, "b", "1");
  const last = await write(workspace, "a", "2");
  const ids = [first.id, last.id, first.id];
  expect((await workspace.reverse("undo", { changeId: ids }, by)).map(({ id }) => id)).toEqual([
    last.id,
    first.id,
  ]);
  expect(["a", "b"].map((path) => readFileSync(join(root, path), "utf8"))).toEqual(["0", "1"]);
  await workspace.reverse("redo", { changeId: ids }, by);
  expect(readFileSync(join(root, "a"), "utf8")).toBe("2");
});

test("of several steps none is undone when one cannot be", async () => {
  const { workspace, root } = await makeWorkspace({ a: "1", b: "2" });
  await write(workspace, "a", "11");
  await write(workspace, "b", "22");
  writeFileSync(join(root, "a"), "someone else");
  expect((await failureOf(() => workspace.reverse("undo", { steps: 2 }, by))).code).toBe("CONFLICT");
  expect(readFileSync(join(root, "b"), "utf8")).toBe("22");
  await workspace.reverse("undo", { steps: 1 }, by);
  expect(readFileSync(join(root, "b"), "utf8")).toBe("2");
});

test("a deleted file, a new neighbour and a removed directory are conflicts too", async () => {
  const { workspace, root } = await makeWorkspace({ a: "1" });
  await write(workspace, "a", "2");
  rmSync(join(root, "a"));
  expect((await failureOf(() => workspace.reverse("undo", {}, by))).message).toContain(
    "`a` no longer exists",
  );
  const made = await write(workspace, "d/f", "x");
  writeFileSync(join(root, "d/theirs"), "");
  expect((await failureOf(() => workspace.reverse("undo", { changeId: made.id }, by))).message).toContain(
    "what is in `d` changed",
  );
  rmSync(join(root, "d"), { recursive: true });
  expect((await failureOf(() => workspace.reverse("undo", { changeId: made.id }, by))).message).toContain(
    "no longer exists",
  );
});

test("a change can be undone out of turn, unless later ones stand on it: they are named", async () => {
  const { workspace, root } = await makeWorkspace({ a: "1", b: "1" });
  const first = await write(workspace, "a", "2");
  const other = await write(workspace, "b", "2");
  const second = await write(workspace, "a", "3");
  const failure = await failureOf(() => workspace.reverse("undo", { changeId: first.id }, by));
  expect([failure.code, failure.details?.["later"]]).toEqual(["CONFLICT", [second.id]]);
  expect(failure.message).toContain(`${second.id} (write a)`);
  await workspace.reverse("undo", { changeId: other.id }, by);
  expect(readFileSync(join(root, "b"), "utf8")).toBe("1");
  const directory = await workspace.apply([{ op: "mkdir", path: "d" }], by);
  const inside = await write(workspace, "d/f", "x");
  expect(
    (await failureOf(() => workspace.reverse("undo", { changeId: directory.id }, by))).details?.["later"],
  ).toEqual([inside.id]);
});

test("a change after an undo leaves the undone one redoable only where they do not meet", async () => {
  const { workspace, root } = await makeWorkspace({ a: "1", b: "1" });
  await write(workspace, "a", "2");
  await workspace.reverse("undo", {}, by);
  await write(workspace, "b", "2");
  await workspace.reverse("redo", {}, by);
  expect(readFileSync(join(root, "a"), "utf8")).toBe("2");
  await workspace.reverse("undo", {}, by);
  expect(treeOf(root)).toEqual({ a: "file 644 1", b: "file 644 2" });
  const again = await write(workspace, "a", "other");
  const failure = await failureOf(() => workspace.reverse("redo", {}, by));
  expect([failure.code, failure.details?.["later"]]).toEqual(["CONFLICT", [again.id]]);
});

test("a write that changes nothing is no change", async () => {
  const { workspace } = await makeWorkspace({ a: "1" });
  const change = await write(workspace, "a", "1");
  expect(change).toMatchObject({
    files: [],
    undoable: false,
    notices: [expect.stringContaining("Nothing changed")],
  });
  expect(await workspace.changes()).toEqual([]);
});

test("nothing to undo, an unknown change and one that is undone already are told", async () => {
  const { workspace } = await makeWorkspace({});
  expect((await failureOf(() => workspace.reverse("undo", {}, by))).message).toBe(
    "There is nothing to undo.",
  );
  expect((await failureOf(() => workspace.planReversal("redo", {}))).message).toBe(
    "There is nothing to redo.",
  );
  expect((await failureOf(() => workspace.reverse("undo", { changeId: "x" }, by))).message).toContain(
    "Change x does not exist",
  );
  const { id } = await write(workspace, "a", "1");
  await workspace.reverse("undo", {}, by);
  expect((await failureOf(() => workspace.reverse("undo", { changeId: id }, by))).message).toContain(
    "is undone already",
  );
});

test("a change above the byte cap is made and cannot be undone", async () => {
  const { workspace, root } = await makeWorkspace(
    { big: "x".repeat(2_000), "d/small": "y" },
    { capBytes: 1_000, quotaBytes: 10_000 },
  );
  const operations: FileOperation[] = [
    { op: "delete", path: "big" },
    { op: "delete", path: "d", recursive: true },
  ];
  expect((await workspace.plan(operations)).undoable).toBe(false);
  const change = await workspace.apply(operations, by);
  expect(change).toMatchObject({
    undoable: false,
    notices: [expect.stringContaining("cannot be undone: it replaces 2001 bytes")],
  });
  expect(treeOf(root)).toEqual({});
  const failure = await failureOf(() => workspace.reverse("undo", {}, by));
  expect(failure.code).toBe("LIMIT_EXCEEDED");
});

test("the quota drops the oldest contents, says so, and never fails a write", async () => {
  const content = (i: number) => String.fromCharCode(97 + i).repeat(1_000);
  const { workspace, root, stateDir } = await makeWorkspace(
    { a: content(0) },
    { capBytes: 5_000, quotaBytes: 3_500 },
  );
  const changes: Change[] = [];
  for (let i = 1; i <= 6; i++) changes.push(await write(workspace, "a", content(i)));
  expect(changes.map(({ notices }) => notices.length)).toEqual([0, 0, 0, 1, 1, 1]);
  expect(changes[3]?.notices[0]).toContain("the oldest change can no longer be undone");
  const [journal = ""] = readdirSync(join(stateDir, "journals"));
  const blobs = join(stateDir, "journals", journal, "blobs");
  expect(readdirSync(blobs).reduce((sum, name) => sum + statSync(join(blobs, name)).size, 0)).toBe(3_000);
  expect((await workspace.changes()).map(({ undoable }) => undoable)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  await workspace.reverse("undo", { steps: 3 }, by);
  expect(readFileSync(join(root, "a"), "utf8")).toBe(content(3));
  expect((await failureOf(() => workspace.reverse("undo", {}, by))).message).toContain("quota");
});

test("the last change of a file keeps what it replaced; what then does not fit is known before it is made", async () => {
  const { workspace, root } = await makeWorkspace(
    { mine: "m".repeat(1_000), out: "o".repeat(1_000), more: "x".repeat(1_500) },
    { capBytes: 5_000, quotaBytes: 2_500 },
  );
  const mine = await write(workspace, "mine", "changed");
  await workspace.apply([{ op: "delete", path: "out" }], { ...by, ignored: true });
  const operation: FileOperation = { op: "delete", path: "more" };
  expect((await workspace.plan([operation])).undoable).toBe(true);
  const dropping = await workspace.apply([operation], by);
  expect(dropping.notices[0]).toContain("the oldest change can no longer be undone");
  const [, out] = await workspace.changes();
  expect(out).toMatchObject({ ignored: true, undoable: false });

  writeFileSync(join(root, "last"), "y".repeat(1_500));
  expect((await workspace.plan([{ op: "delete", path: "last" }])).undoable).toBe(false);
  expect(await workspace.apply([{ op: "delete", path: "last" }], by)).toMatchObject({ undoable: false });
  await workspace.reverse("undo", { changeId: mine.id }, by);
  expect(readFileSync(join(root, "mine"), "utf8")).toBe("m".repeat(1_000));
});

test("a damaged content in the journal is not written: the file, and where it was kept, are named", async () => {
  const { workspace, root, stateDir } = await makeWorkspace({ a: "old", b: "other" });
  const [, other] = [await write(workspace, "a", "new"), await write(workspace, "b", "b2")];
  const [journal = ""] = readdirSync(join(stateDir, "journals"));
  const blobs = join(stateDir, "journals", journal, "blobs");
  for (const name of readdirSync(blobs)) {
    if (readFileSync(join(blobs, name), "utf8") === "old") writeFileSync(join(blobs, name), "bad");
  }
  await workspace.reverse("undo", { changeId: other.id }, by);
  const failure = await failureOf(() => workspace.reverse("undo", {}, by));
  expect(failure.message).toMatch(
    /^`a` cannot be restored\. The content kept for undo in .*blobs.* is damaged/,
  );
  expect(readFileSync(join(root, "a"), "utf8")).toBe("new");
  expect(readdirSync(root).sort()).toEqual(["a", "b"]);
});

test("a directory with a pipe in it can be deleted, but not undone", async () => {
  const { workspace, root } = await makeWorkspace({ "d/f": "1" });
  execFileSync("mkfifo", [join(root, "d/pipe")]);
  const change = await workspace.apply([{ op: "delete", path: "d", recursive: true }], by);
  expect(change.undoable).toBe(false);
  expect(change.notices[0]).toContain("pipe");
  expect(treeOf(root)).toEqual({});
});

test("a name that is not text is deleted with its directory", async () => {
  const { workspace, root } = await makeWorkspace({ "d/f": "1" });
  writeFileSync(Buffer.concat([Buffer.from(`${root}/d/`), Buffer.from([0xff, 0xfe])]), "odd");
  mkdirSync(Buffer.concat([Buffer.from(`${root}/d/`), Buffer.from([0xfd])]));
  writeFileSync(Buffer.concat([Buffer.from(`${root}/d/`), Buffer.from([0xfd]), Buffer.from("/in")]), "odd");
  const change = await workspace.apply([{ op: "delete", path: "d", recursive: true }], by);
  expect(change.undoable).toBe(false);
  expect(readdirSync(root)).toEqual([]);
});

test("a change is named by the beginning of its id; where several begin so, they are listed", async () => {
  const { workspace } = await makeWorkspace({});
  const ids: string[] = [];
  // Of 17 ids, two begin with the same of 16 digits.
  for (let count = 0; count < 17; count++) ids.push((await write(workspace, `f${count}`, "1")).id);
  const digits = ids.map((id) => id[0] ?? "");
  const twice = digits.find((digit, at) => digits.indexOf(digit) !== at) ?? "";
  const { code, message } = await failureOf(() => workspace.reverse("undo", { changeId: twice }, by));
  expect(code).toBe("INVALID_INPUT");
  for (const id of ids.filter((one) => one.startsWith(twice)).slice(-2)) expect(message).toContain(id);
  const [first = "", second = ""] = ids;
  expect((await workspace.change(first.slice(0, 7)))?.id).toBe(first);
  const undone = await workspace.reverse("undo", { changeId: [second.slice(0, 7), second] }, by);
  expect(undone.map(({ id }) => id)).toEqual([second]);
  expect(await workspace.change("")).toBeUndefined();
});
