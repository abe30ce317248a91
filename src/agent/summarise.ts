import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Usage } from "../events/agent-events.ts";
import { streamStep } from "./model-step.ts";

const instructions =
  "Summarise an agent's work so that it can go on without the transcript: the task, what was found (with file:line), what was changed, what was rejected, what is left to do. At most 400 words.";
const maxOutputTokens = 2000;

/** The model's own summary of what it did so far. */
export async function summarise(
  model: LanguageModelV4,
  transcript: string,
  signal: AbortSignal,
): Promise<{ text: string; usage: Usage }> {
  let text = "";
  const messages = [{ role: "user" as const, content: `Summarise this transcript.\n\n${transcript}` }];
  const listener = {
    text: (delta: string) => {
      text += delta;
    },
    cited: () => undefined,
    searched: () => undefined,
    reasoning: () => undefined,
    inputStart: () => undefined,
    inputDelta: () => undefined,
  };
  const request = { model, instructions, messages, tools: {}, mayCall: false, maxOutputTokens };
  const { usage } = await streamStep(request, listener, signal);
  return { text, usage };
}
