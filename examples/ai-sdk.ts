// Give the tools to any model of the AI SDK. Every call the model makes goes through approval, journal and budget.
import assert from "node:assert";
import { generateText, isStepCount, type LanguageModel } from "ai";
import { createWield } from "wield";

export async function withAiSdk(folder: string, model: LanguageModel): Promise<string> {
  const wield = await createWield({
    workspace: folder,
    tools: "coding",
    approve: () => ({ approved: true }),
  });
  const { text } = await generateText({
    model,
    tools: wield.tools.forAiSdk(),
    stopWhen: isStepCount(10),
    prompt: "Read README.md and tell me its title.",
  });
  assert.equal((await wield.store.calls())[0]?.tool, "read_file");
  await wield.close();
  return text;
}
