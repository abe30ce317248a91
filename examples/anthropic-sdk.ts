// The Anthropic SDK with a loop of your own. A result that failed is marked as an error for the model.
import type Anthropic from "@anthropic-ai/sdk";
import { type Ask, createWield } from "wield";

export async function withAnthropic(
  folder: string,
  client: Anthropic,
  model: string,
  approve: (ask: Ask) => { approved: boolean },
): Promise<string> {
  const wield = await createWield({ workspace: folder, tools: "coding", approve });
  const tools = wield.tools.registry.toAnthropicTools() as Anthropic.Tool[];
  const messages: Anthropic.MessageParam[] = [
    { role: "user", content: "Put the title of README.md into title.txt." },
  ];
  for (;;) {
    const { content } = await client.messages.create({ model, max_tokens: 1024, messages, tools });
    const calls = content.filter((block) => block.type === "tool_use");
    if (calls.length === 0) {
      await wield.close();
      return content.map((block) => (block.type === "text" ? block.text : "")).join("");
    }
    const outcomes = await wield.step(calls.map(({ name, input }) => ({ tool: name, input })));
    messages.push(
      { role: "assistant", content },
      {
        role: "user",
        content: outcomes.map(({ result, text }, at) => ({
          type: "tool_result" as const,
          tool_use_id: calls[at]?.id ?? "",
          content: text,
          is_error: !result.ok,
        })),
      },
    );
  }
}
