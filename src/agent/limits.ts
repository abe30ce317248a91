import type { StopReason, Usage } from "../events/agent-events.ts";
import type { Price } from "../model/prices.ts";

/** What a run may use before it stops; an omitted field means no limit. */
export interface Limits {
  steps?: number;
  tokens?: number;
  costUsd?: number;
  seconds?: number;
}

export interface Spent {
  steps: number;
  usage: Usage;
  seconds: number;
}

export type LimitReason = Extract<StopReason, "steps" | "tokens" | "cost" | "time">;

/**
 * The first limit that another step like the average one would reach: that step is left for the model's final words.
 * `elsewhere` is what other runs have used of the same limits.
 */
export function limitReached(
  limits: Limits,
  spent: Spent,
  price: Price | undefined,
  elsewhere?: Usage,
): LimitReason | undefined {
  const share = spent.steps > 0 ? 1 + 1 / spent.steps : 1;
  const over = (used: number, limit: number | undefined, byOthers = 0) =>
    limit !== undefined && byOthers + used * share >= limit;
  const costs = (usage: Usage | undefined) => (usage && price ? costOf(usage, price) : 0);
  if (limits.steps !== undefined && spent.steps + 1 >= limits.steps) return "steps";
  if (over(tokensIn(spent.usage), limits.tokens, elsewhere && tokensIn(elsewhere))) return "tokens";
  if (price && over(costs(spent.usage), limits.costUsd, costs(elsewhere))) return "cost";
  if (over(spent.seconds, limits.seconds)) return "time";
  return undefined;
}

function tokensIn({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens;
}

export function costOf(usage: Usage, price: Price): number {
  const { inputTokens, outputTokens, cachedTokens, writtenTokens = 0 } = usage;
  const { cached = price.input / 10, written = price.input } = price;
  const fresh = inputTokens - cachedTokens - writtenTokens;
  const input = fresh * price.input + cachedTokens * cached + writtenTokens * written;
  return (input + outputTokens * price.output) / 1_000_000;
}

export function limitText(reason: LimitReason, limits: Limits): string {
  return {
    steps: `${limits.steps} steps`,
    tokens: `${limits.tokens} tokens`,
    cost: `${limits.costUsd} US dollars`,
    time: `${limits.seconds} seconds`,
  }[reason];
}

/** The model gets a notice when the first number of steps is left, if its limit is at least the second. */
const tellAt: readonly (readonly [left: number, limit: number])[] = [
  [5, 11],
  [2, 4],
];

/** The notice before a step when few are left. */
export function stepsLeftText({ steps: limit }: Limits, taken: number): string | undefined {
  const left = limit === undefined ? Number.POSITIVE_INFINITY : limit - taken;
  if (limit === undefined || !tellAt.some(([at, least]) => left === at && limit >= least)) return undefined;
  return `${left} of ${limit} steps are left, the last one for your answer. Finish what matters most.`;
}

/** Tools that say where to look, not what is there. */
const searches: ReadonlySet<string> = new Set(["search_code", "grep", "searchTools"]);

/**
 * The notice when the model has searched and read as often as a question usually needs; one step later if it has not read
 * anything yet.
 */
export function answerDueText(
  answerAfter: number | undefined,
  taken: number,
  results: readonly { tool: string }[],
): string | undefined {
  const hasRead = results.some(({ tool }) => !searches.has(tool));
  if (answerAfter === undefined || taken < answerAfter + (hasRead ? 0 : 1)) return undefined;
  return "Answer now: a further look sends all of this again. Name every function that takes part, and what you did not check. Look once more only if a part of the question has no evidence at all.";
}

/** `12 steps, 34,000 tokens, $0.21, 95 seconds`. */
export function spentText({ steps, usage, seconds }: Spent, price: Price | undefined): string {
  const number = (value: number) => Math.round(value).toLocaleString("en");
  return [
    `${number(steps)} ${steps === 1 ? "step" : "steps"}`,
    `${number(usage.inputTokens + usage.outputTokens)} tokens`,
    ...(price ? [`$${costOf(usage, price).toFixed(2)}`] : []),
    `${number(seconds)} seconds`,
  ].join(", ");
}
