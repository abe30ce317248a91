import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFolder } from "../../testing/remove-folder.ts";
import { filesBelow, indexFolderAt, temporaryFolder } from "../folder.suite.ts";
import { CommitHistory } from "./commit-history.ts";

let root: string;
let state: string;
beforeEach(() => {
  root = temporaryFolder();
  state = temporaryFolder();
});
afterEach(() => {
  for (const folder of [root, state]) removeFolder(folder);
});

function historyOf(pastCommits: () => Promise<{ subject: string; files: string[] }[]>) {
  return new CommitHistory({ ...filesBelow(root), pastCommits }, indexFolderAt(state));
}

test("commits are read once, and kept for the next process", async () => {
  const commits = [{ subject: "First", files: ["a.ts"] }];
  let asked = 0;
  const read = async () => {
    asked++;
    return commits;
  };
  const first = historyOf(read);
  expect(await first.commits()).toEqual(commits);
  expect(await first.commits()).toBe(await first.commits());
  expect(await historyOf(read).commits()).toEqual(commits);
  expect(asked).toBe(1);
  first.clear();
  expect(await historyOf(read).commits()).toEqual(commits);
  expect(asked).toBe(2);
});

test("where no history can be read there are no commits", async () => {
  expect(await historyOf(() => Promise.reject(new Error("no repository"))).commits()).toEqual([]);
  expect(await new CommitHistory(filesBelow(root), indexFolderAt(state)).commits()).toEqual([]);
});

test("a question does not wait long for git", async () => {
  const { promise, resolve } = Promise.withResolvers<{ subject: string; files: string[] }[]>();
  const history = historyOf(() => promise);
  expect(await history.commits()).toEqual([]);
  resolve([{ subject: "Late", files: [] }]);
  await promise;
  await expect.poll(() => history.commits()).toHaveLength(1);
});

test.each([
  { at: 1, commits: 5 },
  { at: 1, commits: [null] },
  { at: 1, commits: [{ subject: "x" }] },
  { at: 9_999_999_999_999, commits: [] },
  null,
  "text",
])("a damaged file is read again from git: %j", async (damaged) => {
  indexFolderAt(state).write("commits.json", [Buffer.from(JSON.stringify(damaged))]);
  const commits = [{ subject: "First", files: ["a.ts"] }];
  expect(await historyOf(async () => commits).commits()).toEqual(commits);
});
