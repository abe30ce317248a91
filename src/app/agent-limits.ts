import type { Limits, Spent } from "../agent/limits.ts";
import { type ExploreMode, exploreModes, type Profile, profiles } from "../agent/profiles.ts";
import { Failure } from "../failure/failure.ts";
import type { Price } from "../model/prices.ts";
import type { AgentSettings } from "./preferences.ts";

export function standardLimits(
  { name, steps }: Profile,
  { agent }: AgentSettings,
  mode?: ExploreMode,
): Limits {
  const { tokens, costUsd, seconds } = agent;
  const asks = profiles[name].atLimit === "ask";
  return {
    ...(tokens !== undefined && { tokens }),
    ...(costUsd !== undefined && { costUsd }),
    ...(seconds !== undefined && { seconds }),
    steps: name === "explore" && mode ? exploreModes[mode] : asks ? (agent.steps ?? steps) : steps,
  };
}

/** Tokens and cost are shared with the parent and with the runs beside it; its steps are its own. */
export function limitsOfChild({ tokens, costUsd, seconds }: Limits, { seconds: passed }: Spent): Limits {
  return {
    ...(tokens !== undefined && { tokens }),
    ...(costUsd !== undefined && { costUsd }),
    ...(seconds !== undefined && { seconds: Math.max(1e-6, seconds - passed) }),
  };
}

export function requirePrice(limits: Limits, price: Price | undefined, model: string): void {
  if (limits.costUsd === undefined || price || model === "offline") return;
  throw new Failure(
    "UNAVAILABLE",
    `A limit on cost needs the price of ${model}. Add it to the settings, in US dollars for a million tokens: {"prices": {"${model}": {"input": 3, "output": 15}}}`,
  );
}
