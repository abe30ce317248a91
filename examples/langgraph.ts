// For LangChain and LangGraph: each tool as a LangChain tool, for `createReactAgent` or a graph of your own.
// npm install wield @langchain/core @langchain/langgraph @langchain/openai
// `approve` is awaited inside the tool, so the graph waits in its tool node: `interrupt` and a checkpointer are not needed
// for it. Each call asks for itself. If the answer is no, the message of the tool is `APPROVAL_DENIED` with the reason, and
// the agent goes on from there.
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { tool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { type Ask, createWield } from "wield";

export async function withLangGraph(
  folder: string,
  llm: BaseChatModel,
  confirm: (ask: Ask) => Promise<boolean>,
): Promise<string> {
  const wield = await createWield({
    workspace: folder,
    tools: "coding",
    // Your dialog shows the title, the arguments, and the diff of each file in the preview.
    approve: async (ask) => ({ approved: await confirm(ask) }),
  });
  const tools = wield.tools.registry.toOpenAIFunctions().map(({ name, description, parameters }) =>
    tool(async (input: unknown) => (await wield.callAny(name, input)).text, {
      name,
      description,
      schema: parameters,
    }),
  );
  const agent = createReactAgent({ llm, tools });
  const { messages } = await agent.invoke({
    messages: [{ role: "user", content: "Put the title of README.md into title.txt." }],
  });
  await wield.close();
  return String(messages.at(-1)?.content);
}
