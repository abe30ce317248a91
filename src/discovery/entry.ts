import { providerOf, type ToolDocument } from "./tool-document.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { wordsOf } from "./words.ts";

/** One tool prepared for scoring: its words by field, stems as numbers. */
export interface Entry {
  number: number;
  name: string;
  provider: string;
  fields: readonly EntryField[];
  /** Sum over the tool's own fields by stem. */
  weights: ReadonlyMap<number, number>;
  /** The same of the requests that led to it. */
  learned: ReadonlyMap<number, number>;
}

export interface EntryField {
  stems: Int32Array;
  surfaces: readonly string[];
  /** The weight of one word in this field, adjusted for the field's length. */
  weight: number;
  /** Whether adjacent words count extra here. */
  phrases: boolean;
  says: FieldRule["says"];
}

interface FieldRule {
  /** The weight of a word by its field. */
  weight: number;
  /** How strongly a long field is penalised (0 to 1), relative to a typical length. */
  lengthWeight: number;
  usualLength: number;
  phrases?: boolean;
  /** What a request with these words refers to. */
  says?: "its name" | "what it does" | "what it asks for" | "how it asks";
  text(document: ToolDocument): string;
}

/** One set of numbers for every catalogue, set on the odd lines of `bench/discovery.ts`. */
const rules: readonly FieldRule[] = [
  {
    weight: 3,
    lengthWeight: 0.75,
    usualLength: 4,
    phrases: true,
    says: "its name",
    text: (d) => d.name,
  },
  {
    weight: 1,
    lengthWeight: 0.5,
    usualLength: 12,
    phrases: true,
    says: "what it does",
    text: (d) => (d.title === undefined ? d.description : `${d.title}. ${d.description}`),
  },
  { weight: 0.4, lengthWeight: 0.2, usualLength: 2, text: (d) => d.category ?? "" },
  {
    weight: 1,
    lengthWeight: 0.75,
    usualLength: 3.5,
    says: "what it asks for",
    text: (d) => Object.keys(d.parameters ?? {}).join(" "),
  },
  {
    weight: 0.5,
    lengthWeight: 0.6,
    usualLength: 18,
    says: "how it asks",
    text: (d) => Object.values(d.parameters ?? {}).join(" "),
  },
  { weight: 0.5, lengthWeight: 0.5, usualLength: 10, text: (d) => (d.hints ?? []).join(" ") },
];

export function entryOf(document: ToolDocument, number: number, vocabulary: Vocabulary): Entry {
  const weights = new Map<number, number>();
  const fields: EntryField[] = [];
  for (const { weight, lengthWeight, usualLength, phrases = false, says, text } of rules) {
    const words = wordsOf(text(document));
    if (words.length === 0) continue;
    const each = weight / (1 - lengthWeight + (lengthWeight * words.length) / usualLength);
    const stems = Int32Array.from(words, ({ stem }) => vocabulary.numberOf(stem));
    for (const stem of stems) weights.set(stem, (weights.get(stem) ?? 0) + each);
    fields.push({
      stems,
      surfaces: words.map((word) => word.surface),
      weight: each,
      phrases,
      says,
    });
  }
  const { name, uses = [] } = document;
  return {
    number,
    name,
    provider: providerOf(name),
    fields,
    weights,
    learned: learnedFrom(uses, vocabulary),
  };
}

/** A word counts by the share of requests that contain it: frequent use alone gives a tool no advantage. */
function learnedFrom(uses: readonly string[], vocabulary: Vocabulary): Map<number, number> {
  const learned = new Map<number, number>();
  for (const use of uses) {
    const telling = wordsOf(use).flatMap(({ stem, weight }) => (weight === 1 ? [stem] : []));
    for (const stem of new Set(telling.map((each) => vocabulary.numberOf(each))))
      learned.set(stem, (learned.get(stem) ?? 0) + 1 / Math.sqrt(uses.length));
  }
  return learned;
}

/** Each further mention counts less than the first. */
export function saturate(weight: number): number {
  return weight / (1.2 + weight);
}
