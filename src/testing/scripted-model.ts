import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";

/** One answer of a scripted model. */
export interface ScriptedReply {
  say?: string;
  calls?: readonly { tool: string; input: unknown; id?: string }[];
  /** Reported tokens; default: 100 in, 10 out. */
  usage?: { input: number; output: number };
  /** The answer ends at the model's output limit. */
  cut?: boolean;
  /** Thrown instead of an answer. */
  error?: unknown;
}

export interface ScriptedModel extends LanguageModelV4 {
  /** What it was asked, request by request. */
  requests: LanguageModelV4CallOptions[];
}

/**
 * A language model that says what a test wants: a list of answers in order, or a function of the request and its number
 * (from 0). More requests than answers is an error.
 */
export function scriptedModel(
  script:
    | readonly ScriptedReply[]
    | ((request: LanguageModelV4CallOptions, index: number) => ScriptedReply | Promise<ScriptedReply>),
): ScriptedModel {
  const requests: LanguageModelV4CallOptions[] = [];
  const answer = async (request: LanguageModelV4CallOptions) => {
    const index = requests.push(request) - 1;
    const reply = typeof script === "function" ? await script(request, index) : script[index];
    if (!reply) throw new Error(`The scripted model has no answer for request ${index + 1}.`);
    if (reply.error !== undefined) throw reply.error;
    return { content: contentOf(reply, index), ...endOf(reply) };
  };
  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    requests,
    doGenerate: async (request) => ({ ...(await answer(request)), warnings: [] }),
    doStream: async (request) => {
      const { content, ...end } = await answer(request);
      const parts: LanguageModelV4StreamPart[] = [
        { type: "stream-start", warnings: [] },
        ...content.flatMap(streamed),
        { type: "finish", ...end },
      ];
      return { stream: ReadableStream.from(parts) };
    },
  };
}

function contentOf({ say = "", calls = [] }: ScriptedReply, index: number): LanguageModelV4Content[] {
  return [
    ...(say === "" ? [] : [{ type: "text" as const, text: say }]),
    ...calls.map(({ tool, input, id }, at) => ({
      type: "tool-call" as const,
      toolCallId: id ?? `call_${index + 1}_${at + 1}`,
      toolName: tool,
      input: typeof input === "string" ? input : JSON.stringify(input),
    })),
  ];
}

function endOf({ calls = [], cut, usage = { input: 100, output: 10 } }: ScriptedReply) {
  const unified = cut ? ("length" as const) : calls.length > 0 ? ("tool-calls" as const) : ("stop" as const);
  return {
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: usage.input, noCache: usage.input, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: usage.output, text: usage.output, reasoning: 0 },
    },
  };
}

function streamed(part: LanguageModelV4Content, index: number): LanguageModelV4StreamPart[] {
  if (part.type === "text") {
    const id = `text_${index}`;
    return [
      { type: "text-start", id },
      { type: "text-delta", id, delta: part.text },
      { type: "text-end", id },
    ];
  }
  return part.type === "tool-call" ? [part] : [];
}
