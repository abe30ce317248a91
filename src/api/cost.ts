import type { Usage } from "../events/agent-events.ts";

/** What models used and what that costs by the price list: an estimate, the provider's bill counts. */
export interface CostLine {
  usage: Usage;
  costUsd: number;
  /** Models whose price is not known: their share is not in the cost. */
  unpriced: string[];
}

export interface CostView {
  /** Of the session that was asked for, with the runs that it delegated to. */
  session?: CostLine;
  today: CostLine;
  /** The last 30 days, newest first. */
  days: (CostLine & { day: string })[];
  models: (CostLine & { model: string })[];
  sessions: (CostLine & { session: string; title: string })[];
  /** All folders of today, against what the person set for a day. */
  budget?: { usd: number; spentUsd: number; state: "within" | "near" | "over" };
  /** The date of the price list. */
  pricesDate: string;
}

export interface PriceView {
  model: string;
  /** US dollars for a million tokens. */
  input: number;
  output: number;
  cached?: number;
}
