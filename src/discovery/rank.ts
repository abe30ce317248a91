import { type Entry, saturate } from "./entry.ts";
import { likeness, meaningOf } from "./word-table.ts";
import type { Word } from "./words.ts";

/** A stem of the query. */
export interface Term {
  weight: number;
  /** Whether it may name a capability: neither a hint nor one of the words in which people wrap a request. */
  isTelling: boolean;
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
const coverage = 0.7;
/** What the best sentence adds to the whole query. */
const bestSentence = 0.9;
/**
 * Evidence besides the words themselves, each against one mention of a word that only one tool has: a tool about the same
 * things, a name or description that the query says in full, arguments that it names (less for each that it does not).
 */
const evidence = { sameMeaning: 0.77, saidInFull: 0.35, argumentsNamed: 0.18 };
/** Words that no tool has are taken for this rare where the meaning of the whole query is looked for. */
const unknownRarity = 5;
/** A word that only earlier requests had, against one of the tool's own. */
const learnedWeight = 0.6;
/** Each tool chosen for a sentence lowers the next one's claim on it, so that every sentence gets its turn. */
const satiety = 0.77;
/** Tools of a provider that is among the chosen go together with it. */
const sameProvider = 0.4;
/** Tools of one name go together: which of them it is can be told by their arguments, which the reader sees. */
const sameName = 0.4;

interface Scored {
  entry: Entry;
  whole: number;
  sentences: number[];
}

/** What the ranking asks the catalogue. */
export interface Catalogue {
  rarity(stem: string): number;
  /** Of a stem that only one tool has. */
  highestRarity(): number;
  portrait(entry: Entry): Portrait;
}

/** What a tool is among the others. */
export interface Portrait {
  meaning: Float32Array;
  /** Of each field: the rarity of its stems in sum. */
  extents: readonly number[];
}

/** Candidates in order, at most `limit`. Ties go by name. `taught`: with what use has taught, not by words alone. */
export function rank(
  entries: readonly Entry[],
  terms: ReadonlyMap<string, Term>,
  sentences: readonly (readonly Word[])[],
  { limit, taught, catalogue }: { limit: number; taught: boolean; catalogue: Catalogue },
): string[] {
  const parts = sentences.map((words) => partOf(words, terms));
  const whole = partFrom(
    [...terms.keys()],
    parts.flatMap((part) => part.phrases),
    terms,
  );
  const rarest = catalogue.highestRarity();
  const scored = entries.map((entry): Scored => {
    const match = matchOf(entry, terms);
    const echoes = echoesOf(entry, whole.said, catalogue);
    const score = (part: Part) => wordScore(part, match, terms) + rarest * besidesWords(part, echoes);
    return {
      entry,
      whole: score(whole) + (taught ? learnedScore(entry, terms) : 0),
      sentences: parts.length > 1 ? parts.map(score) : [],
    };
  });
  return choose(scored, parts.length, limit);
}

/** The whole query, or one sentence of it. */
interface Part {
  stems: readonly string[];
  phrases: readonly { key: string; value: number }[];
  /** How much each stem is said by it, kin included. */
  said: ReadonlyMap<string, number>;
  meaning: Float32Array;
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
  return partFrom(
    [...new Set(words.map((word) => word.stem))],
    [...phrases].map(([key, value]) => ({ key, value })),
    terms,
  );
}

function partFrom(stems: string[], phrases: Part["phrases"], terms: ReadonlyMap<string, Term>): Part {
  const said = new Map<string, number>();
  for (const stem of stems)
    for (const kin of terms.get(stem)?.kin ?? [])
      said.set(kin.stem, Math.max(said.get(kin.stem) ?? 0, Math.min(0.5, kin.worth / 6)));
  for (const stem of stems) said.set(stem, terms.get(stem)?.weight ?? 0);
  const meaning = meaningOf(
    stems.map((stem) => {
      const { weight = 0, rarity = 0 } = terms.get(stem) ?? {};
      return [stem, weight * (rarity || unknownRarity)];
    }),
  );
  return { stems, phrases, said, meaning };
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

function wordScore(part: Part, match: Match, terms: ReadonlyMap<string, Term>): number {
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

/** What is said for a tool besides its words: each stem of the query that a field has, with its share of the field. */
interface Echoes {
  meaning: Float32Array;
  said: { stem: string; share: number }[];
  /** Stems of arguments that the query has, and how many there are. */
  named: string[];
  asked: number;
}

function echoesOf(entry: Entry, said: ReadonlyMap<string, number>, catalogue: Catalogue): Echoes {
  const { meaning, extents } = catalogue.portrait(entry);
  const echoes: Echoes = { meaning, said: [], named: [], asked: 0 };
  for (const [at, { says, distinct }] of entry.fields.entries()) {
    if (says === undefined) continue;
    if (says === "what it asks for") echoes.asked = distinct.length;
    for (const stem of distinct) {
      if (!said.has(stem)) continue;
      if (says === "what it asks for") echoes.named.push(stem);
      else echoes.said.push({ stem, share: catalogue.rarity(stem) / (extents[at] || 1) });
    }
  }
  return echoes;
}

function besidesWords({ said, meaning }: Part, echoes: Echoes): number {
  let inFull = 0;
  for (const { stem, share } of echoes.said) inFull += share * (said.get(stem) ?? 0);
  let named = 0;
  for (const stem of echoes.named) if ((said.get(stem) ?? 0) > 0) named++;
  return (
    evidence.sameMeaning * likeness(meaning, echoes.meaning) +
    evidence.saidInFull * inFull +
    evidence.argumentsNamed * Math.log((1 + named) / (1 + echoes.asked))
  );
}

function learnedScore(entry: Entry, terms: ReadonlyMap<string, Term>): number {
  if (entry.learned.size === 0) return 0;
  let sum = 0;
  for (const [stem, { isTelling, rarity }] of terms) {
    const found = entry.learned.get(stem);
    if (found !== undefined && isTelling) sum += rarity * saturate(found);
  }
  return learnedWeight * sum;
}

/** One by one, the best for what is still unserved. With a single sentence it is a plain sort. */
function choose(scored: readonly Scored[], parts: number, limit: number): string[] {
  const left = scored.map((item) => ({ ...item, home: item.sentences.indexOf(Math.max(...item.sentences)) }));
  const hunger = new Array<number>(parts).fill(1);
  const providers = new Set<string>();
  const names = new Set<string>();
  const chosen: string[] = [];
  while (chosen.length < limit && left.length > 0) {
    let best = 0;
    let bestValue = Number.NEGATIVE_INFINITY;
    for (const [at, { entry, whole, sentences, home }] of left.entries()) {
      const served = home < 0 ? 1 : (1 + (hunger[home] ?? 1)) / 2;
      const sentence = sentences.reduce((most, value, i) => Math.max(most, value * (hunger[i] ?? 1)), 0);
      const together =
        (providers.has(entry.provider) ? 1 + sameProvider : 1) *
        (names.has(entry.namesakes) ? 1 + sameName : 1);
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
    if (taken.entry.namesakes !== "") names.add(taken.entry.namesakes);
    if (taken.home >= 0) hunger[taken.home] = (hunger[taken.home] ?? 1) * satiety;
  }
  return chosen;
}
