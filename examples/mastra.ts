// For an agent of Mastra: each tool by its own `createTool`. The model is one of Mastra's names; its key is in the environment.
// npm install wield @mastra/core
// `approve` is awaited inside `execute`, so the agent waits for the answer. If it is no, the result of the tool is
// `APPROVAL_DENIED` with the reason, and the agent goes on from there. Leave `requireApproval` of `createTool` out: it knows
// neither the diff nor your rules, and the person would be asked twice.
import { Agent } from "@mastra/core/agent";
import type { MastraModelConfig } from "@mastra/core/llm";
import { createTool } from "@mastra/core/tools";
import { type Ask, createWield } from "wield";

export async function withMastra(
  folder: string,
  model: MastraModelConfig,
  confirm: (ask: Ask) => Promise<boolean>,
): Promise<string> {
  const wield = await createWield({
    workspace: folder,
    tools: "coding",
    // Your dialog shows the title, the arguments, and the diff of each file in the preview.
    approve: async (ask) => ({ approved: await confirm(ask) }),
  });
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
