import { fileURLToPath } from "node:url";
import { shipped } from "../workspace/shipped.ts";
import { readIfThere } from "../workspace/state-files.ts";

/** Numbers that tell where one stem stands among the others. */
export const kinSize = 32;
/** Words less alike than this have nothing to do with each other. */
const leastAlike = 0.55;
const mostKin = 12;

export interface KinWord {
  stem: string;
  /** From just alike enough (0) to the same (1). */
  closeness: number;
}

/**
 * Which stems of a catalogue mean something like a given one, by how words are used in general English: "cuisine" is near
 * "restaurant". A fixed table and plain arithmetic (`scripts/kin-words.ts` made it); what the table does not have has no kin.
 */
export class Kin {
  readonly #stems: string[];
  /** Theirs, one after the other. */
  readonly #vectors: Float32Array;
  readonly #found = new Map<string, readonly KinWord[]>();

  constructor(catalogue: Iterable<string>) {
    const { rows, vectors } = table();
    this.#stems = [...catalogue].filter((stem) => rows.has(stem));
    this.#vectors = new Float32Array(this.#stems.length * kinSize);
    for (const [at, stem] of this.#stems.entries())
      this.#vectors.set(vectorAt(vectors, rows.get(stem) ?? 0), at * kinSize);
  }

  /** Closest first. */
  of(stem: string): readonly KinWord[] {
    const known = this.#found.get(stem) ?? this.#search(stem);
    this.#found.set(stem, known);
    return known;
  }

  #search(stem: string): KinWord[] {
    const { rows, vectors } = table();
    const row = rows.get(stem);
    if (row === undefined) return [];
    const wanted = vectorAt(vectors, row);
    const all = this.#vectors;
    const found: KinWord[] = [];
    for (let from = 0; from < all.length; from += kinSize) {
      let alike = 0;
      for (let k = 0; k < kinSize; k++) alike += (wanted[k] as number) * (all[from + k] as number);
      const other = this.#stems[from / kinSize] as string;
      if (alike >= leastAlike && other !== stem)
        found.push({ stem: other, closeness: (alike - leastAlike) / (1 - leastAlike) });
    }
    return found.sort((a, b) => b.closeness - a.closeness || (a.stem < b.stem ? -1 : 1)).slice(0, mostKin);
  }
}

interface Table {
  rows: ReadonlyMap<string, number>;
  /** Of length 1 each. */
  vectors: Float32Array;
}

function vectorAt(vectors: Float32Array, row: number): Float32Array {
  return vectors.subarray(row * kinSize, (row + 1) * kinSize);
}

let loaded: Table | undefined;

/** Read when a word first needs it. */
function table(): Table {
  loaded ??= unpack(
    readIfThere(fileURLToPath(shipped("discovery/kin-words.bin", "kin-words.bin"))) ?? packKin(new Map()),
  );
  return loaded;
}

/** The stems, one a line, an empty line, then `kinSize` signed bytes for each. */
export function packKin(stems: ReadonlyMap<string, Float64Array>): Buffer {
  const rows = [...stems.values()].map((vector) => {
    const most = Math.max(...vector.map(Math.abs)) || 1;
    return Buffer.from(Int8Array.from(vector, (value) => Math.round((127 * value) / most)).buffer);
  });
  return Buffer.concat([Buffer.from(`${[...stems.keys()].join("\n")}\n\n`), ...rows]);
}

function unpack(bytes: Buffer): Table {
  const end = bytes.indexOf("\n\n");
  const names = bytes.toString("latin1", 0, end).split("\n");
  const packed = new Int8Array(bytes.buffer, bytes.byteOffset + end + 2, bytes.length - end - 2);
  const vectors = new Float32Array(packed);
  for (let from = 0; from < vectors.length; from += kinSize) {
    let squares = 0;
    for (let at = from; at < from + kinSize; at++) squares += (vectors[at] as number) ** 2;
    const scale = 1 / (Math.sqrt(squares) || 1);
    for (let at = from; at < from + kinSize; at++) vectors[at] = (vectors[at] as number) * scale;
  }
  return { rows: new Map(names.map((name, row) => [name, row])), vectors };
}
