import { expect, test } from "vitest";
import { isRepositoryData } from "./git-changes.ts";

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
