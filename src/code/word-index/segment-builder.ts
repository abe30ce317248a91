import { gramsOf } from "./grams.ts";
import { PostingsBuilder } from "./postings.ts";
import { type Dictionary, declaredBit, type Grams } from "./segment.ts";
import { subTokens } from "./sub-tokens.ts";
import { enlarged, hashFactor, hashStart, secondFactor, TermTable } from "./term-table.ts";

/** After one of these, the next word is most likely declared there. */
const declaring = new Set(
  "func function def class interface struct enum trait type fn const let var val object module namespace union typedef macro_rules record protocol typealias defmodule package mod static".split(
    " ",
  ),
);

export const longestWord = 80;

/** What stands with each word in its table: how often it was met in the file being read … */
const countMask = (1 << 22) - 1;
/** … how many sub-tokens it has (eight bits from here on) … */
const partsShift = 22;
/** … whether it declares the next word, and whether it was declared in the file being read. */
const isDeclaring = 1 << 30;
const wasDeclared = 1 << 31;

/** The arrays of a segment, as they are kept and handed from thread to thread. */
export interface SegmentArrays {
  words: Dictionary;
  subTokens: Dictionary;
  grams: Grams;
}

/** Reads files once, byte by byte, and keeps which words and letter sequences stand where. */
export class SegmentBuilder {
  readonly #words: TermTable;
  readonly #wordLists = new PostingsBuilder();
  readonly #subTokens = new TermTable();
  readonly #subTokenLists = new PostingsBuilder();
  readonly #lengths: number[] = [];
  readonly #gramOffsets: number[] = [0];
  #grams = new Uint8Array(1 << 16);
  #gramsUsed = 0;
  /** Words whose sub-tokens are known already. */
  #known = 0;
  /** Slots of the words met in the file being read. */
  #met = new Uint32Array(1 << 12);

  constructor(expectedBytes = 0) {
    // Code has a new word about every three hundred bytes.
    this.#words = new TermTable(undefined, expectedBytes / 300);
  }

  /** The next file: its words, and what a search may find in it. Null where nobody knows. */
  add(words: Buffer | null, searchable: Uint8Array | null = words): void {
    if (searchable) this.#appendGrams(gramsOf(searchable));
    this.#gramOffsets.push(this.#gramsUsed);
    this.#lengths.push(words ? this.#finish(this.#lengths.length, this.#scan(words)) : 0);
  }

  #appendGrams(grams: Uint8Array): void {
    const end = this.#gramsUsed + grams.length;
    if (end > this.#grams.length)
      this.#grams = enlarged(this.#grams, Math.max(end, (this.#grams.length * 3) >> 1));
    this.#grams.set(grams, this.#gramsUsed);
    this.#gramsUsed = end;
  }

  /** Counts the words of one file; returns how many different ones it met. */
  #scan(bytes: Buffer): number {
    const words = this.#words;
    const length = bytes.length;
    let slots = words.slots;
    let met = 0;
    let declared = 0;
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
        declared = 0;
        continue;
      }
      const slot = words.slotFor(bytes, start, i, hash ^ (hash >>> 15), second);
      if (words.size !== this.#known) {
        if (words.slots !== slots) this.#follow(slots, met);
        slots = words.slots;
        slots[slot + 3] = this.#learn(bytes.toString("utf8", start, i));
      }
      const state = slots[slot + 3] as number;
      if ((state & countMask) === 0) {
        if (met === this.#met.length) this.#met = enlarged(this.#met, met * 2);
        this.#met[met++] = slot;
      }
      slots[slot + 3] = (state + 1) | declared;
      declared = (state & isDeclaring) << 1;
    }
    return met;
  }

  /** The table was made larger while a file is read: its words stand elsewhere now. */
  #follow(old: Int32Array, met: number): void {
    for (let i = 0; i < met; i++) {
      const slot = this.#met[i] as number;
      this.#met[i] = this.#words.slotOf(old[slot + 1] as number, old[slot + 2] as number);
    }
  }

  /** A new word: its sub-tokens lead to it. Returns what is kept with it. */
  #learn(text: string): number {
    const word = this.#known++;
    const parts = subTokens(text);
    for (const part of parts) this.#subTokenLists.add(this.#internText(part), word, 0);
    return (Math.min(255, parts.length) << partsShift) | (declaring.has(text) ? isDeclaring : 0);
  }

  #internText(text: string): number {
    let length = 0;
    let hash = hashStart;
    let second = 0;
    for (; length < text.length; length++) {
      const code = text.charCodeAt(length);
      if (code > 127) break;
      letters[length] = code;
    }
    if (length < text.length) length = letters.write(text);
    for (let i = 0; i < length; i++) {
      const byte = letters[i] as number;
      hash = Math.imul(hash ^ byte, hashFactor);
      second = Math.imul(second + byte, secondFactor);
    }
    return this.#subTokens.intern(letters, 0, length, hash ^ (hash >>> 15), second);
  }

  /** The file is read: its counts become entries of the lists. Returns its length in sub-tokens. */
  #finish(file: number, met: number): number {
    const { slots } = this.#words;
    let length = 0;
    for (let i = 0; i < met; i++) {
      const slot = this.#met[i] as number;
      const state = slots[slot + 3] as number;
      const often = state & countMask;
      this.#wordLists.add(
        (slots[slot] as number) - 1,
        file,
        (often < declaredBit ? often : declaredBit - 1) | ((state >>> 31) * declaredBit),
      );
      length += often * ((state >>> partsShift) & 255);
      slots[slot + 3] = state & ~(countMask | wasDeclared);
    }
    return length;
  }

  finish(): SegmentArrays {
    return {
      words: { table: this.#words, ...this.#wordLists.finish(this.#words.size) },
      subTokens: { table: this.#subTokens, ...this.#subTokenLists.finish(this.#subTokens.size) },
      grams: {
        offsets: Uint32Array.from(this.#gramOffsets),
        bytes: this.#grams.subarray(0, this.#gramsUsed),
        lengths: Uint32Array.from(this.#lengths),
      },
    };
  }
}

/** Space for one sub-token. */
const letters = Buffer.alloc(400);

export const digit = 2;

/** 0: no part of a word; 1: a letter; 2: a digit, which begins none. Every byte above ASCII counts as a letter. */
export const classes = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 128 || byte === 95 || byte === 36) return 1;
  if (byte >= 48 && byte <= 57) return digit;
  return (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122) ? 1 : 0;
});
