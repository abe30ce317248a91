import { wordSize, wordTable } from "./word-table.ts";

/** Words with a lower similarity count as unrelated. */
const leastAlike = 0.5;
const mostSynonyms = 12;

export interface Synonym {
  stem: string;
  /** From just alike enough (0) to the same (1). */
  closeness: number;
}

/** Which stems of a catalogue have a meaning similar to a given one: "cuisine" is close to "restaurant". */
export class Synonyms {
  readonly #stems: string[];
  /** Theirs, one after the other. */
  readonly #vectors: Float32Array;
  readonly #found = new Map<string, readonly Synonym[]>();

  constructor(catalogue: Iterable<string>) {
    const table = wordTable();
    this.#stems = [...catalogue].filter((stem) => table.vectorOf(stem));
    this.#vectors = new Float32Array(this.#stems.length * wordSize);
    for (const [at, stem] of this.#stems.entries())
      this.#vectors.set(table.vectorOf(stem) ?? [], at * wordSize);
  }

  /** Closest first. */
  of(stem: string): readonly Synonym[] {
    const known = this.#found.get(stem) ?? this.#search(stem);
    this.#found.set(stem, known);
    return known;
  }

  #search(stem: string): Synonym[] {
    const wanted = wordTable().vectorOf(stem);
    if (!wanted) return [];
    const all = this.#vectors;
    const found: Synonym[] = [];
    for (let from = 0; from < all.length; from += wordSize) {
      let alike = 0;
      for (let k = 0; k < wordSize; k++) alike += (wanted[k] as number) * (all[from + k] as number);
      const other = this.#stems[from / wordSize] as string;
      if (alike >= leastAlike && other !== stem)
        found.push({ stem: other, closeness: (alike - leastAlike) / (1 - leastAlike) });
    }
    return found
      .sort((a, b) => b.closeness - a.closeness || (a.stem < b.stem ? -1 : 1))
      .slice(0, mostSynonyms);
  }
}
