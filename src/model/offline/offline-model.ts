import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { estimateTokens } from "../../text/tokens.ts";
import { answer } from "./answer.ts";
import { standingOf } from "./standing.ts";

/**
 * Implements the AI SDK's model interface without a key, a network or a language model: it recognises a few kinds of
 * questions and answers them with real tool calls. It is deterministic.
 */
export function createOfflineModel(): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "offline",
    modelId: "offline",
    supportedUrls: {},
    doGenerate: async (options) => {
      const { content, ...end } = reply(options);
      return { content, ...end, warnings: [] };
    },
    doStream: async (options) => {
      const { content, ...end } = reply(options);
      const parts: LanguageModelV4StreamPart[] = [
        { type: "stream-start", warnings: [] },
        ...content.flatMap(streamed),
        { type: "finish", ...end },
      ];
      return { stream: ReadableStream.from(parts) };
    },
  };
}

function reply(options: LanguageModelV4CallOptions) {
  const { say, calls = [] } = answer(standingOf(options));
  const earlier = options.prompt.flatMap((message) =>
    message.role === "assistant" ? message.content.filter((part) => part.type === "tool-call") : [],
  ).length;
  const content: LanguageModelV4Content[] = [
    ...(say === "" ? [] : [{ type: "text" as const, text: say }]),
    ...calls.map(({ tool, input }, index) => ({
      type: "tool-call" as const,
      toolCallId: `offline_${earlier + index + 1}`,
      toolName: tool,
      input: JSON.stringify(input),
    })),
  ];
  const unified: "tool-calls" | "stop" = calls.length > 0 ? "tool-calls" : "stop";
  return { content, finishReason: { unified, raw: unified }, usage: usageOf(options, content) };
}

function streamed(part: LanguageModelV4Content, index: number): LanguageModelV4StreamPart[] {
  if (part.type === "text") {
    const id = `text_${index}`;
    const words = part.text.match(/\s*\S+\s*$|\s*\S+/g) ?? [part.text];
    return [
      { type: "text-start", id },
      ...words.map((delta) => ({ type: "text-delta" as const, id, delta })),
      { type: "text-end", id },
    ];
  }
  if (part.type !== "tool-call") return [];
  const { toolCallId: id, toolName, input } = part;
  return [
    { type: "tool-input-start", id, toolName },
    ...(input.match(/[\s\S]{1,200}/g) ?? []).map((delta) => ({
      type: "tool-input-delta" as const,
      id,
      delta,
    })),
    { type: "tool-input-end", id },
    part,
  ];
}

/** Counted as the rest of Wield estimates tokens; nothing is billed. */
function usageOf(
  options: LanguageModelV4CallOptions,
  content: LanguageModelV4Content[],
): LanguageModelV4Usage {
  const input = estimateTokens(JSON.stringify([options.prompt, options.tools ?? []]));
  const output = estimateTokens(JSON.stringify(content));
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  };
}
