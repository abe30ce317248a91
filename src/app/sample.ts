import { Failure } from "../failure/failure.ts";
import type { Sample } from "../mcp/connection-parts.ts";
import type { NamedModel } from "./conversation-models.ts";

type Request = Parameters<Sample>[0];

/** Lets this model of the person answer for an MCP server; the person has agreed to this request. */
export async function sampleWith(
  { model, name }: NamedModel,
  { system, messages, maxTokens }: Request,
  signal: AbortSignal,
): Promise<{ model: string; text: string }> {
  const { generateText } = await import("ai");
  const { text } = await generateText({
    model,
    abortSignal: signal,
    maxOutputTokens: maxTokens,
    ...(system !== undefined && { instructions: system }),
    messages: messages.map(({ role, text: content }) => ({ role, content })),
  }).catch((error: Error) => {
    throw new Failure("EXECUTION_ERROR", `The model gave no answer: ${error.message}`);
  });
  return { model: name, text };
}
