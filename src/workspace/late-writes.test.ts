import fs, {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { by, bytes, makeWorkspace, treeOf } from "./workspace.suite.ts";

const { renameSync: rename, linkSync: link } = fs;
afterEach(() => {
  Object.assign(fs, { renameSync: rename, linkSync: link });
  syncBuiltinESMExports();
});

type Call = (from: fs.PathLike, to: fs.PathLike) => void;

/** What another program does at the worst moment: just around the system call that replaces the file. */
function around(name: "renameSync" | "linkSync", work: (call: () => void) => void): void {
  const real: Call = fs[name];
  let done = false;
  fs[name] = (from, to) => {
    const isIt = name === "renameSync" ? /\/log\.txt$/.test(String(to)) : /\/log\.txt$/.test(String(from));
    const wasDone = done;
    done ||= isIt;
    if (isIt && !wasDone) work(() => real(from, to));
    else real(from, to);
  };
  syncBuiltinESMExports();
}

const replace = [{ op: "write" as const, path: "log.txt", bytes: bytes("new\n") }];

test.each<[string, (file: string) => void, string]>([
  [
    "appends between the check and the replacement",
    (file) =>
      around("renameSync", (call) => {
        appendFileSync(file, "theirs\n");
        call();
      }),
    "old\ntheirs\n",
  ],
  [
    "has opened it before and writes after the replacement",
    (file) =>
      around("renameSync", (call) => {
        const fd = openSync(file, "a");
        call();
        writeSync(fd, "theirs\n");
        closeSync(fd);
      }),
    "old\ntheirs\n",
  ],
  [
    "replaces it between the check and the replacement",
    (file) =>
      around("linkSync", (call) => {
        call();
        writeFileSync(`${file}.theirs`, "theirs\n");
        rename(`${file}.theirs`, file);
      }),
    "theirs\n",
  ],
  [
    "replaces it between the check and the link to it",
    (file) =>
      around("linkSync", (call) => {
        writeFileSync(`${file}.theirs`, "theirs\n");
        rename(`${file}.theirs`, file);
        call();
      }),
    "theirs\n",
  ],
])("nothing of another program is lost that %s", async (_, act, expected) => {
  const { workspace, root } = await makeWorkspace({ "log.txt": "old\n", "other.txt": "o\n" });
  act(join(root, "log.txt"));
  const both = [{ op: "write" as const, path: "other.txt", bytes: bytes("changed\n") }, ...replace];
  await expect(workspace.apply(both, by)).rejects.toMatchObject({ code: "CONFLICT" });
  expect(readFileSync(join(root, "log.txt"), "utf8")).toBe(expected);
  expect(Object.keys(treeOf(root)).sort()).toEqual(["log.txt", "other.txt"]);
  expect(readFileSync(join(root, "other.txt"), "utf8")).toBe("o\n");
  expect(renameSync).toBe(fs.renameSync);
});

test("nor what it appends to a file that is being deleted or replaced by a move", async () => {
  const { workspace, root } = await makeWorkspace({ "log.txt": "old\n", "new.txt": "new\n" });
  const append = (call: () => void) => {
    appendFileSync(join(root, "log.txt"), "theirs\n");
    call();
  };
  around("renameSync", append);
  const move = [{ op: "move" as const, from: "new.txt", to: "log.txt", overwrite: true }];
  await expect(workspace.apply(move, by)).rejects.toMatchObject({ code: "CONFLICT" });
  expect(treeOf(root)).toMatchObject({
    "log.txt": expect.stringContaining("theirs"),
    "new.txt": expect.anything(),
  });
});
