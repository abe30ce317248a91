import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeGitHub, fakeGitHub } from "./fake-github.suite.ts";
import { GitHubError } from "./github.ts";
import { commitToGitHub } from "./github-commit.ts";

let github: FakeGitHub;
beforeEach(async () => {
  github = await fakeGitHub();
});
afterEach(() => github.close());

const request = {
  message: "research: solar",
  files: [
    { path: "ideas/solar/research.md", bytes: Buffer.from("# Solar ☀\n") },
    { path: "ideas/solar/exploration.md", bytes: Buffer.from("# Log\n") },
  ],
};
const settings = (more: object = {}) => ({
  ...{ repository: "me/notes", apiUrl: github.url, token: "token-for-tests" },
  ...more,
});
const commit = (more: object = {}) => commitToGitHub(settings(more), request);

test("all files are one commit on top of the branch", async () => {
  const { sha, url, isNew } = await commit();
  expect(isNew).toBe(true);
  expect(url).toBe(`https://github.com/me/notes/commit/${sha}`);
  expect(github.log()).toEqual(["research: solar", "first"]);
  expect(github.files()).toEqual({
    "README.md": "# Notes",
    "ideas/solar/research.md": "# Solar ☀\n",
    "ideas/solar/exploration.md": "# Log\n",
  });
  expect(new Set(github.requests.map(({ authorization }) => authorization))).toEqual(
    new Set(["Bearer token-for-tests"]),
  );
});

test("committed again, nothing happens", async () => {
  await commit();
  expect(await commit()).toMatchObject({ isNew: false });
  expect(github.log()).toHaveLength(2);
});

test("when the branch has moved, the commit is made on top of it, and nothing of the others is lost", async () => {
  let others = 2;
  github.beforeMove = () => {
    if (others-- > 0) github.push(`other-${others}.md`, "theirs");
  };
  await commit();
  expect(github.log()).toEqual(["research: solar", "other: other-0.md", "other: other-1.md", "first"]);
  expect(github.files()).toMatchObject({ "other-0.md": "theirs", "ideas/solar/exploration.md": "# Log\n" });
});

test("409 for a branch that is being changed is tried again as well", async () => {
  let times = 1;
  github.instead = ({ method }) =>
    method === "PATCH" && times-- > 0
      ? { status: 409, body: { message: "Reference cannot be updated" } }
      : undefined;
  await commit();
  expect(github.log()).toEqual(["research: solar", "first"]);
});

test("a branch that never stands still is given up", async () => {
  let count = 0;
  github.beforeMove = () => github.push(`other-${count++}.md`, "theirs");
  await expect(commit()).rejects.toThrow(/in all 4 attempts, so nothing was committed/);
  expect(Object.keys(github.files())).not.toContain("ideas/solar/research.md");
});

test("a file that is there with other content is not replaced", async () => {
  github.push("ideas/solar/research.md", "# Mine");
  const failure = await commit().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(GitHubError);
  expect(failure).toMatchObject({ status: 409, message: expect.stringContaining("with other content") });
  expect(github.files()["ideas/solar/research.md"]).toBe("# Mine");
});

test.each<[string, object, number, RegExp]>([
  ["no token", { token: undefined }, 401, /needs a token that may write/],
  ["a bad token", { token: "wrong" }, 401, /does not accept the token \(Bad credentials\)/],
  [
    "an unknown repository",
    { repository: "me/other" },
    404,
    /There is no repository me\/other, or the token/,
  ],
  ["an unknown branch", { ref: "work" }, 404, /There is no branch work in me\/notes/],
])("%s", async (_what, more, status, message) => {
  const failure = await commit(more).catch((error: unknown) => error);
  expect(failure).toMatchObject({ status, message: expect.stringMatching(message) });
  expect(github.log()).toEqual(["first"]);
});

test.each<[string, number, object, Record<string, string>, RegExp]>([
  [
    "a rate limit",
    403,
    { message: "limit" },
    { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1893456000" },
    /rate limit is reached until 2030-01-01/,
  ],
  ["a second rate limit", 429, { message: "slow" }, { "retry-after": "60" }, /rate limit is reached until/],
  [
    "a token that may only read",
    403,
    { message: "Resource not accessible by personal access token" },
    {},
    /forbids it \(Resource not accessible/,
  ],
  ["a tree that is refused", 422, { message: "Validation Failed" }, {}, /Validation Failed/],
])("%s while writing", async (_what, status, body, headers, message) => {
  github.instead = ({ method }) => (method === "POST" ? { status, body, headers } : undefined);
  await expect(commit()).rejects.toThrow(message);
  expect(github.log()).toEqual(["first"]);
});

test("an empty repository is said to be one", async () => {
  github.instead = ({ url }) =>
    url?.includes("/git/ref/") ? { status: 409, body: { message: "Git Repository is empty." } } : undefined;
  await expect(commit()).rejects.toThrow(/me\/notes is empty. Make a first commit/);
});
