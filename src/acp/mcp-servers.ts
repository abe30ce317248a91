import type { McpServer } from "@agentclientprotocol/sdk";
import type { SettingsInput } from "../app/settings.ts";

/** The client's MCP servers as settings. They come from the person's editor, so they count like the person's own. */
export function settingsFor(servers: readonly McpServer[]): { settings: SettingsInput; problems: string[] } {
  const problems: string[] = [];
  const mcp: NonNullable<SettingsInput["mcp"]> = {};
  for (const server of servers) {
    const name = nameFor(server.name, mcp);
    if (!("type" in server))
      mcp[name] = { command: server.command, args: server.args, env: record(server.env) };
    else if (server.type === "http") mcp[name] = { url: server.url, headers: record(server.headers) };
    else
      problems.push(`MCP server ${JSON.stringify(server.name)} uses ${server.type}, which is not supported.`);
  }
  return { settings: { mcp }, problems };
}

/** In the letters that Wield's own settings allow, and not given twice. */
function nameFor(wanted: string, taken: object): string {
  const plain = wanted.replaceAll(/[^a-zA-Z0-9-]+/g, "-").slice(0, 27) || "server";
  for (let count = 1; ; count++) {
    const name = count === 1 ? plain : `${plain}-${count}`;
    if (!Object.hasOwn(taken, name)) return name;
  }
}

function record(pairs: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
