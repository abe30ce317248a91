// Mastra: each tool by Mastra's own `createTool`, for its Agent. The model is one of Mastra's names; its key is in the environment.
import { Agent } from "@mastra/core/agent";
import type { MastraModelConfig } from "@mastra/core/llm";
import { createTool } from "@mastra/core/tools";
import { type Ask, createWield } from "wield";

export async function withMastra(
  folder: string,
  model: MastraModelConfig,
  approve: (ask: Ask) => { approved: boolean },
): Promise<string> {
  const wield = await createWield({ workspace: folder, tools: "coding", approve });
  const tools = wield.tools.list().map(({ name: id, description, input: inputSchema }) => {
    const execute = async (input: unknown) => (await wield.callAny(id, input)).text;
    return [id, createTool({ id, description, inputSchema, execute })] as const;
  });
  const agent = new Agent({
    id: "coder",
    name: "Coder",
    instructions: "Use the tools.",
    model,
    tools: Object.fromEntries(tools),
  });
  const { text } = await agent.generate("Put the title of README.md into title.txt.");
  await wield.close();
  return text;
}
