import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ServersView } from "../api/api.ts";
import { guardedServer } from "../mcp/oauth.suite.ts";
import { testServer } from "./server.suite.ts";

const curious = readFileSync(join(import.meta.dirname, "../mcp/fixtures/curious-server.mjs"), "utf8");

test("found servers are shown and added at once; a remote one leads to its sign-in page", async () => {
  const guarded = await guardedServer();
  try {
    const mcpServers = { curious: { command: "node", args: ["server.mjs"] }, guarded: { url: guarded.url } };
    const files = { "server.mjs": curious, ".mcp.json": JSON.stringify({ mcpServers }) };
    const server = await testServer(files);
    const before = await server.api<ServersView>("/settings/servers");
    expect(before).toMatchObject({
      used: [],
      found: [
        { name: "curious", from: ".mcp.json", what: expect.stringContaining("in the sandbox") },
        { name: "guarded", what: guarded.url },
      ],
    });
    expect(server.wield.tools.registry.get("curious__read")).toBeUndefined();
    const after = await server.api<ServersView>("/settings/servers/add", { names: ["curious", "guarded"] });
    expect(after).toMatchObject({
      used: [
        { name: "curious", problem: null, signIn: false },
        { name: "guarded", signIn: true },
      ],
      found: [],
    });
    expect((await server.wield.callAny("curious__read", { on: ".mcp.json" })).text).toContain("mcpServers");
    const { url } = await server.api<{ url: string }>("/settings/servers/login", { name: "guarded" });
    expect(new URL(url).origin).toBe(guarded.issuer);
    await expect(server.api("/settings/servers/add", { names: ["nobody"] })).rejects.toThrow(/nobody/);
    await expect(server.api("/settings/servers/login", { name: "curious" })).rejects.toThrow(/no sign-in/);
  } finally {
    await guarded.close();
  }
});
