import { declaredBit, type IndexedFile, type Segment } from "./segment.ts";
import { wordOf } from "./word-of.ts";

/** Files by number; undefined where a newer state of the file has another. */
export interface NumberedFiles {
  files: readonly (IndexedFile | undefined)[];
  /** In sub-tokens, and of an average file. */
  lengths: Uint32Array;
  average: number;
}

/** Numbers of files, and how often each holds what was asked for. */
export interface WordHolders {
  numbers: readonly number[];
  counts: readonly number[];
}

/** The segments of an index, and what can be asked of them: of each file, only its newest state is alive. */
export class LiveSegments {
  #segments: Segment[] = [];
  /** How many of them, the first, were made when all was read. */
  #whole = 0;
  /** Files of a segment that are gone, or that a later one has as they are now. */
  readonly #dead = new Map<Segment, Set<number>>();
  #numbered: NumberedFiles | undefined;

  /** What was made when all was read, each file once, takes the place of everything. */
  replace(segments: readonly Segment[]): void {
    this.#segments = [...segments];
    this.#whole = segments.length;
    this.#dead.clear();
    this.#numbered = undefined;
  }

  /** A later state of its files: those before it are dead. */
  add(segment: Segment): void {
    if (!this.isEmpty) for (const { path } of segment.files) this.bury(path);
    this.#numbered = undefined;
    this.#segments.push(segment);
  }

  /** Whether it was alive. */
  bury(path: string): boolean {
    const place = this.#placeOf(path);
    if (!place) return false;
    const { segment, number } = place;
    const dead = this.#dead.get(segment);
    if (dead) dead.add(number);
    else this.#dead.set(segment, new Set([number]));
    this.#numbered = undefined;
    return true;
  }

  /** Only for whoever adds their files again. */
  dropLater(): void {
    for (const segment of this.#segments.splice(this.#whole)) this.#dead.delete(segment);
    this.#numbered = undefined;
  }

  get isEmpty(): boolean {
    return this.#segments.length === 0;
  }

  /** Those that came after all was read. */
  get later(): readonly Segment[] {
    return this.#segments.slice(this.#whole);
  }

  /** Many changed files make every question slower: then all is to be read again. One that was read several times is one. */
  isWorn(changed: number): boolean {
    const whole = this.#segments.slice(0, this.#whole).reduce((sum, { files }) => sum + files.length, 0);
    const later = [...this.laterFiles()].length;
    return this.#whole > 0 && later + changed > Math.max(200, whole / 10);
  }

  /** Files that were known once and have no newer state. */
  goneFiles(): string[] {
    const gone = new Set<string>();
    for (const [segment, numbers] of this.#dead) {
      for (const number of numbers) {
        const path = segment.files.at(number)?.path;
        if (path !== undefined && !this.has(path)) gone.add(path);
      }
    }
    return [...gone];
  }

  get size(): number {
    return this.#count(
      (segment) => segment.files.length,
      () => true,
    );
  }

  /** Files in a language that is parsed. */
  get codeFiles(): number {
    return this.#count(
      (segment) => segment.files.codeFiles,
      ({ language }) => language !== "",
    );
  }

  /** Of all segments, without those of the dead that were counted. */
  #count(inSegment: (segment: Segment) => number, isCounted: (file: IndexedFile) => boolean): number {
    let count = 0;
    for (const segment of this.#segments) {
      count += inSegment(segment);
      for (const number of this.#dead.get(segment) ?? []) {
        const file = segment.files.at(number);
        if (file && isCounted(file)) count--;
      }
    }
    return count;
  }

  has(path: string): boolean {
    return this.#placeOf(path) !== undefined;
  }

  file(path: string): IndexedFile | undefined {
    const place = this.#placeOf(path);
    return place?.segment.files.at(place.number);
  }

  #placeOf(path: string): { segment: Segment; number: number } | undefined {
    for (const segment of this.#segments) {
      const number = segment.files.numberOf(path);
      if (number >= 0 && !this.#dead.get(segment)?.has(number)) return { segment, number };
    }
    return undefined;
  }

  files(): Iterable<IndexedFile> {
    return this.#filesOf(this.#segments);
  }

  laterFiles(): Iterable<IndexedFile> {
    return this.#filesOf(this.later);
  }

  *#filesOf(segments: readonly Segment[]): Iterable<IndexedFile> {
    for (const segment of segments) {
      const dead = this.#dead.get(segment);
      let number = 0;
      for (const file of segment.files) if (!dead?.has(number++)) yield file;
    }
  }

  /** Files with this content. */
  withHash(hash: string): IndexedFile[] {
    return this.#segments.flatMap((segment) =>
      segment.files.withHash(hash).flatMap((number) => this.#liveFile(segment, number) ?? []),
    );
  }

  /** Files of which only the names are known, each with what stays the same as long as its state does. */
  namedOnly(): { file: IndexedFile; state: object }[] {
    return this.#segments.flatMap((segment) =>
      segment.files.withHash("").flatMap((number) => {
        const file = this.#liveFile(segment, number);
        return file ? { file, state: segment } : [];
      }),
    );
  }

  /** Files that hold exactly this word; `declared` where it once follows a declaring keyword. */
  withWord(word: string): { file: IndexedFile; count: number; declared: boolean }[] {
    const found: { file: IndexedFile; count: number; declared: boolean }[] = [];
    for (const segment of this.#segments) {
      segment.eachWithWord(wordOf(word), (number, payload) => {
        const file = this.#liveFile(segment, number);
        if (file) found.push({ file, count: payload & (declaredBit - 1), declared: payload >= declaredBit });
      });
    }
    return found;
  }

  /** The files that hold words with this sub-token, and how often. */
  withSubToken(token: string): WordHolders {
    const { files } = this.numbered();
    const sums = new Uint32Array(files.length);
    let first = 0;
    for (const segment of this.#segments) {
      const base = first;
      segment.eachWithSubToken(token, (number, count) => {
        (sums[base + number] as number) += count;
      });
      first += segment.files.length;
    }
    const numbers: number[] = [];
    const counts: number[] = [];
    for (let number = 0; number < sums.length; number++) {
      const count = sums[number] as number;
      if (count === 0 || !files[number]) continue;
      numbers.push(number);
      counts.push(count);
    }
    return { numbers, counts };
  }

  /** All files by number, good until the next change: for whoever looks at very many at once. */
  numbered(): NumberedFiles {
    this.#numbered ??= this.#number();
    return this.#numbered;
  }

  #number(): NumberedFiles {
    const files = this.#segments.flatMap((segment) =>
      Array.from({ length: segment.files.length }, (_, number) => this.#liveFile(segment, number)),
    );
    const lengths = Uint32Array.from(
      this.#segments.flatMap((segment) =>
        Array.from({ length: segment.files.length }, (_, number) => segment.length(number)),
      ),
    );
    let sum = 0;
    for (const [number, file] of files.entries()) if (file) sum += lengths[number] as number;
    return { files, lengths, average: Math.max(1, sum / Math.max(1, this.size)) };
  }

  /** Files that may hold all these literals (bytes in lower case). */
  *mayHold(literals: readonly Uint8Array[]): Iterable<IndexedFile> {
    for (const segment of this.#segments) {
      for (let number = 0; number < segment.files.length; number++) {
        if (!literals.every((literal) => segment.mayHold(number, literal))) continue;
        const file = this.#liveFile(segment, number);
        if (file) yield file;
      }
    }
  }

  #liveFile(segment: Segment, number: number): IndexedFile | undefined {
    return this.#dead.get(segment)?.has(number) ? undefined : segment.files.at(number);
  }
}
