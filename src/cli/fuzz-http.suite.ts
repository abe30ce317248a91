import { connect } from "node:net";
import { drawn, type Target } from "../testing/fuzz-target.suite.ts";
import fc from "../testing/properties.ts";
import { big, junk, spoiltRecord, value, wired } from "./fuzz-input.suite.ts";
import { answerWithinMs, startCommand } from "./fuzz-process.suite.ts";

const places = [
  ...[
    "/",
    "/mcp",
    "/api/status",
    "/api/tools",
    "/api/sessions",
    "/api/approvals",
    "/api/questions/x",
    "/api/files",
  ],
  ...[
    "/api/settings",
    "/api/rules",
    "/api/documents",
    "/api/keys",
    "/api/changes",
    "/api/changes/reverse",
    "/api/call",
  ],
  ...[
    "/api/chats",
    "/api/skills/x",
    "/api/cost",
    "/api/index",
    "/api/sessions/x",
    "/api/sessions/x/messages",
    "/api/events",
  ],
  ...[
    "/api/sessions/x/mode",
    "/api/sessions/x/queue",
    "/api/approvals/x",
    "/api/mcp",
    "/api/models",
    "/api/worktrees",
  ],
  ...[
    "/api/session-token",
    "/pair",
    "/assets/x",
    "/../../etc/passwd",
    "//",
    "*",
    "http://example.invalid/",
    "/api/%ff/%00",
  ],
];

/** Requests as bytes: heads that are none, bodies of another length, what no browser would send. */
function rawRequest(host: string, tokens: readonly string[]): fc.Arbitrary<Buffer> {
  const header = fc.oneof(
    fc.constantFrom(
      `Host: ${host}`,
      "Host: example.invalid",
      `Origin: http://${host}`,
      "Origin: null",
      "Expect: 100-continue",
    ),
    fc.constantFrom(
      "Content-Length: -1",
      "Content-Length: 99999999999",
      "Transfer-Encoding: chunked",
      "Upgrade: websocket",
    ),
    fc.constantFrom(
      "Content-Type: text/plain",
      "Range: bytes=0-",
      "Last-Event-ID: x",
      "Accept: text/event-stream",
    ),
    fc.constantFrom(
      `X: ${big(20_000)}`,
      "Mcp-Session-Id: x",
      "MCP-Protocol-Version: 1",
      "Content-Encoding: gzip",
    ),
    fc.string().map((text) => `X-Odd: ${text}`),
    fc.string(),
  );
  const rpc = wired(["initialize", "ping", "tools/list", "tools/call"], value).map(({ bytes }) => bytes);
  const body = fc.oneof(
    value.map((any) => Buffer.from(JSON.stringify(any))),
    spoiltRecord({
      text: junk,
      path: junk,
      mode: fc.constant("plan"),
      name: junk,
      id: junk,
      rule: value,
      values: value,
    }).map((any) => Buffer.from(JSON.stringify(any))),
    rpc,
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.nat(20).map((size) => Buffer.from(JSON.stringify({ text: big(size * 1_000_000) }))),
  );
  return fc
    .record({
      method: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom("GET", "POST", "POST", "PATCH", "PUT", "DELETE", "HEAD") },
        fc.string(),
      ),
      place: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...places) },
        fc.webPath({ size: "medium" }),
        fc.string(),
      ),
      query: fc.oneof(
        fc.constantFrom("", "?", "?after=-1", "?cursor=%ff&limit=1e9", "?__proto__=1"),
        fc.webQueryParameters(),
      ),
      version: fc.oneof(
        { weight: 12, arbitrary: fc.constant("HTTP/1.1") },
        fc.constantFrom("HTTP/9.9", "HTTP/1.0", ""),
      ),
      token: fc.constantFrom(...tokens, ...tokens, "x"),
      headers: fc.array(header, { maxLength: 3 }),
      isPlain: fc.boolean(),
      body,
    })
    .map(({ method, place, query, version, token, headers, isPlain, body: sent }) => {
      const usual = [
        `Host: ${host}`,
        `Authorization: Bearer ${token}`,
        "Accept: application/json, text/event-stream",
      ];
      const length = ["Content-Type: application/json", `Content-Length: ${sent.length}`];
      const lines = [
        `${method} ${place}${query} ${version}`,
        ...usual,
        ...length,
        ...(isPlain ? [] : headers),
      ];
      return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), sent]);
    });
}

export async function httpRequests(): Promise<Target> {
  const command = await startCommand(["serve", "--port", "0", "--model", "offline"]);
  const { promise: printed, resolve } = Promise.withResolvers<string>();
  let said = "";
  command.child.stdout.setEncoding("utf8").on("data", (chunk) => {
    said += chunk;
    if (/Bearer \S+/.test(said)) resolve(said);
  });
  command.child.once("exit", () => resolve(""));
  const address = await printed;
  const [, host = "", token = ""] = /http:\/\/(127\.0\.0\.1:\d+)\/#token=([\w-]+)/.exec(address) ?? [];
  const [, mcpToken = ""] = /Bearer (\S+)/.exec(address) ?? [];
  const request = rawRequest(host, [token, mcpToken]);
  return {
    attempt: async (number) => {
      const sent = drawn(request, number);
      const head = await headOfAnswer(host, sent);
      const faults: string[] = [];
      if (head === undefined) faults.push("neither an answer nor a close");
      else if (/^HTTP\/1\.1 500/.test(head)) faults.push(head.slice(0, 1_000));
      const fine = await fetch(`http://${host}/api/status`, {
        headers: { authorization: `Bearer ${token}` },
      }).catch(String);
      const ended = command.ended();
      if (ended) faults.push(ended);
      else if (typeof fine === "string" || !fine.ok) faults.push("no answer to the request after it");
      return faults.map((what) => `${what}\nto ${sent.toString("latin1").slice(0, 2_000)}`);
    },
    close: command.close,
  };
}

/** The head of what comes back; empty where the connection was closed; undefined where neither happened. */
function headOfAnswer(host: string, request: Buffer): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const [name, port] = host.split(":");
  let answer = "";
  const socket = connect(Number(port), name)
    .setEncoding("latin1")
    .setTimeout(answerWithinMs, () => resolve(undefined))
    .on("data", (chunk) => {
      answer += chunk;
      if (answer.includes("\r\n\r\n")) resolve(answer);
    })
    .on("error", () => resolve(answer))
    .on("close", () => resolve(answer));
  socket.end(request);
  return promise.finally(() => socket.destroy());
}
