import { expect, test } from "vitest";
import { type CodeHosts, codeHost, type HostKind, kindOf } from "./code-host.ts";
import { namesRepository } from "./hook-task.ts";

const tokens = { github: "gh", gitlab: "gl" };
const none: CodeHosts["apis"] = { github: undefined, gitlab: undefined };
const own = { github: "https://git.example.org/api/v3", gitlab: "https://lab.example.org/api/v4" };
const local = { github: "http://127.0.0.1:8000/api/v3", gitlab: undefined };

test.each<[HostKind, string, CodeHosts["apis"], boolean]>([
  ["github", "https://github.com/team/app.git", none, true],
  ["github", "git@github.com:team/app.git", own, true],
  ["gitlab", "https://gitlab.com/team/app.git", none, true],
  ["github", "https://git.example.org/team/app.git", own, true],
  ["github", "ssh://git@git.example.org/team/app.git", own, true],
  ["gitlab", "https://lab.example.org/team/app.git", own, true],
  ["github", "http://127.0.0.1:9000/team/app.git", local, true],
  // Another name of the same machine is another host.
  ["github", "http://localhost:8000/team/app.git", local, false],
  ["github", "https://elsewhere.example/team/app.git", own, false],
  ["github", "https://elsewhere.example/team/app.git", none, false],
  ["gitlab", "git@elsewhere.example:team/app.git", none, false],
  // The token of one service is not for the other.
  ["github", "https://gitlab.com/team/app.git", none, false],
  ["gitlab", "https://github.com/team/app.git", none, false],
  ["gitlab", "https://git.example.org/team/app.git", own, false],
])("the token of %s for %s goes to a configured or official address only", (kind, url, apis, goes) => {
  expect(codeHost(kind, url, { tokens, apis }) !== undefined).toBe(goes);
  expect(kindOf(url, { apis }) === kind).toBe(goes);
});

test.each([
  ["https://example.org/team/app.git", "team/app", true],
  ["git@example.org:team/app", "Team/App", true],
  ["https://example.org/group/sub/app.git", "group/sub/app", true],
  ["https://example.org/team/app.git", "app", false],
  ["git@example.org:app", "app", false],
  ["https://example.org/team/app.git", "/app", false],
  ["https://example.org/team/app.git", "", false],
  ["https://example.org/team/app.git", "other/app", false],
])("%s is named by %j: %s", (url, name, fits) => {
  expect(namesRepository(url, name)).toBe(fits);
});
