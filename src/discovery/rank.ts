import { type Entry, saturate } from "./entry.ts";
import type { Word } from "./words.ts";

/** A stem of the query. */
export interface Term {
  weight: number;
  /** High for a stem that few tools have; 0 for one that none has. */
  rarity: number;
  /** The spellings in the query; empty for a hint. */
  surfaces: string[];
  /** Stems that stand in for one that no tool has, with what a mention is worth. */
  kin: readonly { stem: string; worth: number }[];
}

/** A word spelled exactly as in the query counts this much more than one that only shares its stem. */
const exactSpelling = 0.3;
/** Two words that stand together in the query and in the tool. */
const phraseWeight = 0.45;
const phraseGap = 2;
/** Extra for a tool that covers all of the query. */
const coverage = 0.5;
/** What the best sentence adds to the whole query. */
const bestSentence = 0.75;
/** A word that only earlier requests had, against one of the tool's own. */
const learnedWeight = 0.6;
/** Each tool chosen for a sentence lowers the next one's claim on it, so that every sentence gets its turn. */
const satiety = 0.8;
/** Tools of a provider that is among the chosen go together with it. */
const sameProvider = 0.1;

interface Scored {
  entry: Entry;
  whole: number;
  sentences: number[];
}

/** Candidates in order, at most `limit`. Ties go by name. `taught`: with what use has taught, not by words alone. */
export function rank(
  entries: readonly Entry[],
  terms: ReadonlyMap<string, Term>,
  sentences: readonly (readonly Word[])[],
  { limit, taught }: { limit: number; taught: boolean },
): string[] {
  const parts = sentences.map((words) => partOf(words, terms));
  const whole: Part = { stems: [...terms.keys()], phrases: parts.flatMap((part) => part.phrases) };
  const scored = entries.map((entry): Scored => {
    const match = matchOf(entry, terms);
    return {
      entry,
      whole: score(whole, match, terms) + (taught ? learnedScore(entry, terms) : 0),
      sentences: parts.length > 1 ? parts.map((part) => score(part, match, terms)) : [],
    };
  });
  return choose(scored, parts.length, limit);
}

interface Part {
  stems: readonly string[];
  phrases: readonly { key: string; value: number }[];
}

function partOf(words: readonly Word[], terms: ReadonlyMap<string, Term>): Part {
  const phrases = new Map<string, number>();
  for (const [i, { stem, weight }] of words.entries()) {
    for (let gap = 1; gap <= phraseGap && i + gap < words.length; gap++) {
      const next = words[i + gap] as Word;
      const rarity = Math.max(terms.get(stem)?.rarity ?? 0, terms.get(next.stem)?.rarity ?? 0);
      const value = (phraseWeight * rarity * Math.min(weight || 1, next.weight || 1)) / gap;
      const key = `${stem} ${next.stem}`;
      phrases.set(key, Math.max(phrases.get(key) ?? 0, value));
    }
  }
  return {
    stems: [...new Set(words.map((word) => word.stem))],
    phrases: [...phrases].map(([key, value]) => ({ key, value })),
  };
}

interface Match {
  /** What each stem of the query is worth in this tool. */
  values: ReadonlyMap<string, number>;
  /** Pairs that stand together in it: 1 side by side, less with a word between. */
  phrases: ReadonlyMap<string, number>;
}

function matchOf(entry: Entry, terms: ReadonlyMap<string, Term>): Match {
  const exact = new Map<string, number>();
  const phrases = new Map<string, number>();
  for (const { stems, surfaces, weight, phrases: hasPhrases } of entry.fields) {
    for (let i = 0; i < stems.length; i++) {
      const stem = stems[i] as string;
      const term = terms.get(stem);
      if (!term) continue;
      if (term.surfaces.includes(surfaces[i] as string)) exact.set(stem, (exact.get(stem) ?? 0) + weight);
      if (!hasPhrases) continue;
      for (let gap = 1; gap <= phraseGap && i + gap < stems.length; gap++) {
        const next = stems[i + gap] as string;
        if (!terms.has(next)) continue;
        const key = `${stem} ${next}`;
        phrases.set(key, Math.max(phrases.get(key) ?? 0, 1 / gap));
      }
    }
  }
  const values = new Map<string, number>();
  for (const [stem, { weight, rarity, kin }] of terms) {
    for (const { stem: other, worth } of kin) {
      const found = entry.weights.get(other);
      if (found !== undefined) values.set(stem, Math.max(values.get(stem) ?? 0, worth * saturate(found)));
    }
    const found = entry.weights.get(stem);
    if (found === undefined || weight === 0) continue;
    values.set(stem, weight * rarity * (saturate(found) + exactSpelling * saturate(exact.get(stem) ?? 0)));
  }
  return { values, phrases };
}

function score(part: Part, match: Match, terms: ReadonlyMap<string, Term>): number {
  let sum = 0;
  let covered = 0;
  let total = 0;
  for (const stem of part.stems) {
    const { weight = 0, rarity = 0 } = terms.get(stem) ?? {};
    const value = match.values.get(stem);
    total += weight * rarity;
    if (value === undefined) continue;
    sum += value;
    covered += weight * rarity;
  }
  if (match.phrases.size > 0)
    for (const { key, value } of part.phrases) sum += value * (match.phrases.get(key) ?? 0);
  return total === 0 ? 0 : sum * (1 + (coverage * covered) / total);
}

function learnedScore(entry: Entry, terms: ReadonlyMap<string, Term>): number {
  if (entry.learned.size === 0) return 0;
  let sum = 0;
  for (const [stem, { weight, rarity }] of terms) {
    const found = entry.learned.get(stem);
    if (found !== undefined && weight === 1) sum += rarity * saturate(found);
  }
  return learnedWeight * sum;
}

/** One by one, the best for what is still unserved. With a single sentence it is a plain sort. */
function choose(scored: readonly Scored[], parts: number, limit: number): string[] {
  const left = scored.map((item) => ({ ...item, home: item.sentences.indexOf(Math.max(...item.sentences)) }));
  const hunger = new Array<number>(parts).fill(1);
  const providers = new Set<string>();
  const chosen: string[] = [];
  while (chosen.length < limit && left.length > 0) {
    let best = 0;
    let bestValue = Number.NEGATIVE_INFINITY;
    for (const [at, { entry, whole, sentences, home }] of left.entries()) {
      const served = home < 0 ? 1 : (1 + (hunger[home] ?? 1)) / 2;
      const sentence = sentences.reduce((most, value, i) => Math.max(most, value * (hunger[i] ?? 1)), 0);
      const together = providers.has(entry.provider) ? 1 + sameProvider : 1;
      const value = (whole * served + bestSentence * sentence) * together;
      if (value > bestValue || (value === bestValue && entry.name < (left[best]?.entry.name ?? ""))) {
        best = at;
        bestValue = value;
      }
    }
    const [taken] = left.splice(best, 1);
    if (!taken) break;
    chosen.push(taken.entry.name);
    if (taken.entry.provider !== "") providers.add(taken.entry.provider);
    if (taken.home >= 0) hunger[taken.home] = (hunger[taken.home] ?? 1) * satiety;
  }
  return chosen;
}
