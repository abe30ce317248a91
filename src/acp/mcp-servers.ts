import type { McpServer } from "@agentclientprotocol/sdk";
import type { SettingsInput } from "../app/settings.ts";
import { freeName } from "../mcp/server-config.ts";

/** The client's MCP servers as settings. They come from the person's editor, so they count like the person's own. */
export function settingsFor(servers: readonly McpServer[]): { settings: SettingsInput; problems: string[] } {
  const problems: string[] = [];
  const mcp: NonNullable<SettingsInput["mcp"]> = {};
  for (const server of servers) {
    const name = freeName(server.name, new Set(Object.keys(mcp)));
    if (!("type" in server))
      mcp[name] = { command: server.command, args: server.args, env: record(server.env) };
    else if (server.type === "http") mcp[name] = { url: server.url, headers: record(server.headers) };
    else
      problems.push(`MCP server ${JSON.stringify(server.name)} uses ${server.type}, which is not supported.`);
  }
  return { settings: { mcp }, problems };
}

function record(pairs: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
