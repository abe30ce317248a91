// For a loop of your own with the OpenAI SDK: the calls of a reply run as one step, side by side where they can.
// npm install wield openai
// `asker` gets all questions of a step together, for one dialog, and returns an answer for each in the same order; with
// `approve` instead, each question comes by itself. A denied call has a text like any other, `APPROVAL_DENIED` and the
// reason: send it back, because OpenAI demands a result for every call.
import type OpenAI from "openai";
import { type Ask, createWield } from "wield";

export async function withOpenAi(
  folder: string,
  client: OpenAI,
  model: string,
  confirm: (asks: readonly Ask[]) => Promise<boolean[]>,
): Promise<string> {
  const wield = await createWield({
    workspace: folder,
    tools: "coding",
    asker: async (asks) => (await confirm(asks)).map((approved) => ({ approved })),
  });
  const tools = wield.tools.registry
    .toOpenAIFunctions()
    .map((tool) => ({ type: "function" as const, function: { ...tool } as OpenAI.FunctionDefinition }));
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: "user", content: "Put the title of README.md into title.txt." },
  ];
  for (;;) {
    const { choices } = await client.chat.completions.create({ model, messages, tools });
    const { content = "", tool_calls = [] } = choices[0]?.message ?? {};
    const calls = tool_calls.filter((call) => call.type === "function");
    if (calls.length === 0) {
      await wield.close();
      return content ?? "";
    }
    messages.push({ role: "assistant", content, tool_calls: calls });
    const outcomes = await wield.step(
      calls.map(({ function: { name, arguments: input } }) => ({ tool: name, input: JSON.parse(input) })),
    );
    for (const [at, { text }] of outcomes.entries())
      messages.push({ role: "tool", tool_call_id: calls[at]?.id ?? "", content: text });
  }
}
