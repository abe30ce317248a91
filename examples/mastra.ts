// Mastra: each tool by Mastra's own `createTool`. Both functions are given from outside, because `@mastra/core` is not among this repository's packages: `createTool` is Mastra's, and `generate` is `async (tools, prompt) => (await new Agent({ id, name, instructions, model, tools }).generate(prompt)).text`. Tried with @mastra/core 1.71.
import { type Ask, createWield, type Tool } from "wield";

interface MastraTool {
  id: string;
  description: string;
  inputSchema: Tool["input"];
  execute(input: unknown): Promise<string>;
}

export async function withMastra<T>(
  folder: string,
  createTool: (tool: MastraTool) => T,
  generate: (tools: Record<string, T>, prompt: string) => Promise<string>,
  approve: (ask: Ask) => { approved: boolean },
): Promise<string> {
  const wield = await createWield({ workspace: folder, tools: "coding", approve });
  const tools = wield.tools.list().map(({ name: id, description, input: inputSchema }) => {
    const execute = async (input: unknown) => (await wield.callAny(id, input)).text;
    return [id, createTool({ id, description, inputSchema, execute })] as const;
  });
  const text = await generate(Object.fromEntries(tools), "Put the title of README.md into title.txt.");
  await wield.close();
  return text;
}
