import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that behaves like GitHub's contents and Git data API for one repository, me/notes. */
export interface FakeGitHub {
  url: string;
  requests: { method: string; path: string; authorization: string | undefined }[];
  /** Files of the branch, by path. */
  files(): Record<string, string>;
  /** Messages of its commits, newest first. */
  log(): string[];
  /** What somebody else commits. */
  push(path: string, content: string): void;
  /** Called before a branch is moved: others may commit at that moment. */
  beforeMove: () => void;
  /** Answers a request instead of the usual way; undefined: the usual way. */
  instead: (
    request: IncomingMessage,
  ) => { status: number; body: unknown; headers?: Record<string, string> } | undefined;
  close(): Promise<void>;
}

interface Stored {
  message: string;
  tree: string;
  parents: string[];
}

export async function fakeGitHub(token = "token-for-tests"): Promise<FakeGitHub> {
  const blobs = new Map<string, Buffer>();
  const trees = new Map<string, Map<string, string>>();
  const commits = new Map<string, Stored>();
  let head = "";
  const shaOf = (value: unknown) => createHash("sha1").update(JSON.stringify(value)).digest("hex");
  const addBlob = (bytes: Buffer) => {
    const sha = shaOf(bytes.toString("base64"));
    blobs.set(sha, bytes);
    return sha;
  };
  const addTree = (entries: Map<string, string>) => {
    const sha = shaOf([...entries]);
    trees.set(sha, entries);
    return sha;
  };
  const addCommit = (commit: Stored) => {
    const sha = shaOf([commit, commits.size]);
    commits.set(sha, commit);
    return sha;
  };
  const treeAt = (sha: string) => trees.get(commits.get(sha)?.tree ?? "") ?? new Map<string, string>();
  head = addCommit({
    message: "first",
    tree: addTree(new Map([["README.md", addBlob(Buffer.from("# Notes"))]])),
    parents: [],
  });

  const github: FakeGitHub = {
    url: "",
    requests: [],
    files: () =>
      Object.fromEntries([...treeAt(head)].map(([path, sha]) => [path, blobs.get(sha)?.toString() ?? ""])),
    log: () => {
      const messages: string[] = [];
      for (let at = commits.get(head); at; at = commits.get(at.parents[0] ?? "")) messages.push(at.message);
      return messages;
    },
    push: (path, content) => {
      const tree = addTree(new Map([...treeAt(head), [path, addBlob(Buffer.from(content))]]));
      head = addCommit({ message: `other: ${path}`, tree, parents: [head] });
    },
    beforeMove: () => undefined,
    instead: () => undefined,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };

  const answer = (
    method: string,
    path: string,
    query: URLSearchParams,
    body: Record<string, never>,
  ): [number, unknown] => {
    const missing: [number, unknown] = [404, { message: "Not Found" }];
    if (path === "") return [200, { default_branch: "main" }];
    if (method === "GET" && path === "/git/ref/heads/main")
      return [200, { object: { type: "commit", sha: head } }];
    const commit = commits.get(/^\/git\/commits\/(\w+)$/.exec(path)?.[1] ?? "");
    if (method === "GET" && commit)
      return [
        200,
        {
          sha: path.split("/").at(-1),
          html_url: "https://github.com/me/notes/commit/x",
          tree: { sha: commit.tree },
        },
      ];
    if (method === "GET" && path.startsWith("/contents/")) {
      const sha = treeAt(query.get("ref") ?? head).get(path.slice("/contents/".length));
      const bytes = blobs.get(sha ?? "");
      if (!bytes) return missing;
      return [
        200,
        { type: "file", encoding: "base64", size: bytes.length, content: bytes.toString("base64") },
      ];
    }
    if (method === "POST" && path === "/git/blobs")
      return [201, { sha: addBlob(Buffer.from(body["content"] ?? "", "base64")) }];
    if (method === "POST" && path === "/git/trees") {
      const base = trees.get(body["base_tree"] ?? "");
      const entries = body["tree"] as unknown as { path: string; mode: string; type: string; sha: string }[];
      if (
        !base ||
        entries.some(({ sha, mode, type }) => !blobs.has(sha) || mode !== "100644" || type !== "blob")
      )
        return [422, { message: "GitRPC::BadObjectState" }];
      return [
        201,
        { sha: addTree(new Map([...base, ...entries.map((entry) => [entry.path, entry.sha] as const)])) },
      ];
    }
    if (method === "POST" && path === "/git/commits") {
      const { message, tree, parents } = body as unknown as Stored;
      if (!trees.has(tree) || !parents.every((sha) => commits.has(sha)))
        return [422, { message: "Tree SHA does not exist" }];
      const sha = addCommit({ message, tree, parents });
      return [201, { sha, html_url: `https://github.com/me/notes/commit/${sha}` }];
    }
    if (method === "PATCH" && path === "/git/refs/heads/main") {
      github.beforeMove();
      const sha: string = body["sha"] ?? "";
      if (!commits.get(sha)?.parents.includes(head))
        return [422, { message: "Update is not a fast forward" }];
      head = sha;
      return [200, { object: { sha } }];
    }
    return missing;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "", "http://x");
    const { method = "GET" } = request;
    const authorization = request.headers.authorization;
    github.requests.push({ method, path: url.pathname, authorization });
    const text = Buffer.concat(await request.toArray()).toString();
    const special = github.instead(request);
    const inRepository = decodeURIComponent(url.pathname).replace(/^\/repos\/me\/notes/, "");
    const isKnown = authorization === `Bearer ${token}`;
    const usual = (): [number, unknown] =>
      !isKnown
        ? [401, { message: "Bad credentials" }]
        : url.pathname.startsWith("/repos/me/notes")
          ? answer(method, inRepository, url.searchParams, text === "" ? {} : JSON.parse(text))
          : [404, { message: "Not Found" }];
    const [status, body] = special ? [special.status, special.body] : usual();
    response.writeHead(status, { "content-type": "application/json", ...special?.headers });
    response.end(JSON.stringify(body));
  };
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  github.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return github;
}
