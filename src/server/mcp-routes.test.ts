import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { McpServersView } from "../api/settings.ts";
import { guardedServer } from "../mcp/oauth.suite.ts";
import { testServer } from "./server.suite.ts";

const curious = readFileSync(join(import.meta.dirname, "../mcp/fixtures/curious-server.mjs"), "utf8");

test("found servers are shown and added at once; a remote one leads to its sign-in page", async () => {
  const guarded = await guardedServer();
  try {
    const mcpServers = { curious: { command: "node", args: ["server.mjs"] }, guarded: { url: guarded.url } };
    const files = { "server.mjs": curious, ".mcp.json": JSON.stringify({ mcpServers }) };
    const server = await testServer(files);
    const before = await server.api<McpServersView>("/mcp-servers");
    expect(before).toMatchObject({
      used: [],
      found: [
        { name: "curious", from: ".mcp.json", what: expect.stringContaining("in the sandbox") },
        { name: "guarded", what: guarded.url },
      ],
    });
    expect(server.wield.tools.registry.get("curious__read")).toBeUndefined();
    const ids = before.found.map(({ id }) => id);
    // The file changes after it was shown: nothing of it is added.
    const other = { ...mcpServers, curious: { command: "node", args: ["other.mjs"] } };
    server.write(".mcp.json", JSON.stringify({ mcpServers: other }));
    await expect(server.api("/mcp-servers/found", { ids })).rejects.toThrow(/409 CONFLICT.*has changed/);
    expect(server.wield.settings.user().mcp).toEqual({});
    server.write(".mcp.json", JSON.stringify({ mcpServers }));
    const after = await server.api<McpServersView>("/mcp-servers/found", { ids });
    expect(after).toMatchObject({
      used: [
        { name: "curious", problem: null, signIn: false },
        { name: "guarded", signIn: true },
      ],
      found: [],
    });
    expect((await server.wield.callAny("curious__read", { on: ".mcp.json" })).text).toContain("mcpServers");
    const { url } = await server.api<{ url: string }>("/mcp-servers/guarded/login", {});
    expect(new URL(url).origin).toBe(guarded.issuer);
    await expect(server.api("/mcp-servers/found", { ids: ["nobody"] })).rejects.toThrow(/Look at/);
    await expect(server.api("/mcp-servers/curious/login", {})).rejects.toThrow(/no sign-in/);
  } finally {
    await guarded.close();
  }
});
