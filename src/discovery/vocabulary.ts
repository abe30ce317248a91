import { kindsTakenBy, type ValueKind } from "./values.ts";
import { wordTable } from "./word-table.ts";

/** The stems of a catalogue as numbers, which are faster to compare than strings. It only grows. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  readonly #stems: string[] = [];
  /** Null for a stem that the table does not have. */
  readonly #vectors: (Float32Array | null)[] = [];
  readonly #taken: (readonly ValueKind[] | undefined)[] = [];

  get size(): number {
    return this.#stems.length;
  }

  find(stem: string): number | undefined {
    return this.#numbers.get(stem);
  }

  /** Makes one for a stem that is new. */
  numberOf(stem: string): number {
    const known = this.#numbers.get(stem);
    if (known !== undefined) return known;
    this.#numbers.set(stem, this.#stems.length);
    return this.#stems.push(stem) - 1;
  }

  stemOf(number: number): string {
    return this.#stems[number] ?? "";
  }

  vectorOf(number: number): Float32Array | undefined {
    const known = this.#vectors[number] ?? wordTable().vectorOf(this.stemOf(number)) ?? null;
    this.#vectors[number] = known;
    return known ?? undefined;
  }

  /** What an argument with this stem in its name takes. */
  valuesFor(number: number): readonly ValueKind[] {
    const known = this.#taken[number] ?? kindsTakenBy(this.stemOf(number));
    this.#taken[number] = known;
    return known;
  }
}
