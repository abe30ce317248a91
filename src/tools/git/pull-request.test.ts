import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { scriptedPerson, yes } from "../../testing/testing.ts";
import { parseRemote } from "./forge.ts";
import { closeAfterEach, repository } from "./repository.suite.ts";

closeAfterEach();
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: Record<string, unknown>;
}

/** Answers like the APIs of GitHub and GitLab as far as pull requests go; keeps what it was asked. */
async function forgeServer(): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    const { method = "", url = "", headers } = request;
    seen.push({ method, url, headers, body });
    const send = (status: number, value: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    const pull = (more: object) => ({
      ...{ number: 7, title: "Handle empty input", state: "open", user: { login: "mona" }, body: "why" },
      ...{ head: { ref: "topic" }, base: { ref: "trunk" }, html_url: "https://github.com/owner/name/pull/7" },
      ...more,
    });
    if (headers.authorization !== "Bearer secret" && headers["private-token"] !== "secret")
      return send(401, { message: "Bad credentials" });
    if (url === "/repos/owner/name") return send(200, { default_branch: "trunk" });
    if (url === "/repos/owner/name/pulls" && method === "POST") {
      if (body.head === "unpushed")
        return send(422, { message: "Validation Failed", errors: [{ field: "head", code: "invalid" }] });
      return send(201, pull({ title: body.title, head: { ref: body.head }, base: { ref: body.base } }));
    }
    if (url.startsWith("/repos/owner/name/pulls?"))
      return send(200, [pull({}), pull({ number: 8, draft: true })]);
    if (url === "/repos/owner/name/pulls/7") return send(200, pull({}));
    if (url === "/projects/group%2Fsub%2Fname/merge_requests" && method === "POST")
      return send(201, {
        ...{ iid: 3, title: body.title, state: "opened", author: { username: "tanuki" } },
        ...{ source_branch: body.source_branch, target_branch: body.target_branch },
        web_url: "https://gitlab.com/group/sub/name/-/merge_requests/3",
      });
    return send(404, { message: "Not Found" });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

async function topicBranch(address: string, variables: Record<string, string>) {
  const repo = await repository();
  repo.git("remote", "add", "origin", address);
  repo.git("switch", "--quiet", "--create", "topic");
  const person = scriptedPerson(yes, yes, yes);
  const wield = await repo.reopen({ env: { ...repo.env, ...variables }, asker: person.asker });
  return { repo, person, wield };
}

describe("on GitHub", () => {
  test("a pull request is made for the current branch after the person saw it", async () => {
    const { url, seen } = await forgeServer();
    const variables = { GITHUB_API_URL: url, GH_TOKEN: "secret" };
    const { person, wield } = await topicBranch("git@github.com:owner/name.git", variables);
    const input = { action: "create" as const, title: "Handle empty input", body: "Fixes a crash." };
    const { text } = await wield.call("pull_request", input);
    expect(text).toBe("Created #7 (topic → trunk): https://github.com/owner/name/pull/7");
    expect(seen.at(-1)).toMatchObject({
      method: "POST",
      url: "/repos/owner/name/pulls",
      body: {
        title: "Handle empty input",
        body: "Fixes a crash.",
        head: "topic",
        base: "trunk",
        draft: false,
      },
    });
    const notes = person.asked[0]?.[0]?.preview?.notes.join("\n");
    expect(notes).toContain("from topic to the main branch");
    expect(notes).toContain("Fixes a crash.");
    expect(notes).toContain("undo does not take it back");
  });

  test("open ones are listed and one is viewed, as words of strangers", async () => {
    const { url } = await forgeServer();
    const variables = { GITHUB_API_URL: url, GITHUB_TOKEN: "secret" };
    const { wield } = await topicBranch("https://github.com/owner/name", variables);
    const list = await wield.call("pull_request", {});
    expect(list.text).toContain("#7 open mona topic → trunk: Handle empty input\n#8 draft mona");
    expect(list.text).toMatch(/^<untrusted /);
    const one = await wield.call("pull_request", { action: "view", number: 7 });
    expect(one.text).toContain("https://github.com/owner/name/pull/7\n\nwhy");
  });

  test("a token goes to no host that only the repository names", async () => {
    const { url, seen } = await forgeServer();
    const variables = { GITHUB_API_URL: url, GH_TOKEN: "secret", GITLAB_TOKEN: "secret" };
    for (const address of [
      `${url}/owner/name`,
      "https://github.com.evil.invalid/owner/name",
      "https://evil.invalid/o/n",
    ]) {
      const { wield } = await topicBranch(address, variables);
      const { result } = await wield.call("pull_request", {});
      expect(result).toMatchObject({ error: { code: "UNAVAILABLE" } });
    }
    expect(seen).toEqual([]);
  });

  test("without a login it says how to get one, a wrong one is told", async () => {
    const { url } = await forgeServer();
    const address = "https://github.com/owner/name";
    const none = await topicBranch(address, { GITHUB_API_URL: url });
    expect((await none.wield.call("pull_request", {})).text).toContain("gh auth login");
    const wrong = await topicBranch(address, { GITHUB_API_URL: url, GH_TOKEN: "wrong" });
    expect((await wrong.wield.call("pull_request", {})).text).toContain("does not accept the key");
  });
});

test("on GitLab, with groups in the path", async () => {
  const { url, seen } = await forgeServer();
  const variables = { GITLAB_API_URL: url, GITLAB_TOKEN: "secret" };
  const { wield } = await topicBranch("https://gitlab.com/group/sub/name.git", variables);
  const input = { action: "create" as const, title: "T", base: "main", draft: true };
  const { text } = await wield.call("pull_request", input);
  expect(text).toContain("Created #3 (topic → main)");
  expect(seen.at(-1)?.body).toMatchObject({
    title: "Draft: T",
    source_branch: "topic",
    target_branch: "main",
  });
});

test.each([
  ["git@github.com:owner/name.git", "github.com", "owner/name"],
  ["ssh://git@github.com:22/owner/name", "github.com", "owner/name"],
  ["https://user:pass@GitHub.com/owner/name.git/", "github.com", "owner/name"],
  ["https://gitlab.com/a/b/c", "gitlab.com", "a/b/c"],
])("the remote %s", (address, host, name) => {
  expect(parseRemote(address)).toEqual({ host, repository: name });
});

test.each([
  "/srv/git/name.git",
  "file:///x/y",
  "https://github.com/owner",
  "https://github.com/a/b?x=1/../..",
  "ext::sh -c id",
])("%s is no repository of a host", (address) => {
  const place = parseRemote(address);
  expect(place === undefined || place.repository === "a/b").toBe(true);
});
