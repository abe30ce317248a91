import type { UsageRow } from "./store.ts";

/** A row of a query for usage; `at` is the beginning of a time up to the tens of its minutes. */
export function usageRow(row: Record<string, unknown>): UsageRow {
  const text = (name: string) => String(row[name]);
  const count = (name: string) => Number(row[name] ?? 0);
  return {
    ...{ session: text("session"), title: text("title"), at: `${text("at")}0:00.000Z`, model: text("model") },
    usage: {
      inputTokens: count("inputTokens"),
      outputTokens: count("outputTokens"),
      cachedTokens: count("cachedTokens"),
      ...(count("writtenTokens") > 0 && { writtenTokens: count("writtenTokens") }),
    },
  };
}

/** Rows of the same session, model and time as one. */
export function totals(rows: readonly UsageRow[]): UsageRow[] {
  const groups = Map.groupBy(rows, ({ session, model, at }) => JSON.stringify([session, model, at]));
  return [...groups.values()].map((group) => {
    const sum = (name: keyof UsageRow["usage"]) =>
      group.reduce((total, { usage }) => total + (usage[name] ?? 0), 0);
    const counted = {
      inputTokens: sum("inputTokens"),
      outputTokens: sum("outputTokens"),
      cachedTokens: sum("cachedTokens"),
      writtenTokens: sum("writtenTokens"),
    };
    return usageRow({ ...group[0], at: group[0]?.at.slice(0, 15), ...counted });
  });
}
