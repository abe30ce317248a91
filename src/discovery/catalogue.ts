import { estimateTokens } from "../text/tokens.ts";
import type { Tool } from "../tool/tool.ts";

const defaultBudget = 600;
const intro =
  "## Other tools (use searchTools to discover)\nIf you know its arguments, call a tool directly. Otherwise FIRST searchTools for usage details, THEN optionally readSkill for guidance.";
const introWithoutSkills =
  "## Other tools (use searchTools to discover)\nIf you know its arguments, call a tool directly. Otherwise searchTools gives usage details.";

interface Category {
  name: string;
  /** In the order of the list. */
  tools: readonly string[];
}

/**
 * The part of the system prompt that lists the deferred tools by category, in a stable order (those of `first`, then
 * alphabetical): names if they fit, otherwise only counts for the largest categories, otherwise only the largest
 * categories. Empty if there are neither tools nor skills.
 */
export function catalogueText(
  tools: readonly Tool[],
  skills: readonly string[] = [],
  budget = defaultBudget,
  first: readonly string[] = [],
): string {
  const deferred = tools.filter((tool) => tool.loading === "deferred");
  if (deferred.length === 0 && skills.length === 0) return "";
  const start = skills.length === 0 ? introWithoutSkills : intro;
  const end = skills.length === 0 ? [] : [skillsLine(skills)];
  const placeOf = (name = "") => (first.includes(name) ? first.indexOf(name) : first.length);
  const inOrder = (a: string, b: string) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1);
  const categories = [...Map.groupBy(deferred, (tool) => tool.category)]
    .map(([name, group]): Category => ({ name, tools: group.map((tool) => tool.name).sort(inOrder) }))
    .sort((a, b) => placeOf(a.tools[0]) - placeOf(b.tools[0]) || (a.name < b.name ? -1 : 1));
  const fits = (text: string) => estimateTokens(text) <= budget;

  const size = ({ tools: names }: Category) => names.length;
  const isFirst = ({ tools: names }: Category) => Number(placeOf(names[0]) < first.length);
  // The first categories are the last to lose their names.
  const largest = [...categories].sort(
    (a, b) => isFirst(a) - isFirst(b) || size(b) - size(a) || namedLine(b).length - namedLine(a).length,
  );
  /** The `count` largest categories are only counted. */
  const counting = (count: number) => {
    const counted = new Set(largest.slice(0, count));
    const lines = categories.map((each) => (counted.has(each) ? countedLine(each) : namedLine(each)));
    return [start, ...lines, ...end].join("\n");
  };
  const counted = fewest(largest.length, (count) => fits(counting(count)));
  if (counted !== undefined) return counting(counted);

  const smallest = [...categories].sort((a, b) => size(a) - size(b));
  const without = (count: number) => {
    const dropped = new Set(smallest.slice(0, count));
    const lines = categories.filter((each) => !dropped.has(each)).map(countedLine);
    const rest = `- and ${count} smaller categories; ${deferred.length} tools in all`;
    return [start, ...lines, rest, ...end].join("\n");
  };
  return without(fewest(smallest.length, (count) => fits(without(count))) ?? smallest.length);
}

/** The smallest number up to `most` that is enough, if any; a larger one always is when a smaller one is. */
function fewest(most: number, isEnough: (count: number) => boolean): number | undefined {
  if (!isEnough(most)) return undefined;
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return high;
}

function namedLine({ name, tools }: Category): string {
  return `- **${name}**: ${tools.join(", ")}`;
}

function countedLine({ name, tools }: Category): string {
  return `- **${name}** (${tools.length})`;
}

const mostSkills = 12;

function skillsLine(skills: readonly string[]): string {
  const more = skills.length > mostSkills ? `, and ${skills.length - mostSkills} more (searchSkills)` : "";
  return `Skills: ${[...skills].sort().slice(0, mostSkills).join(", ")}${more}`;
}
