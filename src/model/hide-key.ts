import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";

/** The model, with its key blotted out of every error: a server may repeat what it was sent. */
export function hideKey(model: LanguageModelV4, key: string): LanguageModelV4 {
  if (key === "") return model;
  const hiding = <T>(work: PromiseLike<T>): Promise<T> =>
    Promise.resolve(work).catch((error: unknown) => {
      throw withoutKey(error, key);
    });
  const generate = model.doGenerate.bind(model);
  const stream = model.doStream.bind(model);
  model.doGenerate = (options) => hiding(generate(options));
  model.doStream = async (options) => {
    const result = await hiding(stream(options));
    const parts = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
      transform: (part, controller) =>
        controller.enqueue(part.type === "error" ? { ...part, error: withoutKey(part.error, key) } : part),
    });
    return { ...result, stream: result.stream.pipeThrough(parts) };
  };
  return model;
}

const hidden = "[key]";

function withoutKey(error: unknown, key: string): unknown {
  if (typeof error === "string") return error.replaceAll(key, hidden);
  if (typeof error !== "object" || error === null) return error;
  for (const name of ["message", "responseBody", "stack"] as const) {
    const text = (error as Record<string, unknown>)[name];
    if (typeof text === "string" && text.includes(key))
      Object.defineProperty(error, name, { value: text.replaceAll(key, hidden), configurable: true });
  }
  if ("cause" in error) withoutKey(error.cause, key);
  return error;
}
