import type { StopReason, Usage } from "../events/agent-events.ts";

/** What a run may use up before it stops; left out: no limit of that kind. */
export interface Limits {
  steps?: number;
  tokens?: number;
  costUsd?: number;
  seconds?: number;
}

/** US dollars for a million tokens. */
export interface Price {
  input: number;
  output: number;
  /** For what the provider's cache held; default: a tenth of `input`. */
  cached?: number | undefined;
}

export interface Spent {
  steps: number;
  usage: Usage;
  seconds: number;
}

export type LimitReason = Extract<StopReason, "steps" | "tokens" | "cost" | "time">;

/** The first limit that is reached, or would be by another step like the average one when `near` is asked. */
export function limitReached(
  limits: Limits,
  spent: Spent,
  price: Price | undefined,
  near = false,
): LimitReason | undefined {
  const share = near && spent.steps > 0 ? 1 + 1 / spent.steps : 1;
  const ahead = near ? 1 : 0;
  const over = (used: number, limit: number | undefined) => limit !== undefined && used * share >= limit;
  if (limits.steps !== undefined && spent.steps + ahead >= limits.steps) return "steps";
  if (over(spent.usage.inputTokens + spent.usage.outputTokens, limits.tokens)) return "tokens";
  if (price && over(costOf(spent.usage, price), limits.costUsd)) return "cost";
  if (over(spent.seconds, limits.seconds)) return "time";
  return undefined;
}

export function costOf(usage: Usage, price: Price): number {
  const fresh = usage.inputTokens - usage.cachedTokens;
  const cached = price.cached ?? price.input / 10;
  return (fresh * price.input + usage.cachedTokens * cached + usage.outputTokens * price.output) / 1_000_000;
}

export function limitText(reason: LimitReason, limits: Limits): string {
  return {
    steps: `${limits.steps} steps`,
    tokens: `${limits.tokens} tokens`,
    cost: `${limits.costUsd} US dollars`,
    time: `${limits.seconds} seconds`,
  }[reason];
}
