// For a loop of your own with the Anthropic SDK: the calls of a message run as one step, side by side where they can.
// npm install wield @anthropic-ai/sdk
// `asker` gets all questions of a step together, for one dialog, and returns an answer for each in the same order; with
// `approve` instead, each question comes by itself. A denied call is a result that failed: its text, `APPROVAL_DENIED` and
// the reason, goes back with `is_error`, and Claude knows that nothing was changed.
import type Anthropic from "@anthropic-ai/sdk";
import { type Ask, createWield } from "wield";

export async function withAnthropic(
  folder: string,
  client: Anthropic,
  model: string,
  confirm: (asks: readonly Ask[]) => Promise<boolean[]>,
): Promise<string> {
  const wield = await createWield({
    workspace: folder,
    tools: "coding",
    asker: async (asks) => (await confirm(asks)).map((approved) => ({ approved })),
  });
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
