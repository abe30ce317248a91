import { Failure } from "../failure/failure.ts";
import type { Sample } from "../mcp/connection-parts.ts";
import { chooseModel } from "../model/model.ts";

type Request = Parameters<Sample>[0];

/** Lets the person's model answer for an MCP server; the person has agreed to this request. */
export async function sampleWith(
  wanted: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  { system, messages, maxTokens }: Request,
  signal: AbortSignal,
): Promise<{ model: string; text: string }> {
  const [{ generateText }, { model, name }] = await Promise.all([import("ai"), chooseModel(wanted, env)]);
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
