import { fileURLToPath } from "node:url";
import { shipped } from "../workspace/shipped.ts";
import { readIfThere } from "../workspace/state-files.ts";

/** The number of dimensions of a stem's vector. */
export const wordSize = 48;

/**
 * General knowledge about English words: which are used alike, and which are common. A fixed lookup table, built by
 * `scripts/word-table.ts`; unknown words have no entry.
 */
export interface WordTable {
  /** Normalised to length 1. */
  vectorOf(stem: string): Float32Array | undefined;
  /** 0 for the most common stem; one that is not in the table is rarer than all of them. */
  rankOf(stem: string): number;
}

let loaded: WordTable | undefined;

/** Read when a search first needs it. */
export function wordTable(): WordTable {
  loaded ??= unpackTable(
    readIfThere(fileURLToPath(shipped("discovery/word-table.bin", "word-table.bin"))) ?? packTable(new Map()),
  );
  return loaded;
}

/** The stems, most common first, one a line, an empty line, then `wordSize` signed bytes for each. */
export function packTable(stems: ReadonlyMap<string, Float64Array>): Buffer {
  const rows = [...stems.values()].map((vector) => {
    const most = Math.max(...vector.map(Math.abs)) || 1;
    return Buffer.from(Int8Array.from(vector, (value) => Math.round((127 * value) / most)).buffer);
  });
  return Buffer.concat([Buffer.from(`${[...stems.keys()].join("\n")}\n\n`), ...rows]);
}

export function unpackTable(bytes: Buffer): WordTable {
  const end = bytes.indexOf("\n\n");
  const names = bytes.toString("latin1", 0, end).split("\n");
  const rows = new Map(names.map((name, row) => [name, row]));
  const packed = new Int8Array(bytes.buffer, bytes.byteOffset + end + 2, bytes.length - end - 2);
  const vectors = new Float32Array(packed);
  for (let from = 0; from < vectors.length; from += wordSize)
    normalize(vectors.subarray(from, from + wordSize));
  return {
    vectorOf: (stem) => {
      const row = rows.get(stem);
      return row === undefined ? undefined : vectors.subarray(row * wordSize, (row + 1) * wordSize);
    },
    rankOf: (stem) => rows.get(stem) ?? rows.size,
  };
}

/** The normalised sum of the words' vectors; all zero if none is known. */
export class Meaning {
  readonly #sum = new Float32Array(wordSize);

  add(vector: Float32Array | undefined, weight: number): void {
    if (!vector) return;
    const sum = this.#sum;
    for (let k = 0; k < wordSize; k++) sum[k] = (sum[k] as number) + weight * (vector[k] as number);
  }

  direction(): Float32Array {
    return normalize(this.#sum);
  }
}

/** Cosine similarity: 0 for nothing in common, 1 for the same; opposite vectors are negative. */
export function likeness(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let k = 0; k < wordSize; k++) sum += (a[k] as number) * (b[k] as number);
  return sum;
}

function normalize(vector: Float32Array): Float32Array {
  const scale = 1 / (Math.sqrt(likeness(vector, vector)) || 1);
  for (let k = 0; k < vector.length; k++) vector[k] = (vector[k] as number) * scale;
  return vector;
}
