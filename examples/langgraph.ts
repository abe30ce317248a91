// LangChain and LangGraph: each tool as a LangChain tool, for createReactAgent or a graph of your own.
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { tool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { type Ask, createWield } from "wield";

export async function withLangGraph(
  folder: string,
  llm: BaseChatModel,
  approve: (ask: Ask) => { approved: boolean },
): Promise<string> {
  const wield = await createWield({ workspace: folder, tools: "coding", approve });
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
