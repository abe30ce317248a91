import { subTokens } from "./sub-tokens.ts";
import { TermTable } from "./term-table.ts";

/** Numbers for sub-tokens, and which of them each word is made of: a word is split once, however often it is met. */
export class Vocabulary {
  readonly #words = new TermTable();
  readonly #numbers = new Map<string, number>();
  /** Of each word, the numbers of its parts. */
  readonly #parts: number[][] = [];

  /** How many words it has met. */
  get size(): number {
    return this.#parts.length;
  }

  numberOf(subToken: string): number {
    const number = this.#numbers.get(subToken) ?? this.#numbers.size;
    this.#numbers.set(subToken, number);
    return number;
  }

  partsOf(name: string): number[] {
    return subTokens(name).map((part) => this.numberOf(part));
  }

  /** The parts of the word `bytes[start..end)`, given its hashes. */
  partsAt(bytes: Uint8Array, start: number, end: number, hash: number, second: number): number[] {
    const word = this.#words.intern(bytes, start, end, hash, second);
    const known = this.#parts[word];
    if (known) return known;
    const parts = this.partsOf(this.#words.text(word));
    this.#parts[word] = parts;
    return parts;
  }
}
