import { asksToCreate, isCreatingVerb } from "./action-verbs.ts";
import { type Entry, entryOf, saturate } from "./entry.ts";
import { type Catalogue, type Query, rank, type Term } from "./rank.ts";
import { Synonyms } from "./synonyms.ts";
import type { ToolDocument } from "./tool-document.ts";
import { featuresOf, type ToolFeatures } from "./tool-features.ts";
import { quotedIn, valuesIn } from "./values.ts";
import { Vocabulary } from "./vocabulary.ts";
import { wordTable } from "./word-table.ts";
import { type Word, wordsOf } from "./words.ts";

const candidateCount = 64;
/** The weight of the argument that usually takes a value, relative to a word in the query. */
const hintWeight = 0.43;
const quotedWeight = 0.7;
/** The weight of a synonym relative to the word itself: from barely similar to nearly identical. */
const synonymWeight = { least: 0.21, most: 0.81 };
/** The maximum rarity of a word that no tool has, however rare its synonyms. */
const synonymRarity = 6;
/** The most common English words count little, even if few tools have them; from this rank on, a word counts fully. */
const commonWord = { weight: 0.26, untilRank: 2_100 };

/**
 * Finds tools by what they can do: lexical, in memory, updated tool by tool. An inverted index gathers candidates by stem;
 * `rank` then scores those few precisely from their own words.
 *
 * Lengths are compared with typical lengths, not with the average of the catalogue: a tool's weights do not depend on
 * other tools, so adding one changes nothing else and the order does not matter.
 */
export class ToolIndex {
  /** The number of requests that are kept for each tool. */
  static readonly usesKept = 20;

  readonly #byName = new Map<string, Entry>();
  /** By number; the number of a removed tool is reused. */
  readonly #entries: (Entry | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #vocabulary = new Vocabulary();
  /** By the number of the stem. */
  readonly #postings: (Posting | undefined)[] = [];
  #scores = new Float64Array(1024);
  /** For `Query.places`; all 0 between searches. */
  #places = new Int32Array(1024);
  /** Tools with recorded uses. */
  #taught = 0;
  /** Of the stems that tools have; made anew when they changed and a word needs it. */
  #synonyms: Synonyms | undefined;
  /** By number; made anew when the catalogue changed and a tool is a candidate. */
  readonly #features = new Map<number, ToolFeatures>();

  get size(): number {
    return this.#byName.size;
  }

  add(document: ToolDocument): void {
    this.remove(document.name);
    this.#features.clear();
    const number = this.#free.pop() ?? this.#entries.length;
    const entry = entryOf(document, number, this.#vocabulary);
    this.#byName.set(document.name, entry);
    this.#entries[number] = entry;
    if (entry.learned.size > 0) this.#taught++;
    if (number >= this.#scores.length) this.#scores = new Float64Array(this.#scores.length * 2);
    for (const stem of stemsOf(entry)) {
      const own = entry.weights.get(stem) ?? 0;
      let posting = this.#postings[stem];
      if (!posting) {
        posting = { numbers: [], values: [], ownValues: [], own: 0 };
        this.#postings[stem] = posting;
        this.#synonyms = undefined;
      }
      posting.numbers.push(number);
      posting.values.push(saturate(own + (entry.learned.get(stem) ?? 0)));
      posting.ownValues.push(saturate(own));
      if (entry.weights.has(stem)) posting.own++;
    }
  }

  remove(name: string): void {
    const entry = this.#byName.get(name);
    if (!entry) return;
    this.#byName.delete(name);
    this.#features.clear();
    this.#entries[entry.number] = undefined;
    this.#free.push(entry.number);
    if (entry.learned.size > 0) this.#taught--;
    for (const stem of stemsOf(entry)) {
      const posting = this.#postings[stem];
      if (!posting) continue;
      const at = posting.numbers.indexOf(entry.number);
      posting.numbers.splice(at, 1);
      posting.values.splice(at, 1);
      posting.ownValues.splice(at, 1);
      if (entry.weights.has(stem)) posting.own--;
      if (posting.numbers.length > 0) continue;
      this.#postings[stem] = undefined;
      this.#synonyms = undefined;
    }
  }

  /**
   * Names, best first; an exact name before all. `accepts` leaves tools out before they are ranked, `least` those that are
   * worth less than this share of the best one.
   */
  search(
    query: string,
    limit: number,
    accepts: (name: string) => boolean = () => true,
    least = Number.NEGATIVE_INFINITY,
  ): string[] {
    const sentences = sentencesOf(query);
    const find = (taught: boolean, most: number) => {
      const asked = this.#queryOf(query, sentences, taught);
      const candidates = this.#gather(asked.terms, accepts, taught);
      const ranked = rank(candidates, asked, { limit: most, taught, least, catalogue: this.#catalogue });
      for (const { stem } of asked.terms) if (stem >= 0) this.#places[stem] = 0;
      return ranked;
    };
    const exact = query.trim();
    const first = this.#byName.has(exact) && accepts(exact) ? [exact] : [];
    const ranked = this.#taught === 0 ? find(false, limit) : besides(find(true, limit), find(false, 1)[0]);
    return [...new Set([...first, ...ranked])].slice(0, limit);
  }

  readonly #catalogue: Catalogue = {
    highestRarity: () => this.#rarity(1),
    features: (entry) => {
      const known = this.#features.get(entry.number);
      if (known) return known;
      const features = featuresOf(entry, this.#vocabulary, (stem) =>
        this.#rarity(this.#postings[stem]?.own ?? 0),
      );
      this.#features.set(entry.number, features);
      return features;
    },
  };

  #queryOf(text: string, sentences: readonly (readonly Word[])[], taught: boolean): Query {
    if (this.#places.length < this.#vocabulary.size) this.#places = new Int32Array(this.#vocabulary.size * 2);
    const terms: Term[] = [];
    const placeOf = new Map<string, number>();
    const add = (stem: string, weight: number): Term => {
      const number = this.#vocabulary.find(stem);
      const { own = 0, numbers = [] } = (number !== undefined && this.#postings[number]) || {};
      const term: Term = {
        stem: number ?? -1 - terms.length,
        vector: number === undefined ? wordTable().vectorOf(stem) : this.#vocabulary.vectorOf(number),
        weight,
        isTelling: false,
        rarity: this.#rarity(taught ? numbers.length : own),
        surfaces: [],
        synonyms: [],
      };
      placeOf.set(stem, terms.length);
      terms.push(term);
      if (number !== undefined) this.#places[number] = terms.length;
      return term;
    };
    const quoted = quotedIn(text);
    for (const { stem, surface, weight } of sentences.flat()) {
      const inGeneral = weight * weightInEnglish(stem) * (quoted.has(stem) ? quotedWeight : 1);
      const term = terms[placeOf.get(stem) ?? -1] ?? add(stem, inGeneral);
      term.weight = Math.max(term.weight, inGeneral);
      term.isTelling ||= weight === 1;
      term.surfaces.push(surface);
    }
    const values = valuesIn(text);
    for (const [usual] of values.map(({ takers }) => takers))
      if (usual !== undefined && !placeOf.has(usual)) add(usual, hintWeight);
    for (const [stem, place] of placeOf) {
      const term = terms[place];
      if (term?.rarity === 0 && term.isTelling) term.synonyms = this.#synonymsOf(stem);
    }
    return {
      terms,
      places: this.#places,
      asksToCreate: sentences.length === 1 && asksToCreate(sentences[0] ?? []),
      values,
      sentences: sentences.map((words) =>
        words.map(({ stem, weight }) => ({ place: placeOf.get(stem) ?? 0, weight })),
      ),
    };
  }

  /** Synonyms for a word that no tool has, except words that are already in the query. */
  #synonymsOf(stem: string): Term["synonyms"] {
    this.#synonyms ??= new Synonyms(
      this.#postings.flatMap((posting, number) => (posting ? [this.#vocabulary.stemOf(number)] : [])),
    );
    // "Write" is near "read", which is not what it stands for.
    const isMeant = isCreatingVerb(stem) ? isCreatingVerb : () => true;
    return this.#synonyms.of(stem).flatMap((synonyms) => {
      if (!isMeant(synonyms.stem)) return [];
      const number = this.#vocabulary.find(synonyms.stem);
      if (number === undefined || this.#places[number] !== 0) return [];
      const worth = synonymWeight.least + (synonymWeight.most - synonymWeight.least) * synonyms.closeness;
      const rarity = this.#rarity(this.#postings[number]?.own ?? 0);
      return [{ stem: number, worth: worth * Math.min(synonymRarity, rarity) }];
    });
  }

  #rarity(count: number): number {
    return count === 0 ? 0 : Math.log(1 + (this.size - count + 0.5) / (count + 0.5));
  }

  #gather(terms: readonly Term[], accepts: (name: string) => boolean, taught: boolean): Entry[] {
    const scores = this.#scores;
    const touched: number[] = [];
    const count = (stem: number, worth: number) => {
      const posting = this.#postings[stem];
      if (!posting || worth === 0) return;
      const { numbers } = posting;
      const values = taught ? posting.values : posting.ownValues;
      for (let i = 0; i < numbers.length; i++) {
        if (values[i] === 0) continue;
        const number = numbers[i] as number;
        const before = scores[number] as number;
        if (before === 0) touched.push(number);
        scores[number] = before + worth * (values[i] as number);
      }
    };
    for (const { stem, weight, rarity, synonyms } of terms) {
      count(stem, weight * rarity);
      for (const { stem, worth } of synonyms) count(stem, worth);
    }
    const best: { entry: Entry; score: number }[] = [];
    let least = 0;
    for (const number of touched) {
      const score = scores[number] as number;
      scores[number] = 0;
      if (best.length === candidateCount && score < least) continue;
      const entry = this.#entries[number];
      if (!entry || !accepts(entry.name)) continue;
      let at = best.length;
      while (at > 0 && isBetter(entry, score, best[at - 1])) at--;
      best.splice(at, 0, { entry, score });
      if (best.length > candidateCount) best.pop();
      least = best.at(-1)?.score ?? 0;
    }
    return best.map(({ entry }) => entry);
  }
}

function weightInEnglish(stem: string): number {
  const { weight, untilRank } = commonWord;
  const rank = wordTable().rankOf(stem);
  return weight + (1 - weight) * Math.min(1, Math.log1p(rank) / Math.log1p(untilRank));
}

/** Recorded uses may raise a tool, but the best match by words alone is always among the first two. */
function besides(ranked: readonly string[], best: string | undefined): string[] {
  if (best === undefined || ranked.slice(0, 2).includes(best)) return [...ranked];
  const [first = best, ...rest] = ranked.filter((name) => name !== best);
  return [...new Set([first, best, ...rest])];
}

interface Posting {
  numbers: number[];
  /** With and without recorded uses. */
  values: number[];
  ownValues: number[];
  /** How many of them have the stem in their own words. */
  own: number;
}

function stemsOf({ weights, learned }: Entry): Iterable<number> {
  return learned.size === 0 ? weights.keys() : new Set([...weights.keys(), ...learned.keys()]);
}

/** A request may name several capabilities, usually one per sentence. */
function sentencesOf(query: string): Word[][] {
  return query
    .split(/(?<=[.!?;])\s+|\n/)
    .map(wordsOf)
    .filter((words) => words.length > 0);
}

function isBetter(entry: Entry, score: number, other: { entry: Entry; score: number } | undefined): boolean {
  return (
    other !== undefined && (score > other.score || (score === other.score && entry.name < other.entry.name))
  );
}
