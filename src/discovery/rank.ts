import { choose, type Scored } from "./choose.ts";
import { type Entry, type EntryField, saturate } from "./entry.ts";
import type { Action, ToolFeatures } from "./tool-features.ts";
import type { ValueKind } from "./values.ts";
import { likeness, Meaning } from "./word-table.ts";

/** A stem of the query. */
export interface Term {
  /** Its number in the catalogue; negative if the catalogue does not have it. */
  stem: number;
  vector: Float32Array | undefined;
  weight: number;
  /** Whether it may name a capability: neither a hint nor a filler word. */
  isTelling: boolean;
  /** High for a stem that few tools have; 0 for one that none has. */
  rarity: number;
  /** The spellings in the query; empty for a hint. */
  surfaces: string[];
  /** Stems that replace one that no tool has, with the weight of a mention. */
  synonyms: readonly { stem: number; worth: number }[];
}

/** A word spelled exactly as in the query counts this much more than one that only shares its stem. */
const exactSpelling = 0.42;
/** A bonus for two words that are adjacent both in the query and in the tool. */
const phraseWeight = 0.45;
const phraseGap = 2;
/** Extra for a tool that covers all of the query. */
const coverage = 0.86;
/**
 * Weights of evidence besides the words themselves, relative to one mention of a word that only one tool has: the
 * tool has the same subject; the query contains its full name or description, names its arguments (less for each that
 * it does not name), or contains values for them; the tool's name says that it creates what the query asks to create.
 * Negative evidence: the tool's name states an action that the query does not.
 */
const evidence = {
  sameMeaning: 0.83,
  saidInFull: 0.35,
  argumentsNamed: 0.21,
  valuesTaken: 0.48,
  actionUnsaid: -0.2,
  creationMeant: 0.5,
};
/** The similarity from which a word of the query means an action: "purchase" means "buy". */
const alikeEnough = 0.4;
/** The assumed rarity of words that no tool has, when comparing the meaning of the whole query. */
const unknownRarity = 3.8;
/** The weight of a word that only earlier requests contained, relative to one of the tool's own. */
const learnedWeight = 0.6;

/** A query: its terms, and the whole query and each sentence as indexes into them. */
export interface Query {
  terms: readonly Term[];
  /** By stem number: its index in `terms` plus 1; 0 for a stem that is not in the query. */
  places: Int32Array;
  /** The kinds of values in it. */
  values: readonly ValueKind[];
  /** Whether it asks to create something. */
  asksToCreate: boolean;
  /** Of each sentence, word by word. */
  sentences: readonly (readonly { place: number; weight: number }[])[];
}

/** What the ranking needs from the catalogue. */
export interface Catalogue {
  /** Of a stem that only one tool has. */
  highestRarity(): number;
  features(entry: Entry): ToolFeatures;
}

/**
 * Candidates in order, at most `limit`, ties by name. `taught`: include what was learned from use. `least`: the share
 * of the best score that all others must reach.
 */
export function rank(
  entries: readonly Entry[],
  query: Query,
  {
    limit,
    taught,
    least,
    catalogue,
  }: { limit: number; taught: boolean; least: number; catalogue: Catalogue },
): string[] {
  const { terms } = query;
  const parts = query.sentences.map((words) => sentencePart(words, terms));
  const whole = partFrom(
    terms.map((_, place) => place),
    parts.flatMap((part) => part.phrases),
    terms,
  );
  const rarest = catalogue.highestRarity();
  const match = new Match(query);
  const own = terms.filter(({ surfaces }) => surfaces.length > 0);
  const isSaid = actionsIn(own);
  const scored = entries.map((entry): Scored => {
    const features = catalogue.features(entry);
    const echoes = echoesOf(features, whole.said);
    const isMeant =
      query.asksToCreate &&
      features.made.length > 0 &&
      features.made.every((stem) => query.places[stem] !== 0);
    const fitting =
      evidence.valuesTaken * valuesTaken(features, query.values) +
      (isMeant ? evidence.creationMeant : 0) +
      evidence.actionUnsaid *
        features.actions.filter((action) => !isSaid(action) && !(isMeant && action.creates)).length;
    match.take(entry);
    const score = (part: Part) =>
      wordScore(part, match, terms) + rarest * (besidesWords(part, echoes) + fitting);
    return {
      entry,
      features,
      whole: score(whole) + (taught ? learnedScore(entry, terms) : 0),
      sentences: parts.length > 1 ? parts.map(score) : [],
    };
  });
  const words = own.flatMap(({ stem, weight }) => (weight > 0 ? [stem] : []));
  return choose(scored, { parts: parts.length, limit, words, least });
}

/** The whole query, or one sentence of it. */
interface Part {
  places: readonly number[];
  phrases: readonly { key: number; value: number }[];
  /** The weight of each stem in it, synonyms included. */
  said: ReadonlyMap<number, number>;
  meaning: Float32Array;
}

function sentencePart(words: Query["sentences"][number], terms: readonly Term[]): Part {
  const phrases = new Map<number, number>();
  for (const [i, { place, weight }] of words.entries()) {
    for (let gap = 1; gap <= phraseGap && i + gap < words.length; gap++) {
      const next = words[i + gap] as (typeof words)[number];
      const rarity = Math.max(rarityAt(terms, place), rarityAt(terms, next.place));
      const value = (phraseWeight * rarity * Math.min(weight || 1, next.weight || 1)) / gap;
      const key = phraseKey(place, next.place);
      phrases.set(key, Math.max(phrases.get(key) ?? 0, value));
    }
  }
  return partFrom(
    [...new Set(words.map((word) => word.place))],
    [...phrases].map(([key, value]) => ({ key, value })),
    terms,
  );
}

function rarityAt(terms: readonly Term[], place: number): number {
  return terms[place]?.rarity ?? 0;
}

/** Two places as one number. */
function phraseKey(first: number, second: number): number {
  return first * 2 ** 26 + second;
}

function partFrom(places: number[], phrases: Part["phrases"], terms: readonly Term[]): Part {
  const own = places.flatMap((place) => terms[place] ?? []);
  const said = new Map<number, number>();
  for (const { synonyms } of own)
    for (const { stem, worth } of synonyms)
      said.set(stem, Math.max(said.get(stem) ?? 0, Math.min(0.5, worth / 6)));
  const meaning = new Meaning();
  for (const { stem, vector, weight, rarity } of own) {
    said.set(stem, weight);
    meaning.add(vector, weight * (rarity || unknownRarity));
  }
  return { places, phrases, said, meaning: meaning.direction() };
}

/** Matches the words of the query against one tool after another. */
class Match {
  readonly #query: Query;
  readonly #exact: Float64Array;
  /** The score of each term in this tool; negative for none. */
  readonly values: Float64Array;
  /** Adjacent pairs of terms in it: 1 side by side, less with a word in between. */
  readonly phrases = new Map<number, number>();

  constructor(query: Query) {
    this.#query = query;
    this.#exact = new Float64Array(query.terms.length);
    this.values = new Float64Array(query.terms.length);
  }

  take(entry: Entry): void {
    this.#exact.fill(0);
    this.values.fill(-1);
    this.phrases.clear();
    for (const field of entry.fields) this.#takeField(field);
    for (const [place, { stem, weight, rarity, synonyms }] of this.#query.terms.entries()) {
      let value = -1;
      for (const { stem: other, worth } of synonyms) {
        const found = entry.weights.get(other);
        if (found !== undefined) value = Math.max(value, worth * saturate(found));
      }
      const found = weight === 0 ? undefined : entry.weights.get(stem);
      if (found !== undefined) {
        const exact = saturate(this.#exact[place] as number);
        value = weight * rarity * (saturate(found) + exactSpelling * exact);
      }
      this.values[place] = value;
    }
  }

  #takeField({ stems, surfaces, weight, phrases }: EntryField): void {
    const { terms, places } = this.#query;
    for (let i = 0; i < stems.length; i++) {
      const place = (places[stems[i] as number] as number) - 1;
      if (place < 0) continue;
      if (terms[place]?.surfaces.includes(surfaces[i] as string))
        this.#exact[place] = (this.#exact[place] as number) + weight;
      if (!phrases) continue;
      for (let gap = 1; gap <= phraseGap && i + gap < stems.length; gap++) {
        const next = (places[stems[i + gap] as number] as number) - 1;
        if (next < 0) continue;
        const key = phraseKey(place, next);
        this.phrases.set(key, Math.max(this.phrases.get(key) ?? 0, 1 / gap));
      }
    }
  }
}

function wordScore(part: Part, match: Match, terms: readonly Term[]): number {
  let sum = 0;
  let covered = 0;
  let total = 0;
  for (const place of part.places) {
    const { weight, rarity } = terms[place] as Term;
    const value = match.values[place] as number;
    total += weight * rarity;
    if (value < 0) continue;
    sum += value;
    covered += weight * rarity;
  }
  if (match.phrases.size > 0)
    for (const { key, value } of part.phrases) sum += value * (match.phrases.get(key) ?? 0);
  return total === 0 ? 0 : sum * (1 + (coverage * covered) / total);
}

/** Evidence for a tool besides its words: which of its features the query matches. */
interface Echoes {
  meaning: Float32Array;
  said: { stem: number; share: number }[];
  /** Stems of arguments that the query has, and how many there are. */
  named: number[];
  asked: number;
}

function echoesOf(features: ToolFeatures, said: ReadonlyMap<number, number>): Echoes {
  return {
    meaning: features.meaning,
    said: features.said.filter(({ stem }) => said.has(stem)),
    named: features.arguments.filter((stem) => said.has(stem)),
    asked: features.arguments.length,
  };
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

/** The share of the values in the query for which the tool has an argument. */
function valuesTaken({ takes }: ToolFeatures, values: readonly ValueKind[]): number {
  return values.length === 0 ? 0 : values.filter((kind) => takes.has(kind)).length / values.length;
}

/** Whether a word of the query states an action, including by synonyms. */
function actionsIn(terms: readonly Term[]): (action: Action) => boolean {
  const known = new Map<number, boolean>();
  return ({ stem, vector }) => {
    const isSaid =
      known.get(stem) ??
      terms.some(
        (term) =>
          term.stem === stem || (vector && term.vector && likeness(vector, term.vector) >= alikeEnough),
      );
    known.set(stem, isSaid);
    return isSaid;
  };
}

function learnedScore(entry: Entry, terms: readonly Term[]): number {
  if (entry.learned.size === 0) return 0;
  let sum = 0;
  for (const { stem, isTelling, rarity } of terms) {
    const found = entry.learned.get(stem);
    if (found !== undefined && isTelling) sum += rarity * saturate(found);
  }
  return learnedWeight * sum;
}
