import { costOf } from "../agent/limits.ts";
import { chatPrefix, delegatedSession, findSession, type LogData } from "../agent/log.ts";
import { addUsage, noUsage } from "../agent/usage.ts";
import type { CostLine, CostView } from "../api/cost.ts";
import type { Store, UsageRow } from "../store/store.ts";
import type { PriceList } from "./price-list.ts";

interface CostParts {
  store: Store;
  root: string;
  prices: PriceList;
  /** US dollars a day; undefined: none is set. */
  budget: number | undefined;
}

const days = 30;
/** From this share of the budget on, there is a warning. */
const near = 0.8;

/** What models cost in this folder: today, by day, model and session; and in one session, if it is named. */
export async function costView(
  { store, root, prices, budget }: CostParts,
  session?: string,
): Promise<CostView> {
  const since = new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();
  const line = (rows: readonly UsageRow[]) => lineOf(rows, prices);
  const rows = await store.usage({ workspace: root, since });
  const today = localDay(new Date().toISOString());
  const chats = Map.groupBy(
    rows.filter((row) => row.session.startsWith(chatPrefix)),
    (row) => row.session,
  );
  return {
    ...(session !== undefined && { session: line(await rowsOfSession(store, root, session)) }),
    today: line(rows.filter(({ at }) => localDay(at) === today)),
    days: [...Map.groupBy(rows, ({ at }) => localDay(at))].map(([day, of]) => ({ day, ...line(of) })),
    models: [...Map.groupBy(rows, ({ model }) => model)]
      .map(([model, of]) => ({ model, ...line(of) }))
      .sort((one, other) => other.costUsd - one.costUsd),
    sessions: [...chats].map(([id, of]) => ({ session: id, title: of[0]?.title ?? "", ...line(of) })),
    ...(budget !== undefined && { budget: await budgetState(store, prices, budget, today) }),
    pricesDate: prices.date,
  };
}

async function budgetState(
  store: Store,
  prices: PriceList,
  usd: number,
  today: string,
): Promise<NonNullable<CostView["budget"]>> {
  const since = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000).toISOString();
  const rows = (await store.usage({ since })).filter(({ at }) => localDay(at) === today);
  const spentUsd = lineOf(rows, prices).costUsd;
  return { usd, spentUsd, state: spentUsd >= usd ? "over" : spentUsd >= usd * near ? "near" : "within" };
}

/** With the runs that it delegated to, and the phases of a research. */
async function rowsOfSession(store: Store, root: string, session: string): Promise<UsageRow[]> {
  const { id } = await findSession(store, session, root);
  const all = new Set<string>();
  const add = async (one: string): Promise<void> => {
    all.add(one);
    for (const { data } of await store.entries(one)) {
      const entry = data as LogData;
      if (entry.kind !== "step") continue;
      for (const { id: call, tool } of entry.calls)
        if (tool === "explore" || tool === "task") await add(delegatedSession(call));
      for (const phase of entry.research?.sessions ?? []) await add(phase);
    }
  };
  await add(id);
  return (await store.usage({ workspace: root })).filter((row) => all.has(row.session));
}

function lineOf(rows: readonly UsageRow[], prices: PriceList): CostLine {
  const unpriced = new Set<string>();
  let costUsd = 0;
  let usage = noUsage;
  for (const row of rows) {
    usage = addUsage(usage, row.usage);
    const price = prices.of(row.model);
    if (price) costUsd += costOf(row.usage, price);
    else unpriced.add(row.model || "an unnamed model");
  }
  return { usage, costUsd, unpriced: [...unpriced] };
}

/** In the time zone of this machine. */
function localDay(at: string): string {
  const now = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
