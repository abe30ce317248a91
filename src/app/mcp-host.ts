import type { McpHost } from "../mcp/host.ts";
import type { Wield } from "./wield.ts";

/** Wield as the MCP server wants it. */
export function mcpHost(wield: Wield): McpHost {
  return {
    version: process.env["WIELD_VERSION"] ?? "development",
    tools: () => wield.tools,
    call: (tool, input, options) => wield.call(tool, input, options),
    workspace: wield.workspace,
    onToolsChange: (listener) => wield.registry.onChange(listener),
  };
}
