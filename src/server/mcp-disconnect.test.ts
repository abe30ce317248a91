import { expect, test } from "vitest";
import type { OpenView } from "../api/approvals.ts";
import { testServer } from "./server.suite.ts";

const call = { name: "write_file", arguments: { path: "a.txt", content: "two\n" } };

/** A client that can show no form, so that its call waits for an answer on the page; over a real connection that can be cut. */
async function clientOf(server: Awaited<ReturnType<typeof testServer>>, more: Record<string, string>) {
  const post = (body: object, signal?: AbortSignal, headers: Record<string, string> = {}) =>
    fetch(`${server.origin}/mcp`, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", ...body }),
      headers: {
        authorization: `Bearer ${server.mcpToken}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...more,
        ...headers,
      },
      ...(signal && { signal }),
    });
  const dropped = async (params: object, headers: Record<string, string> = {}) => {
    const cut = new AbortController();
    const request = { id: 7, method: "tools/call", params };
    const response = post(request, cut.signal, headers).then((answer) => answer.text());
    await server.asked();
    cut.abort();
    await expect(response).rejects.toThrow();
  };
  return { post, dropped };
}

const open = async (server: Awaited<ReturnType<typeof testServer>>) =>
  (await server.api<OpenView>("/approvals")).asks.length;

test("2026: whoever drops the connection has cancelled the call", async () => {
  const server = await testServer({ "a.txt": "one\n" });
  const { dropped } = await clientOf(server, { "mcp-protocol-version": "2026-07-28" });
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  await dropped({ ...call, _meta }, { "mcp-method": "tools/call", "mcp-name": "write_file" });
  await expect.poll(() => open(server)).toBe(0);
  await expect
    .poll(() => server.wield.store.calls({ tool: "write_file" }))
    .toMatchObject([{ ok: false, errorCode: "ABORTED" }]);
  expect(server.read("a.txt")).toBe("one\n");
});

test("2025: a dropped connection is no cancellation, a notification is", async () => {
  const server = await testServer({ "a.txt": "one\n" });
  const { post, dropped } = await clientOf(server, {});
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const begun = await post({ id: 0, method: "initialize", params });
  const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
  await begun.text();
  await post({ method: "notifications/initialized" }, undefined, session);
  await dropped(call, session);
  // The server has dealt with the drop once it has answered two requests that came after it.
  for (const id of [1, 2]) await (await post({ id, method: "ping" }, undefined, session)).text();
  expect(await open(server)).toBe(1);
  await post({ method: "notifications/cancelled", params: { requestId: 7 } }, undefined, session);
  await expect.poll(() => open(server)).toBe(0);
  expect(await server.wield.store.calls({ tool: "write_file" })).toMatchObject([{ errorCode: "ABORTED" }]);
  await dropped({ ...call }, session);
  await server.api(`/approvals/${(await server.asked()).id}`, { approved: true });
  await expect.poll(() => server.read("a.txt")).toBe("two\n");
});
