import type { LanguageModelV4 } from "@ai-sdk/provider";
import { visibleLine } from "../text/visible.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** A model provider. Its package is loaded only if it is chosen. */
export interface Provider {
  id: string;
  label: string;
  /** Environment variables for its key; empty if none is needed. */
  keys: readonly string[];
  /** The default model. */
  standard: string;
  create(model: string, key: string, env: Env): Promise<LanguageModelV4>;
  /** Whether its package knows how long an answer of this model may be; left out: the provider itself decides. */
  knows?(model: string): Promise<boolean>;
  /** A cheap request that only a valid key gets an answer to. */
  probe?(key: string, env: Env): { address: string; headers: Record<string, string> };
  /** The names that it lists; empty if it does not list any. */
  models(key: string, env: Env): Promise<string[]>;
}

/** In the order in which keys are looked for. */
export const providers: readonly Provider[] = [
  {
    id: "anthropic",
    label: "Anthropic",
    keys: ["ANTHROPIC_API_KEY"],
    standard: "claude-sonnet-5-5",
    create: async (model, apiKey, env) => {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ apiKey, baseURL: anthropicAddress(env) })(model);
    },
    knows: async (model) => {
      const { getModelCapabilities } = await import("@ai-sdk/anthropic/internal");
      return getModelCapabilities(model).isKnownModel;
    },
    probe: (key, env) => ({
      address: `${anthropicAddress(env)}/models?limit=1`,
      headers: anthropicHeaders(key),
    }),
    models: (key, env) => listed(anthropicAddress(env), "/models?limit=1000", anthropicHeaders(key)),
  },
  {
    id: "openai",
    label: "OpenAI",
    keys: ["OPENAI_API_KEY"],
    standard: "gpt-5.6",
    create: async (model, apiKey, env) => {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ apiKey, ...baseURL(env["OPENAI_BASE_URL"]) })(model);
    },
    probe: (key, env) => ({ address: `${openAiAddress(env)}/models`, headers: bearer(key) }),
    models: (key, env) => listed(openAiAddress(env), "/models", bearer(key)),
  },
  {
    id: "google",
    label: "Google",
    keys: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    standard: "gemini-pro-latest",
    create: async (model, apiKey, env) => {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle({ apiKey, ...baseURL(env["GOOGLE_BASE_URL"]) })(model);
    },
    probe: (key, env) => ({
      address: `${googleAddress(env)}/models?pageSize=1`,
      headers: { "x-goog-api-key": key },
    }),
    models: (key, env) => listed(googleAddress(env), "/models?pageSize=1000", { "x-goog-api-key": key }),
  },
  {
    id: "openrouter",
    label: "OpenRouter",
    keys: ["OPENROUTER_API_KEY"],
    standard: "openrouter/auto",
    create: (model, key, env) => compatible("openrouter", model, key, openRouterAddress(env)),
    // Its list of models needs no key.
    probe: (key, env) => ({ address: `${openRouterAddress(env)}/key`, headers: bearer(key) }),
    models: (key, env) => listed(openRouterAddress(env), "/models", bearer(key)),
  },
  {
    id: "ollama",
    label: "Ollama on this machine",
    keys: [],
    standard: "",
    create: (model, key, env) => compatible("ollama", model, key, `${ollamaAddress(env)}/v1`),
    models: (_key, env) => ollamaModels(env),
  },
];

/** Ways to get a language model, one per line. */
export function modelChoices(): string {
  const keyed = providers
    .filter((provider) => provider.keys.length > 0)
    .map(
      (provider) => `${provider.label}: set ${provider.keys[0]} (model ${provider.id}/${provider.standard})`,
    );
  return [
    "Store a key: wield login",
    ...keyed,
    "Ollama on this machine: start it with a model, no key needed (model ollama/<name>)",
    "Any OpenAI-compatible server: model http://host:port/v1#<name>, its key in WIELD_API_KEY",
  ].join("\n");
}

/** Any server with OpenAI's chat completions API. */
export async function compatible(
  name: string,
  model: string,
  apiKey: string,
  address: string,
): Promise<LanguageModelV4> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  return createOpenAICompatible({
    name,
    baseURL: address,
    includeUsage: true,
    ...(apiKey !== "" && { apiKey }),
  })(model);
}

/** With or without `/v1`: Anthropic's own tools take the address without it, the AI SDK wants it. */
function anthropicAddress(env: Env): string {
  const given = (env["ANTHROPIC_BASE_URL"] || "https://api.anthropic.com").replace(/\/+$/, "");
  return /\/v\d+$/.test(given) ? given : `${given}/v1`;
}

export function ollamaAddress(env: Env): string {
  const given = env["OLLAMA_HOST"] || "127.0.0.1:11434";
  return (given.includes("://") ? given : `http://${given}`).replace(/\/+$/, "");
}

/** The models of a running Ollama; empty if there is none, which a refused connection says at once. */
export async function ollamaModels(env: Env): Promise<string[]> {
  return listed(ollamaAddress(env), "/api/tags", {}, 2_000);
}

export function keyOf({ keys }: Pick<Provider, "keys">, env: Env): string | undefined {
  return keys.map((name) => env[name]).find((value) => value !== undefined && value !== "");
}

/** Model names listed at an address, in any of the usual formats; empty if there is no list. */
async function listed(
  address: string,
  path: string,
  headers: Record<string, string>,
  waitMs = 3_000,
): Promise<string[]> {
  try {
    const response = await fetch(`${address.replace(/\/+$/, "")}${path}`, {
      headers,
      // No redirects: the key is sent only to the provider that it belongs to.
      redirect: "error",
      signal: AbortSignal.timeout(waitMs),
    });
    const { data, models } = (await response.json()) as Record<"data" | "models", unknown>;
    const rows = [data, models].find((rows) => Array.isArray(rows)) as { id?: unknown; name?: unknown }[];
    const names = response.ok ? rows.map(({ id, name }) => id ?? name) : [];
    return names.flatMap((name) => (isName(name) ? name.replace(/^models\//, "") : []));
  } catch {
    return [];
  }
}

/** Names with control or confusable characters are ignored. */
function isName(name: unknown): name is string {
  return typeof name === "string" && name.length <= longestName && visibleLine(name) === name;
}

const longestName = 300;

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

function anthropicHeaders(key: string): Record<string, string> {
  return { "x-api-key": key, "anthropic-version": "2023-06-01" };
}

function openAiAddress(env: Env): string {
  return withoutSlash(env["OPENAI_BASE_URL"] || "https://api.openai.com/v1");
}

function googleAddress(env: Env): string {
  return withoutSlash(env["GOOGLE_BASE_URL"] || "https://generativelanguage.googleapis.com/v1beta");
}

function openRouterAddress(env: Env): string {
  return withoutSlash(env["OPENROUTER_BASE_URL"] || "https://openrouter.ai/api/v1");
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, "");
}

function baseURL(address: string | undefined): { baseURL?: string } {
  return address ? { baseURL: address } : {};
}
