import { fileURLToPath } from "node:url";
import { shipped } from "../workspace/shipped.ts";
import { readIfThere } from "../workspace/state-files.ts";

/** Numbers that tell where one stem stands among the others. */
export const kinSize = 32;
/** Words less alike than this have nothing to do with each other. */
const leastAlike = 0.55;
const mostKin = 24;

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
  readonly #stems: string[] = [];
  readonly #rows: number[] = [];
  readonly #found = new Map<string, readonly KinWord[]>();

  constructor(catalogue: Iterable<string>) {
    const { rows } = table();
    for (const stem of catalogue) {
      const row = rows.get(stem);
      if (row === undefined) continue;
      this.#stems.push(stem);
      this.#rows.push(row);
    }
  }

  /** Closest first. */
  of(stem: string): readonly KinWord[] {
    const known = this.#found.get(stem) ?? this.#search(stem);
    this.#found.set(stem, known);
    return known;
  }

  #search(stem: string): KinWord[] {
    const { rows, values, lengths } = table();
    const wanted = rows.get(stem);
    if (wanted === undefined) return [];
    const found: KinWord[] = [];
    const from = wanted * kinSize;
    for (let i = 0; i < this.#rows.length; i++) {
      const row = this.#rows[i] as number;
      const at = row * kinSize;
      let sum = 0;
      for (let k = 0; k < kinSize; k++) sum += (values[from + k] as number) * (values[at + k] as number);
      const alike = sum / ((lengths[wanted] as number) * (lengths[row] as number));
      if (alike >= leastAlike && row !== wanted)
        found.push({
          stem: this.#stems[i] as string,
          closeness: (alike - leastAlike) / (1 - leastAlike),
        });
    }
    return found.sort((a, b) => b.closeness - a.closeness || (a.stem < b.stem ? -1 : 1)).slice(0, mostKin);
  }
}

interface Table {
  rows: ReadonlyMap<string, number>;
  values: Int8Array;
  lengths: Float64Array;
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
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + end + 2, bytes.length - end - 2);
  const lengths = Float64Array.from({ length: values.length / kinSize }, (_, row) => {
    let sum = 0;
    for (let k = row * kinSize; k < (row + 1) * kinSize; k++) sum += (values[k] as number) ** 2;
    return Math.sqrt(sum) || 1;
  });
  return { rows: new Map(names.map((name, row) => [name, row])), values, lengths };
}
