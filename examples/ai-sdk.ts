// For a program that calls models with the AI SDK: `generateText` and `streamText` get Wield's tools.
// npm install wield ai @ai-sdk/anthropic
// `approve` is awaited inside the call of the tool, so `generateText` waits for the answer. If it is no, nothing is thrown:
// the result of the call is `APPROVAL_DENIED` with the reason, and the model goes on from there. Do not set `toolApproval`
// of the AI SDK for these tools: it knows neither the diff nor your rules, and the person would be asked twice.
import { generateText, isStepCount, type LanguageModel } from "ai";
import { type Ask, createWield } from "wield";

export async function withAiSdk(
  folder: string,
  model: LanguageModel,
  confirm: (ask: Ask) => Promise<boolean>,
): Promise<string> {
  const wield = await createWield({
    workspace: folder,
    tools: "coding",
    // Your dialog shows the title, the arguments, and the diff of each file in the preview.
    approve: async (ask) => ({ approved: await confirm(ask) }),
  });
  const { text } = await generateText({
    model,
    tools: wield.tools.forAiSdk(),
    stopWhen: isStepCount(10),
    prompt: "Put the title of README.md into title.txt.",
  });
  await wield.close();
  return text;
}
