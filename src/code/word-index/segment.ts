import { mayHold } from "./grams.ts";
import { readPostings } from "./postings.ts";
import type { TermTable } from "./term-table.ts";

/** One file of the index, as it was when it was read. */
export interface IndexedFile {
  path: string;
  size: number;
  /** Of the content; empty when the file was too large or binary and only its name is known. */
  hash: string;
  /** Name of its language, empty when it has none that is parsed. */
  language: string;
}

/** The files of a segment, by number. */
export interface FileList extends Iterable<IndexedFile> {
  readonly length: number;
  /** How many are in a language that is parsed. */
  readonly codeFiles: number;
  at(number: number): IndexedFile | undefined;
  /** -1 when it is not here. */
  numberOf(path: string): number;
  /** Numbers of those with this content. */
  withHash(hash: string): readonly number[];
}

/** Terms, each with a list of numbers. */
export interface Dictionary {
  table: TermTable;
  offsets: Uint32Array;
  lists: Uint8Array;
}

/** What a segment is made of besides its files; each part may be loaded when it is first asked for. */
export interface SegmentParts {
  /** Word → files. */
  words(): Dictionary;
  /** Sub-token → words. */
  subTokens(): Dictionary;
  grams(): Grams;
}

export interface Grams {
  /** The set of file i is `bytes[offsets[i]..offsets[i + 1])`. */
  offsets: Uint32Array;
  bytes: Uint8Array;
  /** Sub-tokens of each file, for the ranking's length norm. */
  lengths: Uint32Array;
}

/** Files that were read by this very process. */
export class ReadFiles implements FileList {
  readonly #files: readonly IndexedFile[];
  #byPath: Map<string, number> | undefined;
  #byHash: Map<string, number[]> | undefined;

  constructor(files: readonly IndexedFile[]) {
    this.#files = files;
  }

  get length(): number {
    return this.#files.length;
  }

  get codeFiles(): number {
    return this.#files.filter(({ language }) => language !== "").length;
  }

  at(number: number): IndexedFile | undefined {
    return this.#files[number];
  }

  numberOf(path: string): number {
    this.#byPath ??= new Map(this.#files.map((file, number) => [file.path, number]));
    return this.#byPath.get(path) ?? -1;
  }

  withHash(hash: string): readonly number[] {
    if (!this.#byHash) {
      this.#byHash = new Map();
      for (const [number, file] of this.#files.entries())
        if (!this.#byHash.get(file.hash)?.push(number)) this.#byHash.set(file.hash, [number]);
    }
    return this.#byHash.get(hash) ?? [];
  }

  [Symbol.iterator](): Iterator<IndexedFile> {
    return this.#files[Symbol.iterator]();
  }
}

/** The payload of a word's entry: how often it stands there, and whether it once followed a declaring keyword. */
export const declaredBit = 128;

/** An immutable index of some files. Files are numbered by their place in `files`. */
export class Segment {
  readonly files: FileList;
  readonly parts: SegmentParts;

  constructor(files: FileList, parts: SegmentParts) {
    this.files = files;
    this.parts = parts;
  }

  /** Files that hold exactly this word. */
  eachWithWord(word: string, visit: (file: number, payload: number) => void): void {
    const words = this.parts.words();
    visitTerm(words, words.table.find(word), visit);
  }

  /** Files that hold a word with this sub-token; one that holds several such words comes several times. */
  eachWithSubToken(token: string, visit: (file: number, count: number) => void): void {
    const words = this.parts.words();
    const subTokens = this.parts.subTokens();
    visitTerm(subTokens, subTokens.table.find(token), (word) => {
      visitTerm(words, word, (file, payload) => visit(file, payload & (declaredBit - 1)));
    });
  }

  length(file: number): number {
    return this.parts.grams().lengths[file] ?? 0;
  }

  /** Whether a file may hold the literal (in lower case). A file that was not read may hold anything. */
  mayHold(file: number, literal: Uint8Array): boolean {
    const { offsets, bytes } = this.parts.grams();
    const start = offsets[file] ?? 0;
    const end = offsets[file + 1] ?? 0;
    return start === end || mayHold(bytes, start, end, literal);
  }
}

function visitTerm(
  { offsets, lists }: Dictionary,
  term: number,
  visit: (number: number, payload: number) => void,
): void {
  if (term >= 0) readPostings(lists, offsets[term] as number, offsets[term + 1] as number, visit);
}
