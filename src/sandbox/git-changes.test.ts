import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { isRepositoryData } from "../workspace/repository-data.ts";
import { describeRepository } from "./git-changes.ts";

test("what git writes for a commit is data; whatever leads git elsewhere is shown as the file it is", () => {
  const data = [
    ".git/objects/ab/cdef0123456789",
    ".git/objects/pack/pack-1.pack",
    ".git/refs/heads/main",
    ".git/logs/HEAD",
    ".git/index",
    ".git/HEAD",
  ];
  const shown = [
    ".git/objects/info/alternates",
    ".git/objects/info",
    ".git/objects/info/http-alternates",
    ".git/config",
    ".git/hooks/pre-commit",
    ".git/info/attributes",
    ".git/modules/x/config",
    ".git/commondir",
  ];
  expect(data.filter((path) => !isRepositoryData(path))).toEqual([]);
  expect(shown.filter(isRepositoryData)).toEqual([]);
});

test("a branch that points elsewhere, packed commits and links are told beside the commits", async () => {
  const object = deflateSync("commit 60\0tree 0123\nauthor a <a@b> 1 +0000\n\nfix a typo\n");
  const write = (path: string, bytes: string | Buffer) => ({
    ...{ op: "write" as const, path, bytes: Buffer.from(bytes) },
  });
  const hash = "ab".repeat(20);
  const commit = write(`.git/objects/ab/${hash.slice(2)}`, object);
  const nothing = { read: () => Promise.reject(new Error("not there")) };
  const told = (...more: Parameters<typeof describeRepository>[0]) =>
    describeRepository([commit, ...more], nothing);
  const plain = 'this run made 1 commit: "fix a typo" by a <a@b>';
  expect(await told(write(".git/refs/heads/main", `${hash}\n`))).toBe(plain);
  expect(
    await told(
      write(".git/refs/heads/main", `${"cd".repeat(20)}\n`),
      write(".git/objects/pack/pack-1.pack", "PACK"),
      write(".git/HEAD", "ref: refs/heads/other\n"),
      { op: "link", path: ".git/refs/heads/x", target: "main" },
      { op: "delete", path: ".git/refs/tags/v1", recursive: false },
    ),
  ).toBe(
    `${plain}; heads/main points to cdcdcdcdcdcd, which is not listed; its objects are packed, and commits among them are not listed; HEAD is now ref: refs/heads/other; .git/refs/heads/x becomes a link; tags/v1 is removed`,
  );
});
