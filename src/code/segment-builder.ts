import { gramsOf } from "./grams.ts";
import { PostingsBuilder } from "./postings.ts";
import { declaredBit, type IndexedFile, Segment, type SegmentParts } from "./segment.ts";
import { subTokens } from "./sub-tokens.ts";
import { enlarged, hashesOf, hashFactor, hashStart, secondFactor, TermTable } from "./term-table.ts";

/** After one of these, the next word is most likely declared there. */
const declaring = new Set(
  "func function def class interface struct enum trait type fn const let var val object module namespace union typedef macro_rules record protocol typealias defmodule package mod static".split(
    " ",
  ),
);

export const longestWord = 80;

/** Reads files once, byte by byte, and keeps which words and letter sequences stand where. */
export class SegmentBuilder {
  readonly #files: IndexedFile[] = [];
  readonly #words = new TermTable();
  readonly #wordLists = new PostingsBuilder();
  readonly #subTokens = new TermTable();
  readonly #subTokenLists = new PostingsBuilder();
  readonly #lengths: number[] = [];
  readonly #grams: Uint8Array[] = [];

  // Of each word: whether it declares the next one, and how many sub-tokens it has.
  #declaring = new Uint8Array(1 << 10);
  #parts = new Uint8Array(1 << 10);
  // Of the file being read: how often each word was met (with the declared bit above), and which were met at all.
  #counts = new Uint32Array(1 << 10);
  #met = new Uint32Array(1 << 10);

  /** `bytes` is null for a file of which only the name is known. */
  add(file: IndexedFile, bytes: Uint8Array | null): void {
    const number = this.#files.push(file) - 1;
    this.#grams.push(bytes ? gramsOf(bytes) : new Uint8Array(0));
    this.#lengths.push(bytes ? this.#settle(number, this.#scan(bytes)) : 0);
  }

  /** Counts the words of one file; returns how many different ones it met. */
  #scan(bytes: Uint8Array): number {
    const words = this.#words;
    const length = bytes.length;
    let counts = this.#counts;
    let met = 0;
    let afterDeclaring = 0;
    for (let i = 0; i < length; ) {
      const class_ = classes[bytes[i] as number] as number;
      if (class_ === 0) {
        i++;
        continue;
      }
      const start = i;
      let hash = hashStart;
      let second = 0;
      do {
        const byte = bytes[i] as number;
        hash = Math.imul(hash ^ byte, hashFactor);
        second = Math.imul(second + byte, secondFactor);
        i++;
      } while (i < length && classes[bytes[i] as number] !== 0);
      if (class_ === digit || i - start > longestWord) {
        afterDeclaring = 0;
        continue;
      }
      const word = words.intern(bytes, start, i, hash ^ (hash >>> 15), second);
      if (word === this.#known) {
        this.#learn(word);
        counts = this.#counts;
      }
      const count = counts[word] as number;
      if (count === 0) this.#met[met++] = word;
      counts[word] = (count + 1) | afterDeclaring;
      afterDeclaring = (this.#declaring[word] as number) << 31;
    }
    return met;
  }

  /** Words whose sub-tokens are known already. */
  #known = 0;

  #learn(word: number): void {
    this.#known++;
    if (this.#known > this.#counts.length) {
      const size = this.#counts.length * 2;
      this.#counts = enlarged(this.#counts, new Uint32Array(size));
      this.#met = enlarged(this.#met, new Uint32Array(size));
      this.#declaring = enlarged(this.#declaring, new Uint8Array(size));
      this.#parts = enlarged(this.#parts, new Uint8Array(size));
    }
    const text = this.#words.text(word);
    const parts = subTokens(text);
    this.#declaring[word] = declaring.has(text) ? 1 : 0;
    this.#parts[word] = Math.min(255, parts.length);
    for (const part of parts) {
      const bytes = Buffer.from(part);
      this.#subTokenLists.add(this.#subTokens.intern(bytes, 0, bytes.length, ...hashesOf(bytes)), word, 0);
    }
  }

  /** The file is read: its counts become entries of the lists. Returns its length in sub-tokens. */
  #settle(file: number, met: number): number {
    let length = 0;
    for (let i = 0; i < met; i++) {
      const word = this.#met[i] as number;
      const count = this.#counts[word] as number;
      const often = count & 0x7fffffff;
      this.#wordLists.add(
        word,
        file,
        (often < declaredBit ? often : declaredBit - 1) | ((count >>> 31) * declaredBit),
      );
      length += often * (this.#parts[word] as number);
      this.#counts[word] = 0;
    }
    return length;
  }

  finish(): SegmentParts {
    const words = { table: this.#words, ...this.#wordLists.finish(this.#words.size) };
    const subTokens = { table: this.#subTokens, ...this.#subTokenLists.finish(this.#subTokens.size) };
    const lengths = Uint32Array.from(this.#lengths);
    const offsets = new Uint32Array(this.#grams.length + 1);
    this.#grams.forEach((grams, i) => {
      offsets[i + 1] = (offsets[i] as number) + grams.length;
    });
    const bytes = Buffer.concat(this.#grams);
    return {
      files: this.#files,
      words: () => words,
      subTokens: () => subTokens,
      lengths: () => lengths,
      grams: () => ({ offsets, bytes }),
    };
  }
}

/** A segment of one file. */
export function segmentOf(file: IndexedFile, bytes: Uint8Array | null): Segment {
  const builder = new SegmentBuilder();
  builder.add(file, bytes);
  return new Segment(builder.finish());
}

export const digit = 2;

/** 0: no part of a word; 1: a letter; 2: a digit, which begins none. Every byte above ASCII counts as a letter. */
export const classes = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 128 || byte === 95 || byte === 36) return 1;
  if (byte >= 48 && byte <= 57) return digit;
  return (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122) ? 1 : 0;
});
