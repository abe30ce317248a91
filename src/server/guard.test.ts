import { expect, test } from "vitest";
import { rawRequest, type TestServer, testServer } from "./server.suite.ts";

const get = (server: TestServer, ...headers: string[]) =>
  rawRequest(server.port, ["GET /api/status HTTP/1.1", ...headers, "Connection: close"]);
const host = ({ port }: TestServer) => `Host: 127.0.0.1:${port}`;
const bearer = ({ token }: TestServer) => `Authorization: Bearer ${token}`;

test("the right name and token are let in", async () => {
  const server = await testServer();
  expect(await get(server, host(server), bearer(server))).toBe(200);
  expect(await get(server, `Host: localhost:${server.port}`, bearer(server))).toBe(200);
  expect(await get(server, host(server), bearer(server), `Origin: http://127.0.0.1:${server.port}`)).toBe(
    200,
  );
  expect(await get(server, host(server), bearer(server), "Sec-Fetch-Site: same-origin")).toBe(200);
});

test("the Host must be given once, and be ours", async () => {
  const server = await testServer();
  expect(await get(server, bearer(server))).toBe(400);
  expect(await get(server, host(server), host(server), bearer(server))).toBe(400);
  expect(await get(server, host(server), "Host: evil.example", bearer(server))).toBe(400);
  for (const name of [
    "evil.example",
    `evil.example:${server.port}`,
    "127.0.0.1",
    `127.0.0.1:${server.port + 1}`,
    `127.0.0.1.evil.example:${server.port}`,
    `[::1]:${server.port}`,
  ])
    expect(await get(server, `Host: ${name}`, bearer(server)), name).toBe(421);
  const http10 = ["GET /api/status HTTP/1.0", bearer(server)];
  expect(await rawRequest(server.port, http10)).toBe(400);
});

test("a request for a whole address is refused", async () => {
  const server = await testServer();
  const line = `GET http://127.0.0.1:${server.port}/api/status HTTP/1.1`;
  expect(await rawRequest(server.port, [line, host(server), bearer(server)])).toBe(400);
});

test("another origin is refused, however near it is", async () => {
  const server = await testServer();
  const own = `http://127.0.0.1:${server.port}`;
  for (const origin of [
    "https://evil.example",
    "null",
    `http://127.0.0.1:${server.port + 1}`,
    "http://127.0.0.1",
    `https://127.0.0.1:${server.port}`,
    `${own}.evil.example`,
    `${own}/`,
    `http://localhost:${server.port}`,
  ])
    expect(await get(server, host(server), bearer(server), `Origin: ${origin}`), origin).toBe(403);
  expect(await get(server, host(server), bearer(server), `Origin: ${own}`, "Origin: null")).toBe(403);
  for (const site of ["cross-site", "same-site"])
    expect(await get(server, host(server), bearer(server), `Sec-Fetch-Site: ${site}`), site).toBe(403);
});

test("there is no cross-origin access and no odd method", async () => {
  const server = await testServer();
  const options = await fetch(`${server.origin}/api/status`, { method: "OPTIONS" });
  expect(options.status).toBe(403);
  expect([...options.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  const line = "TRACE /api/status HTTP/1.1";
  expect(await rawRequest(server.port, [line, host(server), bearer(server)])).toBe(405);
});

test("bodies are JSON and nothing else", async () => {
  const server = await testServer({ "a.txt": "a\n" });
  const authorization = `Bearer ${server.token}`;
  const body = JSON.stringify({ tool: "read_file", input: { path: "a.txt" } });
  const post = (headers: Record<string, string>) =>
    server.status("/api/call", { method: "POST", headers: { authorization, ...headers }, body });
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
  ])
    expect(await post({ "content-type": type }), type).toBe(415);
  const none = ["POST /api/call HTTP/1.1", host(server), bearer(server), "Content-Length: 0"];
  expect(await rawRequest(server.port, none)).toBe(415);
  expect(await post({ "content-type": "application/json; charset=utf-8" })).toBe(200);
});

test("without the token there is nothing but the page", async () => {
  const server = await testServer();
  for (const header of [
    [],
    ["Authorization: Bearer "],
    ["Authorization: Bearer x"],
    [`Authorization: Basic ${server.token}`],
  ])
    expect(await get(server, host(server), ...header)).toBe(401);
  const json = ["Content-Type: application/json"];
  const large = [`POST /enter HTTP/1.1`, host(server), ...json, "Content-Length: 15000000", "", "{"];
  expect(await rawRequest(server.port, large)).toBe(413);
  const token = `Authorization: Bearer ${server.token}`;
  const deep = `{"text":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
  const nested = [
    "POST /api/sessions HTTP/1.1",
    host(server),
    ...json,
    token,
    `Content-Length: ${deep.length}`,
  ];
  expect(await rawRequest(server.port, [...nested, "", deep])).toBe(400);
  for (const path of [
    "/api/events",
    "/%61pi/status",
    "//api/status",
    "/api/../api/status",
    "/assets/../api/status",
    "/mcp",
    "/x",
    "/enter/",
    "/enter/x",
  ])
    expect(await rawRequest(server.port, [`GET ${path} HTTP/1.1`, host(server)]), path).toBe(401);
  for (const path of [
    "/approvals/x",
    "/approvals/left/x",
    "/questions/x",
    "/documents/x",
    "/documents/suggestions/x",
    "/settings/pin",
    "/settings/forget",
    "/sessions/x/messages",
  ]) {
    const json = ["Content-Type: application/json", "Content-Length: 2"];
    const request = [`POST /api${path} HTTP/1.1`, host(server)];
    expect(await rawRequest(server.port, [...request, ...json, "", "{}"]), path).toBe(401);
    const token = `Authorization: Bearer ${server.token}`;
    const plain = ["Content-Type: text/plain", "Content-Length: 2", token];
    expect(await rawRequest(server.port, [...request, ...plain, "", "{}"]), path).toBe(415);
    const foreign = ["Origin: http://attacker.example", token];
    expect(await rawRequest(server.port, [...request, ...json, ...foreign, "", "{}"]), path).toBe(403);
  }
  for (const path of ["/assets/..%2f..%2fpackage.json", "/assets/%2e%2e"])
    expect(await rawRequest(server.port, [`GET ${path} HTTP/1.1`, host(server)]), path).toBe(401);
  expect(await server.status(`/api/status?token=${server.token}`)).toBe(401);
});

test("an MCP client's token opens nothing of the page, nor the page's token MCP", async () => {
  const server = await testServer();
  const mcp = `Authorization: Bearer ${server.mcpToken}`;
  const json = ["Content-Type: application/json", "Content-Length: 2"];
  for (const path of [
    "/api/status",
    "/api/events",
    "/api/approvals",
    "/mcp/",
    "/mcp/../api/status",
    "/%6dcp",
  ])
    expect(await rawRequest(server.port, [`GET ${path} HTTP/1.1`, host(server), mcp]), path).toBe(401);
  for (const path of ["/api/approvals/x", "/api/call", "/api/settings/pin"]) {
    const request = [`POST ${path} HTTP/1.1`, host(server), ...json, mcp, "", "{}"];
    expect(await rawRequest(server.port, request), path).toBe(401);
  }
  const call = ["POST /mcp HTTP/1.1", host(server), ...json];
  expect(await rawRequest(server.port, [...call, bearer(server), "", "{}"])).toBe(401);
  expect(await rawRequest(server.port, [...call, mcp, "", "{}"])).not.toBe(401);
});

test("an upgrade to a WebSocket is judged like any request, and not made", async () => {
  const server = await testServer();
  const upgrade = [
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGVzdGluZ3Rlc3Rpbmch",
  ];
  const ask = (...more: string[]) =>
    rawRequest(server.port, ["GET /api/events HTTP/1.1", host(server), ...upgrade, ...more]);
  expect(await ask("Origin: https://evil.example", bearer(server))).toBe(403);
  expect(await ask()).toBe(401);
  expect(await ask(bearer(server))).toBe(200);
});

test("a body above the limit is refused", async () => {
  const server = await testServer();
  await expect(server.api("/call", { tool: "x", input: "x".repeat(17 * 1024 * 1024) })).rejects.toThrow(
    /413 TOO_LARGE/,
  );
});

test("the page may load and say nothing elsewhere, and stand in no frame", async () => {
  const server = await testServer();
  const { headers } = await fetch(`${server.origin}/`);
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/default-src 'none'.*script-src 'self';.*frame-ancestors 'none'/);
  expect(policy).not.toMatch(/unsafe|https?:/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
});

test("a link from another port of this machine opens the page, and nothing else does", async () => {
  const server = await testServer();
  const opened = ["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"];
  const ask = (path: string, site: string, how: readonly string[]) =>
    rawRequest(server.port, [
      `GET ${path} HTTP/1.1`,
      host(server),
      `Sec-Fetch-Site: ${site}`,
      ...how,
      bearer(server),
    ]);
  expect(await ask("/", "same-site", opened)).not.toBe(403);
  expect(await ask("/", "cross-site", opened)).toBe(403);
  expect(await ask("/", "same-site", ["Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"])).toBe(403);
  expect(await ask("/", "same-site", ["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"])).toBe(403);
  expect(await ask("/api/status", "same-site", opened)).toBe(403);
});
