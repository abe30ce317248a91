import { Failure } from "../failure/failure.ts";
import { nearestNames } from "../text/nearest.ts";
import { readModelName } from "./model-name.ts";
import { type Env, keyOf, providers } from "./providers.ts";

export interface KnownModels {
  /** Names that can be chosen: the models of every provider with a key, of a running Ollama, and the built-in one. */
  names: string[];
  /** Providers that do not list their models, or only with a key: whether a name is valid shows when it is used. */
  unlisted: string[];
}

/** Asks the providers. `named` are models from the settings. */
export async function knownModels(env: Env, named: readonly string[]): Promise<KnownModels> {
  const asked = await Promise.all(
    providers.map(async ({ id, keys, standard, models }) => {
      const key = keyOf({ keys }, env);
      if (keys.length > 0 && key === undefined) return { id, keys, names: [], listed: false };
      const found = await models(key ?? "", env);
      const names = [standard, ...found.toSorted()].filter(Boolean).map((model) => `${id}/${model}`);
      return { id, keys, names, listed: found.length > 0 };
    }),
  );
  return {
    names: [...new Set([...named, ...asked.flatMap(({ names }) => names), "offline"])],
    // A provider without a key either answers or is not running.
    unlisted: asked.flatMap(({ id, keys, listed }) => (listed || keys.length === 0 ? [] : id)),
  };
}

/** Rejects an unknown model and suggests similar names. */
export function requireKnown(wanted: string, { names, unlisted }: KnownModels): void {
  const [provider = ""] = wanted.split("/");
  const isAddress = readModelName(wanted).kind === "address";
  const isProvider = provider === wanted && names.some((name) => name.startsWith(`${wanted}/`));
  if (names.includes(wanted) || isAddress || isProvider || unlisted.includes(provider)) return;
  const near = nearestModels(wanted, names);
  const known = `Known ones: ${names.slice(0, mostNear).join(", ")}${names.length > mostNear ? " and more" : ""}.`;
  const tip = near.length > 0 ? `Did you mean ${near.join(", ")}?` : known;
  const missing = providers.find(({ id }) => id === provider);
  const how = missing
    ? ` ${missing.label} lists no such model.`
    : " A name is written provider/model, or http://host/v1#model; wield doctor shows how to add a provider.";
  throw new Failure(
    "INVALID_INPUT",
    `Unknown model ${JSON.stringify(wanted)}. ${tip}${near.length > 0 ? "" : how}`,
  );
}

/** By the full name, or by the name without its provider. */
function nearestModels(wanted: string, names: readonly string[]): string[] {
  const byOwnName = Map.groupBy(names, (name) => name.slice(name.indexOf("/") + 1));
  const own = nearestNames(wanted, byOwnName.keys(), mostNear).flatMap((name) => byOwnName.get(name) ?? []);
  return [...new Set([...own, ...nearestNames(wanted, names, mostNear)])].slice(0, mostNear);
}

const mostNear = 5;
