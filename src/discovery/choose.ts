import type { Entry } from "./entry.ts";
import type { ToolFeatures } from "./tool-features.ts";

/** A tool with its score for the query. */
export interface Scored {
  entry: Entry;
  features: ToolFeatures;
  whole: number;
  /** Of each sentence; empty for a query of one. */
  sentences: readonly number[];
}

/** The weight of the best sentence in addition to the whole query. */
const bestSentence = 0.81;
/** Each tool chosen for a sentence lowers the value of the next one for it, so every sentence is served. */
const satiety = 0.68;
/** A bonus for tools of a provider that was already chosen. */
const sameProvider = 0.61;
/** Tools with the same name are listed together: the reader tells them apart by their arguments. */
const sameName = 0.41;
/**
 * Among tools with the same name: the weights of a word outside the argument descriptions, of length, and of the
 * score itself.
 */
const namesake = { wordElsewhere: 0.7, lengthPower: 0.22, score: 0.65 };

/**
 * Chooses one by one the best tool for the sentences not served yet; for a single sentence it is a plain sort.
 * `words`: stems of the query. `least`: the share of the best one's value that all others must reach.
 */
export function choose(
  scored: readonly Scored[],
  { parts, limit, words, least }: { parts: number; limit: number; words: readonly number[]; least: number },
): string[] {
  const left = withNamesakesInOrder(scored, words).map((item) => ({
    ...item,
    home: item.sentences.indexOf(Math.max(...item.sentences)),
  }));
  const hunger = new Array<number>(parts).fill(1);
  const providers = new Set<string>();
  const names = new Set<string>();
  const chosen: string[] = [];
  let highest: number | undefined;
  while (chosen.length < limit && left.length > 0) {
    let best = 0;
    let bestValue = Number.NEGATIVE_INFINITY;
    for (const [at, { entry, features, whole, sentences, home }] of left.entries()) {
      const served = home < 0 ? 1 : (1 + (hunger[home] ?? 1)) / 2;
      const sentence = sentences.reduce((most, value, i) => Math.max(most, value * (hunger[i] ?? 1)), 0);
      const together =
        (providers.has(entry.provider) ? 1 + sameProvider : 1) *
        (names.has(features.namesakes) ? 1 + sameName : 1);
      const value = (whole * served + bestSentence * sentence) * together;
      if (value > bestValue || (value === bestValue && entry.name < (left[best]?.entry.name ?? ""))) {
        best = at;
        bestValue = value;
      }
    }
    const [taken] = left.splice(best, 1);
    highest ??= bestValue;
    if (!taken || bestValue < least * highest) break;
    chosen.push(taken.entry.name);
    if (taken.entry.provider !== "") providers.add(taken.entry.provider);
    if (taken.features.namesakes !== "") names.add(taken.features.namesakes);
    if (taken.home >= 0) hunger[taken.home] = (hunger[taken.home] ?? 1) * satiety;
  }
  return chosen;
}

/**
 * Tools with the same name keep their set of scores but are ordered again within it. They differ in a few words,
 * mostly about their arguments, and how rare a word is among all tools does not show which of them is meant.
 */
function withNamesakesInOrder(scored: readonly Scored[], words: readonly number[]): Scored[] {
  const groups = Map.groupBy(scored, ({ features }) => features.namesakes);
  return [...groups].flatMap(([name, group]) => {
    if (group.length === 1 || name === "") return group;
    const byScore = group.toSorted((a, b) => scoreOf(b) - scoreOf(a) || byName(a, b));
    const most = Math.max(...group.map(({ whole }) => whole));
    const fits = new Map(
      byScore.map((item) => [
        item,
        fitOf(item, words) + (most > 0 ? (namesake.score * item.whole) / most : 0),
      ]),
    );
    const byFit = byScore.toSorted((a, b) => (fits.get(b) ?? 0) - (fits.get(a) ?? 0));
    return byFit.map(({ entry, features }, at) => ({ ...(byScore[at] as Scored), entry, features }));
  });
}

function scoreOf({ whole, sentences }: Scored): number {
  return whole + bestSentence * Math.max(0, ...sentences);
}

function byName(a: Scored, b: Scored): number {
  return a.entry.name < b.entry.name ? -1 : 1;
}

/** How many of the words it contains, each with equal weight. */
function fitOf({ entry, features }: Scored, words: readonly number[]): number {
  let found = 0;
  for (const stem of words)
    found += features.explanations.has(stem) ? 1 : entry.weights.has(stem) ? namesake.wordElsewhere : 0;
  return found / entry.weights.size ** namesake.lengthPower;
}
