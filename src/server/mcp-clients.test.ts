import { existsSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { testWield } from "../testing/testing.ts";
import { testServer } from "./server.suite.ts";
import { startServer } from "./server.ts";

/** A client of the 2025 protocol, with a connection of its own. */
async function connect(origin: string, token: string) {
  const post = (body: object, more: Record<string, string> = {}) =>
    fetch(`${origin}/mcp`, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", ...body }),
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...more,
      },
    });
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const begun = await post({ id: 0, method: "initialize", params });
  await begun.text();
  const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
  await post({ method: "notifications/initialized" }, session);
  let id = 0;
  return {
    status: begun.status,
    call: async (name: string, input: object): Promise<string> => {
      const request = { id: ++id, method: "tools/call", params: { name, arguments: input } };
      return (await post(request, session)).text();
    },
    leave: async () => {
      const headers = { authorization: `Bearer ${token}`, ...session };
      await (await fetch(`${origin}/mcp`, { method: "DELETE", headers })).text();
    },
  };
}

test.skipIf(!existsSync("/usr/bin/bwrap"))(
  "each client has its own background processes, and they end with it",
  async () => {
    const server = await testServer({ "a.txt": "one\n" }, { toolset: "coding" });
    const [one, other] = [
      await connect(server.origin, server.mcpToken),
      await connect(server.origin, server.mcpToken),
    ];
    const started = await one.call("run_code", {
      language: "bash",
      code: "echo of-one; sleep 600",
      background: true,
    });
    const id = /\bp_\w+/.exec(started)?.[0] ?? "";
    expect(await one.call("background_processes", {})).toContain(id);
    expect(await other.call("background_processes", {})).toContain("No background processes");
    expect(await other.call("background_processes", { id })).toContain("There is no background process");
    expect(await other.call("background_processes", { id, stop: true })).toContain(
      "There is no background process",
    );
    expect(server.wield.processes.list().map(({ state }) => state)).toEqual(["running"]);
    await one.leave();
    await expect.poll(() => server.wield.processes.list(), { timeout: 60_000 }).toEqual([]);
  },
);

test.skipIf(!existsSync("/usr/bin/bwrap"))(
  "a client that leaves during a call leaves no background process",
  async () => {
    const place = await testWield({});
    onTestFinished(() => place.close());
    const { wield } = place;
    const begun = Promise.withResolvers<void>();
    wield.on((event) => {
      if (event.type === "call-start") begun.resolve();
    });
    const input = { language: "bash", code: "sleep 600", background: true };
    const call = wield.callsInOrder("client")("run_code", input);
    await begun.promise;
    await wield.endClient("client");
    await call;
    expect(wield.processes.list()).toEqual([]);
  },
);

test("a token that a program at the port of a stopped server was sent is worth nothing at another port", async () => {
  const place = await testWield({});
  onTestFinished(() => place.close());
  const start = async (port?: number) => {
    const options = { wield: { workspace: place.root, env: place.env }, tokens: "kept" as const };
    const server = await startServer({ ...options, ...(port !== undefined && { port }) });
    onTestFinished(() => server.close());
    return server;
  };
  const first = await start();
  const { port } = new URL(first.origin);
  await first.close();
  const elsewhere = await start();
  expect((await connect(elsewhere.origin, first.mcpToken)).status).toBe(401);
  expect((await connect(elsewhere.origin, elsewhere.mcpToken)).status).toBe(200);
  await elsewhere.close();
  const again = await start(Number(port));
  expect((await connect(again.origin, first.mcpToken)).status).toBe(200);
});
