import type { Policy } from "../approval/decide.ts";
import type { Store } from "../store/store.ts";
import type { Execution } from "../tools/run/execution.ts";
import type { Keys } from "./keys.ts";
import type { PermissionModes } from "./permission-modes.ts";
import type { Preferences } from "./preferences.ts";
import { defaultPriceList, type PriceList } from "./price-list.ts";
import { checkProviders, defaultModel, describeSandbox, listPrograms, listProviders } from "./providers.ts";
import type { Wield } from "./wield-types.ts";

interface SetupParts {
  env: Readonly<Record<string, string | undefined>>;
  root: string;
  store: Store;
  preferences: Preferences;
  modes: PermissionModes;
  keys: Keys;
  prices: PriceList;
  policy(session?: string): Policy;
  openExecution(): Promise<Execution>;
}

/** What a person sets up: settings, permission modes, providers, keys, models and what they cost. */
export function wieldSetup(
  parts: SetupParts,
): Pick<Wield, "settings" | "providers" | "keys" | "models" | "cost"> {
  const { env, root, store, preferences, modes, keys, prices, policy, openExecution } = parts;
  const providerParts = () => ({
    env: keys.env,
    web: preferences.group("web"),
    telemetry: preferences.group("telemetry"),
    model: env["WIELD_MODEL"] ?? preferences.model,
  });
  return {
    settings: {
      get trusted() {
        return preferences.trusted;
      },
      user: () => preferences.user,
      startedWithModel: env["WIELD_MODEL"] || undefined,
      change: (change) => preferences.change(change),
      policy,
      mode: (session) => modes.of(session),
      modeOf: async (session) => {
        await modes.load(session);
        return modes.of(session);
      },
      setMode: async (mode, { session, folder }) => {
        if (folder) modes.setFolder(mode);
        if (session !== undefined) await modes.set(mode, session);
      },
      mayRead: (tool, path) => preferences.reading(tool, path) === "allow",
      forget: (rule, instead) => preferences.forget(rule, instead),
    },
    providers: {
      list: () => listProviders(providerParts()),
      model: () => defaultModel(providerParts()),
      machine: async () => {
        const programs = listPrograms(env, preferences.group("web"));
        return [...programs, await describeSandbox(async () => (await openExecution()).sandbox())];
      },
      check: (signal) => checkProviders(providerParts(), signal),
    },
    keys: {
      list: () => keys.list(),
      set: (provider, key, given) => keys.set(provider, key, { model: preferences.model, ...given }),
      remove: async (provider) => keys.remove(provider),
    },
    models: async () => {
      const { knownModels } = await import("../model/known-models.ts");
      const { model, prices: priced } = preferences.forAgents();
      const named = [env["WIELD_MODEL"], model, ...Object.keys(priced)];
      return knownModels(
        keys.env,
        named.flatMap((name) => name || []),
      );
    },
    cost: {
      view: async (session) => {
        const { costView } = await import("./cost.ts");
        const budget = preferences.forAgents().agent.costUsdPerDay;
        return costView({ store, root, prices, budget }, session);
      },
      priceOf: (model) => prices.of(model),
      refreshPrices: async (signal = new AbortController().signal) =>
        prices.refresh(preferences.user.pricesFrom ?? defaultPriceList, signal),
    },
  };
}
