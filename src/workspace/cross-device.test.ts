import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "./workspace.suite.ts";

const mount = 'mount -t tmpfs wield-test "$0" && exec "$@"';
const namespaces = ["--user", "--map-root-user", "--mount"];
const canMount = spawnSync("unshare", [...namespaces, "sh", "-c", mount, "/mnt", "true"]).status === 0;

test.runIf(canMount)("a move to another file system is a copy and a removal, and can be undone", () => {
  const { root, stateDir } = makeFolder({
    file: "1",
    "directory/a": "2",
    "directory/b/c": "3",
    "mounted/": "",
  });
  const fixture = [process.execPath, join(import.meta.dirname, "fixtures/cross-device.ts"), root, stateDir];
  const command = [...namespaces, "sh", "-c", mount, join(root, "mounted"), ...fixture];
  const output = execFileSync("unshare", command, { encoding: "utf8" });
  const before = { "directory/a": "2", "directory/b/c": "3", file: "1" };
  const after = {
    "mounted/directory/a": "2",
    "mounted/directory/b/c": "3",
    "mounted/file": "changed before it moved",
  };
  expect(
    output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([after, before, after]);
});
