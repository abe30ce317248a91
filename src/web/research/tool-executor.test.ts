import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { json, startService } from "../fake-internet.suite.ts";
import { createGitHub } from "./github.ts";
import { createToolExecutor, type ToolCallLog, type ToolExecutor } from "./tool-executor.ts";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A GitHub that speaks the contents API over real HTTP. */
let github: Awaited<ReturnType<typeof startService>>;
const requests: { url: string; headers: IncomingMessage["headers"] }[] = [];
const answers = new Map<string, Answer>();

const file = (content: string | Buffer, more = {}): Answer => {
  const bytes = Buffer.from(content);
  // GitHub breaks its base64 into lines.
  const content64 = bytes.toString("base64").replaceAll(/.{60}/g, "$&\n");
  return (response) =>
    json(response, { type: "file", encoding: "base64", size: bytes.length, content: content64, ...more });
};

beforeAll(async () => {
  github = await startService((request, response) => {
    requests.push({ url: request.url ?? "", headers: request.headers });
    const [, path = ""] = /^\/repos\/me\/research\/contents\/([^?]*)/.exec(request.url ?? "") ?? [];
    const answer = answers.get(decodeURIComponent(path));
    if (answer) answer(response, request);
    else json(response, { message: "Not Found", status: "404" }, 404);
  });
});
afterAll(() => github.close());

let executor: ToolExecutor;
let logged: ToolCallLog[];
beforeEach(() => {
  requests.length = 0;
  answers.clear();
  logged = [];
  const reader = createGitHub({ repository: "me/research", apiUrl: github.url, token: "secret-token" });
  executor = createToolExecutor(reader, (_event, entry) => logged.push(entry));
});
afterEach(() => vi.restoreAllMocks());

const read = (path: string) => executor.readResearch({ path });

describe("Tool Executor", () => {
  it("valid file", async () => {
    const text = "# Solar roofs\n\nWorth it, mostly. ☀\n".repeat(20);
    answers.set("ideas/2026-01-12-solar/research.md", file(text));
    expect(await read("  2026-01-12-solar/research.md ")).toEqual({
      ok: true,
      content: text,
      bytes: Buffer.byteLength(text),
    });
    expect(requests[0]?.url).toBe("/repos/me/research/contents/ideas/2026-01-12-solar/research.md");
    expect(requests[0]?.headers["authorization"]).toBe("Bearer secret-token");
  });

  it("file not found", async () => {
    expect(await read("nothing.md")).toEqual({
      ok: false,
      error_type: "file_not_found",
      message: "File not found: nothing.md",
    });
  });

  const invalid: [name: string, path: string, rule: RegExp][] = [
    ["traversal (`..`)", "../secrets.md", /'\.\.'/],
    ["traversal inside", "a/../../b.md", /'\.\.'/],
    ["backslash", "a\\b.md", /backslash/],
    ["absolute path (`/etc/passwd`)", "/etc/passwd", /start with a letter or digit/],
    ["percent sign", "a%2e%2e/b.md", /'%'/],
    ["starts with `ideas/`", "ideas/a.md", /'ideas\/'/],
    ["trailing slash", "folder/", /ends with '\/'/],
    ["double slash", "a//b.md", /'\/\/'/],
    [">200 chars", "a".repeat(201), /at most 200/],
    ["control chars", "a\u0007b.md", /control characters/],
    ["NUL", "a\0b.md", /control characters/],
    ["empty", "", /start with a letter or digit/],
    ["hidden file", ".env", /start with a letter or digit/],
    ["other characters", "café.md", /hold only letters/],
    // The first broken rule is told.
    ["control before percent", "a\u0001%", /control characters/],
    ["percent before traversal", "%..", /'%'/],
    ["traversal before prefix", "ideas/../x", /'\.\.'/],
    ["prefix before trailing slash", "ideas/", /'ideas\/'/],
    ["trailing slash before double slash", "a//", /ends with '\/'/],
  ];
  for (const [name, path, rule] of invalid) {
    it(name, async () => {
      const result = await read(path);
      expect(result).toMatchObject({ ok: false, error_type: "path_validation" });
      expect(result.ok === false && result.message).toMatch(rule);
      expect(requests).toEqual([]);
    });
  }

  it("exactly 200 chars", async () => {
    const path = "a".repeat(200);
    answers.set(`ideas/${path}`, file("long name"));
    expect(await read(path)).toMatchObject({ ok: true, content: "long name" });
  });

  it(">50KB", async () => {
    answers.set("ideas/large.md", file("x".repeat(51_201)));
    expect(await read("large.md")).toEqual({
      ok: false,
      error_type: "file_too_large",
      message: "File exceeds 50KB limit. Try a more specific path or request a summary.",
    });
    answers.set("ideas/just.md", file("x".repeat(51_200)));
    expect(await read("just.md")).toMatchObject({ ok: true, bytes: 51_200 });
  });

  it("directory response", async () => {
    const entry = { name: "a.md", path: "ideas/folder/a.md", type: "file", size: 3 };
    answers.set("ideas/folder", (response) => json(response, { type: "dir", size: 0, entries: [entry] }));
    answers.set("ideas/old-folder", (response) => json(response, [entry]));
    for (const path of ["folder", "old-folder"])
      expect(await read(path)).toEqual({
        ok: false,
        error_type: "api_error",
        message: `Path is not a file: ${path}`,
      });
  });

  it("missing size field", async () => {
    answers.set("ideas/a.md", file("text", { size: undefined }));
    expect(await read("a.md")).toMatchObject({ ok: false, error_type: "api_error" });
  });

  it("empty file", async () => {
    answers.set("ideas/empty.md", file(""));
    expect(await read("empty.md")).toEqual({ ok: true, content: "", bytes: 0 });
  });

  it("bytes in success", async () => {
    answers.set("ideas/umlaut.md", file("äöü"));
    expect(await read("umlaut.md")).toMatchObject({ ok: true, content: "äöü", bytes: 6 });
  });
});

describe("GitHub's other answers", () => {
  for (const status of [403, 429]) {
    it(`${status} with a reset time tells the time`, async () => {
      const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1893456000" };
      answers.set("ideas/a.md", (response) =>
        json(response, { message: "API rate limit exceeded" }, status, headers),
      );
      const result = await read("a.md");
      expect(result).toMatchObject({ ok: false, error_type: "api_error" });
      expect(result.ok === false && result.message).toBe(
        "Failed to read file: GitHub's rate limit is reached until 2030-01-01T00:00:00.000Z.",
      );
    });

    it(`${status} with Retry-After tells the time`, async () => {
      vi.spyOn(Date, "now").mockReturnValue(Date.parse("2026-11-15T10:00:00Z"));
      answers.set("ideas/a.md", (response) =>
        json(response, { message: "secondary rate limit" }, status, { "retry-after": "90" }),
      );
      const result = await read("a.md");
      expect(result.ok === false && result.message).toContain("until 2026-11-15T10:01:30.000Z");
    });
  }

  it("without a token a limit says that one helps", async () => {
    const anonymous = createToolExecutor(
      createGitHub({ repository: "me/research", apiUrl: github.url }),
      () => {},
    );
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1893456000" };
    answers.set("ideas/a.md", (response) => json(response, { message: "limit" }, 403, headers));
    const result = await anonymous.readResearch({ path: "a.md" });
    expect(result.ok === false && result.message).toContain("60 requests an hour");
    expect(requests[0]?.headers).not.toHaveProperty("authorization");
  });

  it("403 and 401 without a limit say what is wrong", async () => {
    answers.set("ideas/a.md", (response) => json(response, { message: "Resource not accessible" }, 403));
    answers.set("ideas/b.md", (response) => json(response, { message: "Bad credentials" }, 401));
    const forbidden = await read("a.md");
    expect(forbidden.ok === false && forbidden.message).toContain("Resource not accessible");
    const refused = await read("b.md");
    expect(refused.ok === false && refused.message).toContain("does not accept the token (Bad credentials)");
  });

  it("1–100 MB file: encoding none is too large, and its bytes are never asked for", async () => {
    answers.set("ideas/huge.md", (response) =>
      json(response, { type: "file", encoding: "none", size: 5_000_000, content: "" }),
    );
    expect(await read("huge.md")).toMatchObject({ ok: false, error_type: "file_too_large" });
    expect(requests).toHaveLength(1);
  });

  it("encoding none on a small file is asked for again as raw bytes", async () => {
    answers.set("ideas/raw.md", (response, request) =>
      request.headers.accept === "application/vnd.github.raw+json"
        ? response.end("raw bytes")
        : json(response, { type: "file", encoding: "none", size: 9, content: "" }),
    );
    expect(await read("raw.md")).toEqual({ ok: true, content: "raw bytes", bytes: 9 });
  });

  it("symlink to a file is that file; a dangling one is not a file", async () => {
    answers.set("ideas/link.md", file("the target's text"));
    answers.set("ideas/dangling.md", (response) =>
      json(response, { type: "symlink", target: "/nowhere", size: 8 }),
    );
    expect(await read("link.md")).toMatchObject({ ok: true, content: "the target's text" });
    expect(await read("dangling.md")).toMatchObject({ message: "Path is not a file: dangling.md" });
  });

  it("submodule is not a file, and a listing does not call it one", async () => {
    const entry = {
      name: "lib",
      path: "ideas/lib",
      type: "file",
      size: 0,
      submodule_git_url: "https://example.com/lib.git",
    };
    answers.set("ideas/lib", (response) => json(response, { ...entry, type: "submodule" }));
    answers.set("ideas", (response) => json(response, { type: "dir", entries: [entry] }));
    expect(await read("lib")).toMatchObject({ message: "Path is not a file: lib" });
    const listing = await createGitHub({ repository: "me/research", apiUrl: github.url }).contents("ideas");
    expect(listing.entries).toEqual([{ name: "lib", path: "ideas/lib", type: "submodule", size: 0 }]);
  });

  it("a branch is asked for when one is set", async () => {
    answers.set("ideas/a.md", file("on a branch"));
    const branch = createGitHub({ repository: "me/research", apiUrl: github.url, ref: "work/in progress" });
    await createToolExecutor(branch, () => {}).readResearch({ path: "a.md" });
    expect(requests[0]?.url).toBe("/repos/me/research/contents/ideas/a.md?ref=work%2Fin+progress");
  });

  it("network cut in the middle", async () => {
    answers.set("ideas/cut.md", (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": 5000 });
      response.write('{"type":"file","size":');
      response.socket?.destroySoon();
    });
    const result = await read("cut.md");
    expect(result).toMatchObject({ ok: false, error_type: "api_error" });
    expect(result.ok === false && result.message).toContain("Failed to read file: ");
    expect(result.ok === false && result.message).toContain("before the response was complete");
  });

  it("no server, a broken server, nonsense", async () => {
    answers.set("ideas/500.md", (response) => json(response, { message: "Server Error" }, 500));
    answers.set("ideas/html.md", (response) => response.end("<html>"));
    answers.set("ideas/odd.md", (response) => json(response, { type: "mystery" }));
    expect(await read("500.md")).toMatchObject({ message: "Failed to read file: Server Error" });
    expect(await read("html.md")).toMatchObject({ error_type: "api_error" });
    expect(await read("odd.md")).toMatchObject({ error_type: "api_error" });
    const nowhere = createGitHub({ repository: "me/research", apiUrl: "http://127.0.0.1:9" });
    const result = await createToolExecutor(nowhere, () => {}).readResearch({ path: "a.md" });
    expect(result.ok === false && result.message).toContain("refuses the connection");
  });

  it("a redirect to another host is not followed: the token stays", async () => {
    answers.set("ideas/moved.md", (response) =>
      response.writeHead(302, { location: "http://127.0.0.1:9/steal" }).end(),
    );
    const result = await read("moved.md");
    expect(result.ok === false && result.message).toContain("only http://127.0.0.1");
  });
});

describe("logs", () => {
  it("one entry for each call, of the whole and to the collector", async () => {
    answers.set("ideas/a.md", file("text"));
    const collected: ToolCallLog[] = [];
    await executor.readResearch({ path: "a.md" }, { onCall: (entry) => collected.push(entry) });
    await read("../b.md");
    const durationMs = expect.any(Number);
    const first = { name: "read_research", path: "a.md", durationMs, ok: true, bytes: 4, errorType: null };
    expect(collected).toEqual([first]);
    expect(logged).toEqual([
      first,
      {
        name: "read_research",
        path: "../b.md",
        durationMs,
        ok: false,
        bytes: null,
        errorType: "path_validation",
      },
    ]);
  });

  it("go to standard output when nobody else takes them", async () => {
    const output = vi.spyOn(console, "log").mockImplementation(() => {});
    await createToolExecutor(createGitHub({ repository: "me/research", apiUrl: github.url })).readResearch({
      path: "%",
    });
    expect(output).toHaveBeenCalledWith(
      "tool_call",
      expect.objectContaining({ errorType: "path_validation" }),
    );
  });
});
