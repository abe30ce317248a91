import { estimateTokens } from "../text/tokens.ts";
import type { Tool } from "../tool/tool.ts";

const budget = 600;
const intro =
  "More tools exist than are described here. Search them with searchTools: say what you want to do, one capability a sentence. A tool you already know by name can be called directly.";

/**
 * The part of the system prompt that tells which deferred tools exist, by category, in an order that never changes by
 * itself: names while they fit, else counts, else the largest categories. Empty when nothing is deferred.
 */
export function catalogueText(tools: readonly Tool[]): string {
  const deferred = tools.filter((tool) => tool.loading === "deferred");
  if (deferred.length === 0) return "";
  const groups = [...Map.groupBy(deferred, (tool) => tool.category)].sort(([a], [b]) => (a < b ? -1 : 1));
  const named = groups.map(
    ([category, group]) =>
      `- ${category}: ${group
        .map((tool) => tool.name)
        .sort()
        .join(", ")}`,
  );
  const counted = groups.map(([category, group]) => `- ${category} (${group.length})`);
  for (const lines of [named, counted]) {
    const text = [intro, ...lines].join("\n");
    if (estimateTokens(text) <= budget) return text;
  }
  return largest(groups, deferred.length);
}

function largest(groups: readonly (readonly [string, Tool[]])[], total: number): string {
  const bySize = [...groups].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  const closing = (left: number) => `- and ${left} smaller categories; ${total} tools in all`;
  const kept: (readonly [string, Tool[]])[] = [];
  let spent = estimateTokens(`${intro}\n${closing(groups.length)}`);
  for (const group of bySize) {
    spent += estimateTokens(`\n- ${group[0]} (${group[1].length})`);
    if (spent > budget) break;
    kept.push(group);
  }
  const lines = kept
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([category, group]) => `- ${category} (${group.length})`);
  return [intro, ...lines, closing(groups.length - kept.length)].join("\n");
}
