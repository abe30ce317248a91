import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { ArmTool } from "./agent-loop.ts";

/** The tools of a server that speaks MCP over standard input and output, started in the repository. `{folder}` in the command is its path. */
export async function mcpTools(
  commandLine: string,
  folder: string,
): Promise<{ tools: ArmTool[]; close(): Promise<void> }> {
  const [command = "", ...args] = commandLine
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => word.replaceAll("{folder}", folder));
  if (command === "") throw new Error("The arm mcp needs --mcp COMMAND, the command that starts the server.");
  const client = new Client({ name: "wield-eval", version: "1" });
  await client.connect(new StdioClientTransport({ command, args, cwd: folder, stderr: "inherit" }));
  const { tools } = await client.listTools();
  return {
    tools: tools.map(({ name, description, inputSchema }) => ({
      description: {
        name,
        ...(description !== undefined && { description }),
        input_schema: inputSchema as NonNullable<ArmTool["description"]["input_schema"]>,
      },
      run: async (input) => {
        const { content, isError } = await client.callTool({ name, arguments: input });
        const text = content.map((part) => (part.type === "text" ? part.text : `(${part.type})`)).join("\n");
        return isError ? `failed: ${text}` : text;
      },
    })),
    close: () => client.close(),
  };
}
