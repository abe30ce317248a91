import { hash } from "node:crypto";
import type { IndexFolder, SourceFile, SourceFiles } from "./files.ts";
import { languageOf, languageOfHeader } from "./languages/languages.ts";
import { declaredBit, type IndexedFile, Segment, type SegmentParts } from "./segment.ts";
import { SegmentBuilder } from "./segment-builder.ts";
import { loadSegment, saveSegment } from "./segment-files.ts";

/** A larger file is known by name only: it is data or generated, and no one asks for its words. */
export const maxFileBytes = 1_500_000;
/** An answer may be this old. */
const freshForMs = 900;
/** Within this time of reading, a file may change again without a new time stamp. */
const stampGraceMs = 50;

export type Progress = (done: number) => void;

interface Place {
  segment: Segment;
  number: number;
  /** Files touched at this time or later are read again: their stamp may be too coarse to show a change. */
  cleanBefore: string;
}

/**
 * Which file holds which words, always at most a second behind the files: before a question, every file's size and time
 * is compared, and what changed is read again into a small segment of its own. When those have grown, all is built anew.
 */
export class WordIndex {
  readonly #source: SourceFiles;
  readonly #folder: IndexFolder;
  readonly #live = new Map<string, Place>();
  #segments: Segment[] = [];
  #loaded = false;
  #sweep: Promise<void> | undefined;
  #sweptAt = 0;
  /** How often a look was asked for, and how often it had been when the last sweep began. */
  #wanted = 0;
  #given = 0;
  #everSwept = false;
  #average: { version: number; length: number } | undefined;
  readonly #touched = new Set<string>();
  /** Grows with every change of any file. */
  version = 0;

  constructor(source: SourceFiles, folder: IndexFolder) {
    this.#source = source;
    this.#folder = folder;
  }

  /** Something was changed by ourselves: the next question looks again, at these paths only where they are known. */
  invalidate(paths?: readonly string[]): void {
    if (paths) for (const path of paths) this.#touched.add(path);
    else this.#wanted++;
  }

  /** Catches up with the files unless that was done within the last second. Calls at the same time share one sweep. */
  async refresh(options: { signal?: AbortSignal | undefined; progress?: Progress } = {}): Promise<void> {
    if (this.#touched.size > 0) await this.#lookAtTouched();
    while (this.#given < this.#wanted || Date.now() - this.#sweptAt >= freshForMs) {
      this.#sweep ??= this.#begin(options);
      await this.#sweep;
    }
  }

  /** Single files are read again; a folder, or what is not one of ours yet, needs a look at everything: it may be ignored. */
  async #lookAtTouched(): Promise<void> {
    const paths = [...this.#touched];
    this.#touched.clear();
    await this.#sweep;
    const began = new Date(Date.now() - stampGraceMs).toISOString();
    const builder = new SegmentBuilder();
    const changed: string[] = [];
    for (const path of paths) {
      const file = await this.#source.stat(path);
      const isKnown = this.#live.has(path);
      if (!isKnown || (file && !file.isFile) || !this.#everSwept) {
        this.#wanted++;
        return;
      }
      if (file) {
        const bytes = file.size > maxFileBytes ? null : await this.#source.read(path).catch(() => null);
        builder.add(...indexed(file, () => bytes));
        changed.push(path);
      } else {
        this.#live.delete(path);
        this.version++;
      }
    }
    if (changed.length > 0) this.#take(builder, changed, began);
  }

  async #begin(options: { signal?: AbortSignal | undefined; progress?: Progress }): Promise<void> {
    const startedAt = Date.now();
    const wanted = this.#wanted;
    try {
      await this.#catchUp(options);
      // A first build may take longer than an answer may be old: then what it found is as fresh as can be.
      this.#sweptAt = this.#everSwept ? startedAt : Date.now();
      this.#everSwept = true;
      this.#given = wanted;
    } finally {
      this.#sweep = undefined;
    }
  }

  /** Forgets everything, here and on disk. */
  clear(): void {
    this.#segments = [];
    this.#live.clear();
    this.#sweptAt = 0;
    this.#everSwept = false;
    this.#loaded = true;
    this.version++;
    for (const name of this.#folder.names()) if (name.startsWith("words")) this.#folder.remove(name);
  }

  /** Builds everything anew. */
  async repair(): Promise<void> {
    await this.#sweep;
    await this.#rebuild(undefined, undefined);
  }

  async #catchUp({
    signal,
    progress,
  }: {
    signal?: AbortSignal | undefined;
    progress?: Progress;
  }): Promise<void> {
    if (!this.#loaded) this.#load();
    const began = new Date(Date.now() - stampGraceMs).toISOString();
    const gone = new Set(this.#live.keys());
    const builder = new SegmentBuilder();
    const changed: string[] = [];
    await this.#source.each(
      (file, read) => {
        const place = this.#live.get(file.path);
        gone.delete(file.path);
        if (place && isUnchanged(place, file)) return;
        builder.add(...indexed(file, read));
        changed.push(file.path);
        progress?.(changed.length);
      },
      { maxBytes: maxFileBytes, signal },
    );
    for (const path of gone) this.#live.delete(path);
    if (gone.size > 0) this.version++;
    if (changed.length > 0) this.#take(builder, changed, began);
    if (this.#isWorn(changed.length)) await this.#rebuild(signal, progress);
  }

  #load(): void {
    this.#loaded = true;
    const saved = loadSegment(this.#folder);
    if (saved) this.#addSegment(saved.segment, saved.savedAt);
  }

  #take(builder: SegmentBuilder, changed: string[], began: string): void {
    const parts = builder.finish();
    const before = new Map(changed.map((path) => [path, this.file(path)?.hash]));
    this.#addSegment(new Segment(parts), began);
    if (parts.files.some((file) => before.get(file.path) !== file.hash || file.hash === "")) this.version++;
    if (this.#segments.length === 1) this.#save(parts, began);
  }

  /** An index that cannot be kept (a full disk, a folder taken away) still answers; the next process builds it again. */
  #save(parts: SegmentParts, began: string): void {
    try {
      saveSegment(parts, this.#folder, began);
    } catch {
      return;
    }
  }

  #addSegment(segment: Segment, cleanBefore: string): void {
    this.#segments.push(segment);
    segment.files.forEach(({ path }, number) => {
      this.#live.set(path, { segment, number, cleanBefore });
    });
  }

  /** Many changed files, or many small segments, make every question slower. */
  #isWorn(changed: number): boolean {
    const base = this.#segments[0]?.files.length ?? 0;
    const later = this.#segments.slice(1).reduce((sum, segment) => sum + segment.files.length, 0);
    return changed > 0 && later > 0 && (later > Math.max(200, base / 10) || this.#segments.length > 40);
  }

  async #rebuild(signal: AbortSignal | undefined, progress: Progress | undefined): Promise<void> {
    const began = new Date(Date.now() - stampGraceMs).toISOString();
    const builder = new SegmentBuilder();
    let done = 0;
    await this.#source.each(
      (file, read) => {
        builder.add(...indexed(file, read));
        progress?.(++done);
      },
      { maxBytes: maxFileBytes, signal },
    );
    const parts = builder.finish();
    this.#segments = [];
    this.#live.clear();
    this.#addSegment(new Segment(parts), began);
    this.#save(parts, began);
    this.version++;
  }

  get size(): number {
    return this.#live.size;
  }

  file(path: string): IndexedFile | undefined {
    const place = this.#live.get(path);
    return place?.segment.files[place.number];
  }

  *files(): Iterable<IndexedFile> {
    for (const { segment, number } of this.#live.values()) {
      const file = segment.files[number];
      if (file) yield file;
    }
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

  /** How often words with this sub-token stand in each file. */
  withSubToken(token: string): Map<IndexedFile, number> {
    const found = new Map<IndexedFile, number>();
    for (const segment of this.#segments) {
      segment.eachWithSubToken(token, (number, count) => {
        const file = this.#liveFile(segment, number);
        if (file) found.set(file, (found.get(file) ?? 0) + count);
      });
    }
    return found;
  }

  /** Length of a file in sub-tokens. */
  lengthOf(path: string): number {
    const place = this.#live.get(path);
    return place ? place.segment.length(place.number) : 0;
  }

  averageLength(): number {
    if (this.#average?.version !== this.version) {
      let sum = 0;
      for (const { segment, number } of this.#live.values()) sum += segment.length(number);
      this.#average = { version: this.version, length: Math.max(1, sum / Math.max(1, this.#live.size)) };
    }
    return this.#average.length;
  }

  /** Files that may hold all these literals (bytes in lower case). */
  *mayHold(literals: readonly Uint8Array[]): Iterable<IndexedFile> {
    for (const { segment, number } of this.#live.values()) {
      if (literals.every((literal) => segment.mayHold(number, literal)))
        yield segment.files[number] as IndexedFile;
    }
  }

  #liveFile(segment: Segment, number: number): IndexedFile | undefined {
    const file = segment.files[number];
    return file && this.#live.get(file.path)?.segment === segment ? file : undefined;
  }
}

function isUnchanged({ segment, number, cleanBefore }: Place, file: SourceFile): boolean {
  const known = segment.files[number];
  return known?.modified === file.modified && known.size === file.size && file.modified < cleanBefore;
}

function indexed(
  { path, size, modified }: SourceFile,
  read: () => Buffer | null,
): [IndexedFile, Buffer | null] {
  const bytes = read();
  if (!bytes || bytes.length > maxFileBytes || bytes.subarray(0, 8_000).includes(0)) {
    return [{ path, size, modified, hash: "", language: "" }, null];
  }
  const language = languageOf(path);
  const exact =
    language &&
    (path.endsWith(".h") ? languageOfHeader(language, bytes.toString("latin1", 0, 20_000)) : language);
  return [
    { path, size, modified, hash: hash("sha1", bytes, "base64url"), language: exact?.name ?? "" },
    bytes,
  ];
}
