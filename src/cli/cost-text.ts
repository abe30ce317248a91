import type { CostLine, CostView } from "../api/cost.ts";
import { visibleLine } from "../text/visible.ts";
import { columns } from "./command.ts";
import { type Io, painter } from "./terminal.ts";

/** `/cost` and `wield stats --cost`: what was used, and what that costs by the price list. */
export function costText(view: CostView, io: Pick<Io, "colour">): string {
  const paint = painter(io);
  const row = (name: string, line: CostLine) => [visibleLine(name), lineText(line)];
  const group = (title: string, rows: string[][]) =>
    rows.length === 0 ? [] : [paint("bold", title), columns(rows)];
  return [
    ...group("Now", [
      ...(view.session ? [row("this session", view.session)] : []),
      row("today, this folder", view.today),
    ]),
    ...group(
      "By day",
      view.days.slice(0, 7).map((line) => row(line.day, line)),
    ),
    ...group(
      "By model, 30 days",
      view.models.map((line) => row(line.model || "not noted", line)),
    ),
    ...(view.budget ? [budgetText(view.budget)] : []),
    paint("dim", `Estimated by prices of ${view.pricesDate}; wield prices --refresh fetches new ones.`),
  ].join("\n");
}

function lineText({ usage, costUsd, unpriced }: CostLine): string {
  const tokens = `${count(usage.inputTokens)} in, ${count(usage.outputTokens)} out`;
  const models = visibleLine(unpriced.join(", "));
  // Zero dollars would say that it was free.
  if (costUsd === 0) return unpriced.length === 0 ? tokens : `${tokens}, price unknown: ${models}`;
  return `$${costUsd.toFixed(4)}  ${tokens}${unpriced.length === 0 ? "" : `, and more: price unknown: ${models}`}`;
}

export function budgetText({ usd, spentUsd, state }: NonNullable<CostView["budget"]>): string {
  const share = `$${spentUsd.toFixed(2)} of $${usd.toFixed(2)} for today`;
  if (state === "over") return `The budget is used up: ${share}.`;
  return state === "near" ? `The budget is nearly used up: ${share}.` : `Budget: ${share}.`;
}

export function count(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens < 1_000_000 ? `${(tokens / 1000).toFixed(1)}k` : `${(tokens / 1_000_000).toFixed(2)}M`;
}
