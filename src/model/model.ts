import type { LanguageModelV4 } from "@ai-sdk/provider";
import { Failure } from "../failure/failure.ts";
import { nearestNames } from "../text/nearest.ts";
import { hideKey } from "./hide-key.ts";
import { isPlainName, type ModelName, readModelName } from "./model-name.ts";
import {
  compatible,
  type Env,
  keyOf,
  modelChoices,
  ollamaModels,
  type Provider,
  providers,
} from "./providers.ts";

export interface ChosenModel {
  model: LanguageModelV4;
  /** As written in the settings: provider/model. */
  name: string;
  /** True for the built-in one, which is not a language model. */
  offline: boolean;
  /** To be asked for as the most of one answer, where the provider's package does not know the model. */
  outputTokens?: number;
}

/** Every model that is offered today gives an answer of this length. */
const unknownOutputTokens = 16_384;

/**
 * The model a setting names, or the first for which a key or a running Ollama is found, or the built-in offline model.
 * Settings: `offline`, `provider`, `provider/model`, or the address of an OpenAI-compatible server, `http://host/v1#model`.
 */
export async function chooseModel(setting: string | undefined, env: Env): Promise<ChosenModel> {
  if (setting !== undefined) return named(setting, env);
  const found = providers.find((provider) => keyOf(provider, env));
  if (found) return made(found, found.standard, env);
  const [local] = await ollamaModels(env);
  return local === undefined ? offlineModel() : named(`ollama/${local}`, env);
}

async function named(setting: string, env: Env): Promise<ChosenModel> {
  const name = readModelName(setting);
  if (name.kind === "offline") return offlineModel();
  if (name.kind === "address") return atAddress(setting, name, env);
  const id = name.provider;
  const provider = providers.find((candidate) => candidate.id === id);
  if (!provider) {
    const near = nearestNames(
      id,
      providers.map((candidate) => candidate.id),
    );
    const tip = near.length > 0 ? ` Did you mean ${near[0]}?` : "";
    throw unavailable(`Unknown model provider ${JSON.stringify(id)}.${tip}`);
  }
  if (provider.keys.length > 0 && !keyOf(provider, env)) {
    throw unavailable(`The model ${setting} needs a key for ${provider.label}.`);
  }
  const model = name.model || provider.standard || (await ollamaModels(env))[0];
  if (!model) throw unavailable("Ollama is not running on this machine, or has no models.");
  if (!isPlainName(model)) throw unavailable(`${JSON.stringify(model)} is not the name of a model.`);
  return made(provider, model, env);
}

async function made(provider: Provider, model: string, env: Env): Promise<ChosenModel> {
  const isUnknown = (await provider.knows?.(model)) === false;
  const key = keyOf(provider, env) ?? "";
  return {
    model: hideKey(await provider.create(model, key, env), key),
    name: `${provider.id}/${model}`,
    offline: false,
    ...(isUnknown && { outputTokens: unknownOutputTokens }),
  };
}

async function atAddress(
  setting: string,
  { address, model }: Extract<ModelName, { kind: "address" }>,
  env: Env,
): Promise<ChosenModel> {
  if (!model || !URL.canParse(address)) {
    throw unavailable(`Write the model's name after the address: ${address}#<name>.`);
  }
  const key = env["WIELD_API_KEY"] ?? "";
  return {
    model: hideKey(await compatible("custom", model, key, address), key),
    name: setting,
    offline: false,
  };
}

async function offlineModel(): Promise<ChosenModel> {
  const { createOfflineModel } = await import("./offline/offline-model.ts");
  return { model: createOfflineModel(), name: "offline", offline: true };
}

function unavailable(what: string): Failure {
  return new Failure(
    "UNAVAILABLE",
    `${what} Choices:\n${modelChoices()}\nOr 'offline' for the built-in model.`,
  );
}
