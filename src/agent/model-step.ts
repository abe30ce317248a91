import type { LanguageModelV4 } from "@ai-sdk/provider";
import { type ModelMessage, streamText, ToolChoiceViolationError, type ToolSet } from "ai";
import type { Usage } from "../events/agent-events.ts";
import type { Effort } from "../model/effort.ts";
import { type Citation, citationsFrom, type Passage } from "./citations.ts";
import { type Search, searchOf } from "./searches.ts";
import { type Source, webSource } from "./sources.ts";
import { noUsage } from "./usage.ts";

/** The parts of one request to a model. */
export interface ModelRequest {
  model: LanguageModelV4;
  instructions: string;
  messages: ModelMessage[];
  tools: ToolSet;
  /** False: the model must answer without further calls. */
  mayCall: boolean;
  maxOutputTokens?: number;
  /** How much the model thinks first; left out: the model's own default. */
  effort?: Effort | undefined;
}

export interface ModelReply {
  /** The assistant's part; results of our own tools are not in it. */
  messages: ModelMessage[];
  calls: { ref: string; tool: string; input: unknown }[];
  /** The text in parts, with the sources that the provider named for each. */
  passages: Passage[];
  /** What the provider's own search found. */
  sources: Source[];
  /** Tools that the provider ran itself. */
  ranByProvider: string[];
  usage: Usage;
  /** Cut by the output limit. */
  cut: boolean;
  /** The provider paused between calls of its own tools and must be asked again. */
  paused: boolean;
}

export interface StreamListener {
  text(delta: string): void;
  /** The provider named sources for what was just said. */
  cited(citations: readonly Citation[]): void;
  /** The provider searched. */
  searched(search: Search): void;
  reasoning(delta: string): void;
  inputStart(ref: string, tool: string): void;
  inputDelta(ref: string, delta: string): void;
}

/** One streamed answer. The tools have no `execute`: what the model calls is returned, never run here. */
export async function streamStep(
  request: ModelRequest,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<ModelReply> {
  const { model, messages, tools, mayCall, maxOutputTokens, effort } = request;
  const result = streamText({
    model,
    instructions: { role: "system", content: request.instructions, providerOptions: cached },
    messages: withCacheMark(messages),
    tools,
    toolChoice: mayCall ? "auto" : "none",
    abortSignal: signal,
    // The caller retries: a stream that breaks off halfway must be requested again, too.
    maxRetries: 0,
    onError: () => undefined,
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(effort !== undefined && { reasoning: effort }),
  });
  const calls: ModelReply["calls"] = [];
  const passages: Passage[] = [];
  const sources: Source[] = [];
  const theirs = new Set<string>();
  let passage = "";
  const ranByProvider = new Set<string>();
  let finished = false;
  let said = "";
  for await (const part of result.stream) {
    signal.throwIfAborted();
    if (part.type === "text-delta") {
      listener.text(part.text);
      said += part.text;
      passage += part.text;
    } else if (part.type === "text-end") {
      const citations = citationsFrom(part.citations);
      if (citations.length > 0) listener.cited(citations);
      passages.push({ text: passage, citations });
      passage = "";
    } else if (part.type === "tool-result" && part.providerExecuted) {
      listener.searched(searchOf(part.toolName, part.input, part.output));
    } else if (part.type === "source" && part.sourceType === "url") {
      sources.push(...webSource(part.url, part.title ?? ""));
    } else if (part.type === "reasoning-delta") listener.reasoning(part.text);
    else if (part.type === "tool-input-start") {
      // A search that the provider runs is reported once it is done.
      if (part.providerExecuted) theirs.add(part.id);
      else listener.inputStart(part.id, part.toolName);
    } else if (part.type === "tool-input-delta") {
      if (!theirs.has(part.id)) listener.inputDelta(part.id, part.delta);
    } else if (part.type === "tool-call") {
      if (part.providerExecuted) ranByProvider.add(part.toolName);
      else calls.push({ ref: part.toolCallId, tool: part.toolName, input: part.input });
    } else if (part.type === "error") {
      // Some models call a tool although it is not allowed: their text is the answer.
      if (ToolChoiceViolationError.isInstance(part.error)) return onlyWords(said);
      throw part.error;
    }
    if (part.type === "finish-step") finished = part.finishReason !== "interrupted";
  }
  signal.throwIfAborted();
  if (!finished) throw new Error("the model's answer broke off");
  const [usage, reason, raw, response] = await Promise.all([
    result.usage,
    result.finishReason,
    result.rawFinishReason,
    result.responseMessages,
  ]);
  return {
    messages: response.filter((message) => message.role === "assistant"),
    calls,
    passages,
    sources,
    ranByProvider: [...ranByProvider],
    usage: {
      inputTokens: usage.inputTokens ?? 0,
      outputTokens: usage.outputTokens ?? 0,
      cachedTokens: usage.inputTokenDetails.cacheReadTokens ?? 0,
      ...(usage.inputTokenDetails.cacheWriteTokens && {
        writtenTokens: usage.inputTokenDetails.cacheWriteTokens,
      }),
    },
    cut: reason === "length",
    paused: raw === "pause_turn",
  };
}

function onlyWords(said: string): ModelReply {
  const messages: ModelMessage[] = said === "" ? [] : [{ role: "assistant", content: said }];
  return {
    messages,
    calls: [],
    ranByProvider: [],
    passages: [],
    sources: [],
    usage: noUsage,
    cut: false,
    paused: false,
  };
}

/** Anthropic caches what precedes a mark: instructions with tools, and the conversation up to its end. */
const cached = { anthropic: { cacheControl: { type: "ephemeral" } } };

function withCacheMark(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message, index) =>
    index === messages.length - 1 ? { ...message, providerOptions: cached } : message,
  );
}
