/** US dollars for a million tokens. */
export interface Price {
  input: number;
  output: number;
  /** For what the provider's cache held; default: a tenth of `input`. */
  cached?: number | undefined;
  /** For what is written to the provider's cache; default: `input`. */
  written?: number | undefined;
}

/** When the table below was compared with the providers' lists. */
export const pricesDate = "2026-08-08";

const anthropicPrice = (input: number, output: number): Price => ({
  ...{ input, output, cached: input / 10, written: input * 1.25 },
});
const cachedTenth = (input: number, output: number): Price => ({ input, output, cached: input / 10 });

/** What the providers charge for models that are known by name. A person's own prices and a refreshed list come first. */
const shipped: Readonly<Record<string, Price>> = {
  "anthropic/claude-haiku-4-5": anthropicPrice(1, 5),
  "anthropic/claude-sonnet-4-5": anthropicPrice(3, 15),
  "anthropic/claude-sonnet-4-6": anthropicPrice(3, 15),
  "anthropic/claude-sonnet-5": anthropicPrice(2, 10),
  "anthropic/claude-opus-4-1": anthropicPrice(15, 75),
  "anthropic/claude-opus-4-5": anthropicPrice(5, 25),
  "anthropic/claude-opus-4-6": anthropicPrice(5, 25),
  "anthropic/claude-opus-4-7": anthropicPrice(5, 25),
  "anthropic/claude-opus-4-8": anthropicPrice(5, 25),
  "anthropic/claude-opus-5": anthropicPrice(5, 25),
  "openai/gpt-4.1": { input: 2, output: 8, cached: 0.5 },
  "openai/gpt-4.1-mini": { input: 0.4, output: 1.6, cached: 0.1 },
  "openai/gpt-4o": { input: 2.5, output: 10, cached: 1.25 },
  "openai/gpt-4o-mini": { input: 0.15, output: 0.6, cached: 0.075 },
  "openai/gpt-5": cachedTenth(1.25, 10),
  "openai/gpt-5-mini": cachedTenth(0.25, 2),
  "openai/gpt-5-nano": cachedTenth(0.05, 0.4),
  "openai/gpt-5-codex": cachedTenth(1.25, 10),
  "openai/gpt-5.1": cachedTenth(1.25, 10),
  "openai/gpt-5.1-codex": cachedTenth(1.25, 10),
  "openai/gpt-5.2": cachedTenth(1.75, 14),
  "openai/gpt-5.2-codex": cachedTenth(1.75, 14),
  "openai/gpt-5.3-codex": cachedTenth(1.75, 14),
  "openai/gpt-5.4": cachedTenth(2.5, 15),
  "openai/gpt-5.4-mini": cachedTenth(0.75, 4.5),
  "openai/gpt-5.4-nano": cachedTenth(0.2, 1.25),
  "openai/gpt-5.5": cachedTenth(5, 30),
  "openai/gpt-5.6": { input: 5, output: 30, cached: 0.5, written: 6.25 },
  "openai/o3": { input: 2, output: 8, cached: 0.5 },
  "openai/o4-mini": { input: 1.1, output: 4.4, cached: 0.275 },
  "google/gemini-2.5-flash": cachedTenth(0.3, 2.5),
  "google/gemini-2.5-flash-lite": cachedTenth(0.1, 0.4),
  "google/gemini-2.5-pro": cachedTenth(1.25, 10),
  "google/gemini-3-flash-preview": cachedTenth(0.5, 3),
  "google/gemini-3-pro-preview": cachedTenth(2, 12),
  "google/gemini-3.1-pro-preview": cachedTenth(2, 12),
  "google/gemini-3.5-flash": cachedTenth(1.5, 9),
  "google/gemini-3.6-flash": cachedTenth(1.5, 7.5),
  "google/gemini-flash-latest": cachedTenth(0.3, 2.5),
  "google/gemini-pro-latest": cachedTenth(1.25, 10),
};

const free: Price = { input: 0, output: 0 };

/** The price of a model by its name, from the first of these lists that has it, then from the shipped one. */
export function priceOf(
  model: string,
  ...lists: readonly Readonly<Record<string, Price>>[]
): Price | undefined {
  if (/^(?:ollama\/|offline$)/.test(model))
    return lists.find((list) => Object.hasOwn(list, model))?.[model] ?? free;
  for (const list of [...lists, shipped]) {
    const name = namesOf(model).find((candidate) => Object.hasOwn(list, candidate));
    if (name !== undefined) return list[name];
  }
  return undefined;
}

/** The name itself, without a date at its end, and as the provider behind OpenRouter spells it. */
function namesOf(model: string): string[] {
  const undated = model.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  const behind = undated.replace(/^openrouter\/(?=anthropic\/|openai\/|google\/)/, "");
  const spelt = behind.startsWith("anthropic/") ? behind.replaceAll(".", "-") : behind;
  return [...new Set([model, undated, behind, spelt])];
}
