import { joinPath } from "../workspace/path.ts";
import type { SurveyedFolders } from "../workspace/workspace.ts";
import type { IndexFolder, SourceFiles } from "./files.ts";
import { isCodeName } from "./languages/languages.ts";
import { lastSurvey, type Scope, tellChange, tellSurvey } from "./last-survey.ts";
import { folderChanges } from "./later-files.ts";
import { declaredBit, type IndexedFile, ReadFiles, Segment } from "./segment.ts";
import { type BuildingOptions, readSegments } from "./segment-building.ts";
import { loadIndex, saveIndex, saveLater, stateName } from "./segment-files.ts";
import type { FileToRead, ReadSegment } from "./segment-reading.ts";

/** An answer may be this old. */
const freshForMs = 900;

/** Every segment is asked in every question: when so many came after the first ones, they are made one. */
const mostLater = 20;

export interface RefreshOptions extends BuildingOptions {
  /** What was changed in place matters only in code: a change of any other file may be found later. */
  codeOnly?: boolean;
}

interface Place {
  segment: Segment;
  number: number;
}

export interface KnownPath {
  path: string;
  /** In milliseconds, when everything was last looked at; undefined for links and the like, which are not. */
  modified?: number;
}

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

/**
 * Which file holds which words, always at most a second behind the files: before a question, every file's size and time
 * is compared, and what changed is read again into a small segment of its own, kept for the next process. When those have
 * grown, all is built anew.
 */
export class WordIndex {
  readonly #source: SourceFiles;
  readonly #folder: IndexFolder;
  /** Files of a segment that are gone, or that a later one has as they are now. */
  readonly #dead = new Map<Segment, Set<number>>();
  /** Files that went since the last look at everything. */
  readonly #removed = new Set<string>();
  /** The first of them, made when all was read, are kept on disk. */
  #segments: Segment[] = [];
  #kept = 0;
  /** Names what is kept on disk; undefined when nothing is. */
  generation: string | undefined;
  /** What the last survey found; of what is kept on disk, made when it is first asked for. */
  #folders: () => SurveyedFolders | undefined = () => undefined;
  /** The folders as they were when the first segments were kept. */
  #keptFolders: () => SurveyedFolders | undefined = () => undefined;
  /** Names the state on disk that is all that is known here; undefined when there is none. */
  #keptState: string | undefined;
  #loaded = false;
  #sweep: Promise<void> | undefined;
  /** When the last look began, at all files and at those of code. */
  #sweptAt = { all: 0, code: 0 };
  /** How often a look was asked for, and how often it had been when the last sweep began. */
  #wanted = 0;
  #given = 0;
  #everSwept = false;
  #numbered: (NumberedFiles & { version: number }) | undefined;
  readonly #touched = new Set<string>();
  #looking: Promise<void> | undefined;
  /** Grows with every change of any file. */
  version = 0;

  constructor(source: SourceFiles, folder: IndexFolder) {
    this.#source = source;
    this.#folder = folder;
  }

  /** Something was changed by ourselves: the next question looks again, at these paths only where they are known. */
  invalidate(paths?: readonly string[]): void {
    tellChange(this.#folder);
    if (paths) for (const path of paths) this.#touched.add(path);
    else this.lookAgain();
  }

  /** The next question looks at everything, however lately that was done. */
  lookAgain(): void {
    this.#wanted++;
  }

  /** Catches up with the files unless that was done within the last second. Calls at the same time share one sweep. */
  async refresh(options: RefreshOptions = {}): Promise<void> {
    if (!this.#loaded) this.#load();
    while (this.#touched.size > 0 || this.#looking !== undefined) {
      this.#looking ??= this.#lookAtTouched().finally(() => {
        this.#looking = undefined;
      });
      await this.#looking;
    }
    const scope = options.codeOnly ? "code" : "all";
    while (this.#given < this.#wanted || Date.now() - this.#sweptAt[scope] >= freshForMs) {
      this.#sweep ??= this.#begin(options, this.#given < this.#wanted ? "all" : scope);
      await this.#sweep;
    }
  }

  /** Single files are read again; a folder, or what is not one of ours yet, needs a look at everything: it may be ignored. */
  async #lookAtTouched(): Promise<void> {
    const paths = [...this.#touched];
    this.#touched.clear();
    await this.#sweep;
    const changed: FileToRead[] = [];
    for (const path of paths) {
      const file = await this.#source.stat(path);
      if (!this.#placeOf(path) || (file && !file.isFile) || !this.#everSwept) {
        this.#wanted++;
        return;
      }
      if (file) changed.push({ path, size: file.size });
      else {
        this.#remove(path);
        this.#removed.add(path);
        this.#keptState = undefined;
      }
    }
    if (changed.length > 0) this.#take(await readSegments(this.#source, changed, {}));
  }

  async #begin(options: BuildingOptions, scope: Scope): Promise<void> {
    const startedAt = Date.now();
    const wanted = this.#wanted;
    try {
      await this.#catchUp(options, scope, startedAt);
      // A first build may take longer than an answer may be old: then what it found is as fresh as can be.
      this.#swept(scope, this.#everSwept ? startedAt : Date.now());
      this.#given = wanted;
    } finally {
      this.#sweep = undefined;
    }
  }

  #swept(scope: Scope, at: number): void {
    if (scope === "all") this.#sweptAt.all = at;
    this.#sweptAt.code = Math.max(this.#sweptAt.code, at);
    this.#everSwept = true;
  }

  /** Forgets everything, here and on disk. */
  clear(): void {
    this.#forget();
    this.#sweptAt = { all: 0, code: 0 };
    this.#everSwept = false;
    this.#loaded = true;
    this.version++;
    for (const name of this.#folder.names()) if (name.startsWith("words")) this.#folder.remove(name);
  }

  #forget(): void {
    this.#numbered = undefined;
    this.#segments = [];
    this.#kept = 0;
    this.generation = undefined;
    this.#folders = () => undefined;
    this.#keptFolders = () => undefined;
    this.#keptState = undefined;
    this.#dead.clear();
    this.#removed.clear();
  }

  /** Builds everything anew. */
  async repair(): Promise<void> {
    await this.#sweep;
    this.#forget();
    await this.#catchUp({}, "all", Date.now());
  }

  async #catchUp(options: BuildingOptions, scope: Scope, startedAt: number): Promise<void> {
    const before = this.#folders();
    const { folders, changed, gone } = await this.#source.survey(before, {
      signal: options.signal,
      isWanted: scope === "code" ? isCodeName : undefined,
    });
    const isNew = this.#segments.length === 0;
    const isWhole = changed.length > 0 && (isNew || this.#isWorn(changed.length));
    const isScattered = this.#segments.length - this.#kept >= mostLater;
    if (isWhole) {
      const read = await readSegments(this.#source, isNew ? changed : filesIn(folders), options);
      this.#forget();
      this.#take(read);
      this.#keep(folders, read);
    } else if (changed.length > 0) {
      const again = isScattered ? this.#withLater(changed) : changed;
      const read = await readSegments(this.#source, again, options);
      if (isScattered) for (const segment of this.#segments.splice(this.#kept)) this.#dead.delete(segment);
      this.#take(read);
    }
    for (const path of gone) this.#remove(path);
    this.#removed.clear();
    this.#folders = () => folders;
    if (folders !== before && !isWhole) this.#keepLater(folders);
    else if (folders === before && this.#keptState !== undefined)
      tellSurvey(this.#folder, { state: this.#keptState, at: startedAt, scope });
  }

  /** With all that was read after what is kept whole, to make one segment of many. */
  #withLater(changed: readonly FileToRead[]): FileToRead[] {
    const paths = new Set(changed.map(({ path }) => path));
    return [...changed, ...[...this.laterFiles()].filter(({ path }) => !paths.has(path))];
  }

  #load(): void {
    this.#loaded = true;
    const saved = loadIndex(this.#folder);
    this.#segments = saved?.segments ?? [];
    this.#kept = this.#segments.length;
    this.generation = saved?.generation;
    this.#keptFolders = saved?.keptFolders ?? (() => undefined);
    this.#folders = saved?.folders ?? (() => undefined);
    this.#keptState = saved?.state;
    for (const segment of saved?.later?.segments ?? []) this.#addSegment(segment);
    for (const path of saved?.later?.goneFiles ?? []) this.#bury(path);
    const surveyed = saved && lastSurvey(this.#folder, saved.state);
    if (surveyed) this.#swept(surveyed.scope, surveyed.at);
  }

  #take(read: readonly ReadSegment[]): void {
    this.#keptState = undefined;
    for (const { files, arrays } of read) {
      const isOther = files.some(({ path, hash }) => hash === "" || this.file(path)?.hash !== hash);
      this.#addSegment(
        new Segment(new ReadFiles(files), {
          words: () => arrays.words,
          subTokens: () => arrays.subTokens,
          grams: () => arrays.grams,
        }),
      );
      if (isOther) this.version++;
    }
  }

  /** An index that cannot be kept (a full disk, a folder taken away) still answers; the next process builds it again. */
  #keep(folders: SurveyedFolders, read: readonly ReadSegment[]): void {
    this.#kept = read.length;
    this.#keptFolders = () => folders;
    try {
      this.generation = saveIndex(this.#folder, folders, read);
      this.#keptState = stateName(this.generation);
    } catch {
      return;
    }
  }

  /** What is not as it was kept, for the next process. */
  #keepLater(folders: SurveyedFolders): void {
    const { generation } = this;
    const kept = this.#keptFolders();
    this.#keptState = undefined;
    if (generation === undefined || !kept) return;
    try {
      const id = saveLater(this.#folder, generation, {
        folders: folderChanges(kept, folders),
        goneFiles: this.#goneFiles(),
        segments: this.#segments.slice(this.#kept),
      });
      this.#keptState = stateName(generation, id);
    } catch {
      return;
    }
  }

  #goneFiles(): string[] {
    const gone = new Set<string>();
    for (const [segment, numbers] of this.#dead) {
      for (const number of numbers) {
        const path = segment.files.at(number)?.path;
        if (path !== undefined && !this.#placeOf(path)) gone.add(path);
      }
    }
    return [...gone];
  }

  #addSegment(segment: Segment): void {
    if (this.#segments.length > 0) for (const { path } of segment.files) this.#bury(path);
    this.#numbered = undefined;
    this.#segments.push(segment);
  }

  #remove(path: string): void {
    if (this.#bury(path)) this.version++;
  }

  /** Whether it was alive. */
  #bury(path: string): boolean {
    const place = this.#placeOf(path);
    if (!place) return false;
    const { segment, number } = place;
    const dead = this.#dead.get(segment);
    if (dead) dead.add(number);
    else this.#dead.set(segment, new Set([number]));
    return true;
  }

  #placeOf(path: string): Place | undefined {
    for (const segment of this.#segments) {
      const number = segment.files.numberOf(path);
      if (number >= 0 && !this.#dead.get(segment)?.has(number)) return { segment, number };
    }
    return undefined;
  }

  /** Many changed files make every question slower: then all is read again. */
  #isWorn(changed: number): boolean {
    const count = (segments: readonly Segment[]) =>
      segments.reduce((sum, segment) => sum + segment.files.length, 0);
    const kept = count(this.#segments.slice(0, this.#kept));
    const later = count(this.#segments.slice(this.#kept)) + changed;
    return this.#kept > 0 && later > Math.max(200, kept / 10);
  }

  /** Files, links and the like below a directory, in the order of a walk; undefined when there is no such directory. */
  pathsBelow(path: string): KnownPath[] | undefined {
    return this.#folders()?.has(path) ? [...this.#below(path)] : undefined;
  }

  *#below(path: string): Iterable<KnownPath> {
    const folder = this.#folders()?.get(path);
    if (!folder) return;
    const { files, folders, others, first, modified } = folder;
    const place = new Map(files.map((name, i) => [name, first + i]));
    const inner = new Set(folders);
    for (const name of [...files, ...folders, ...others].sort()) {
      const own = joinPath(path, name);
      const at = place.get(name);
      if (inner.has(name)) yield* this.#below(own);
      else if (at === undefined) yield { path: own };
      // As a Date has it: in whole milliseconds.
      else if (!this.#removed.has(own)) yield { path: own, modified: Math.round(modified[at] as number) };
    }
  }

  /** Whether a file or folder is one that the index knows: not ignored, and there. */
  covers(path: string): boolean {
    return this.#placeOf(path) !== undefined || this.#folders()?.has(path) === true;
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

  file(path: string): IndexedFile | undefined {
    const place = this.#placeOf(path);
    return place?.segment.files.at(place.number);
  }

  files(): Iterable<IndexedFile> {
    return this.#filesOf(this.#segments);
  }

  /** Files that were read after what is kept on disk. */
  laterFiles(): Iterable<IndexedFile> {
    return this.#filesOf(this.#segments.slice(this.#kept));
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

  /** Files that hold exactly this word; `declared` where it once follows a declaring keyword. */
  withWord(word: string): { file: IndexedFile; count: number; declared: boolean }[] {
    const found: { file: IndexedFile; count: number; declared: boolean }[] = [];
    for (const segment of this.#segments) {
      segment.eachWithWord(word, (number, payload) => {
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
    if (this.#numbered?.version !== this.version) {
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
      const average = Math.max(1, sum / Math.max(1, this.size));
      this.#numbered = { version: this.version, files, lengths, average };
    }
    return this.#numbered;
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

function filesIn(folders: SurveyedFolders): FileToRead[] {
  return [...folders.values()].flatMap(({ path, files, first, sizes }) =>
    files.map((name, i) => ({ path: joinPath(path, name), size: sizes[first + i] ?? 0 })),
  );
}
