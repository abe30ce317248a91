import { Failure } from "../../failure/failure.ts";
import { sourceText } from "../../text/encoding.ts";
import type { IndexFolder, SourceFiles } from "../files/files.ts";
import { languageNamed, languageOf, languageOfText, languages } from "../languages/languages.ts";
import { extract } from "../syntax/extract.ts";
import { LayeredSyntax, type Syntaxes } from "../syntax/layered-syntax.ts";
import type { Relative } from "../syntax/parent-types.ts";
import type { PendingFile } from "../syntax/parse-worker.ts";
import type { FileSyntax } from "../syntax/syntax.ts";
import { encodeSyntax } from "../syntax/syntax-code.ts";
import { keepNewest, SyntaxStore } from "../syntax/syntax-store.ts";
import type { LiveSegments } from "../word-index/live-segments.ts";
import { Damaged } from "../word-index/packed.ts";
import { releaseMemory } from "../word-index/release-memory.ts";
import type { IndexedFile } from "../word-index/segment.ts";
import { contentHash, maxFileBytes } from "../word-index/segment-reading.ts";
import { type RefreshOptions, WordIndex } from "../word-index/word-index.ts";
import { wordOf } from "../word-index/word-of.ts";
import { CommitHistory } from "./commit-history.ts";
import { parseAll } from "./filling.ts";
import { PendingQueue } from "./pending-queue.ts";
import type { SharedIndex, SharedStart } from "./shared-index.ts";

const keptTexts = 200;
/** Of one file while somebody waits: within a second there is an answer, or a clear error. */
export const foregroundLimitMs = 800;
/**
 * While the cache is cold, a question parses what it needs: so long, and so many bytes in any case, however busy the
 * machine is. What it cannot get is missing from the answer, which says so.
 */
const patienceMs = 2_000;
const patienceBytes = 4_000_000;
const hurriedBytes = 200_000;

/** Work on so many files leaves memory worth giving back. */
const manyFiles = 5_000;

const unlimited = { bytes: Number.POSITIVE_INFINITY, until: 0 };
const newPatience = () => ({ bytes: patienceBytes, until: Date.now() + patienceMs });

export interface ParsedFile {
  path: string;
  source: string;
  syntax: FileSyntax;
}

interface LargeFile {
  path: string;
  /** The same object as long as the file stays as it was. */
  state: object;
  wasAsked: boolean;
  words?: Set<string>;
}

/** How far the syntax cache has come. */
export interface Coverage {
  files: number;
  /** Files in a language that is parsed, and how many of them are. */
  code: number;
  parsed: number;
}

/** One workspace's files, words and syntax, kept up to date: what every question is answered from. */
export class Project {
  readonly index: WordIndex;
  /** What can be asked of the index. */
  readonly words: LiveSegments;
  readonly history: CommitHistory;
  readonly #store: Syntaxes;
  readonly #shared: SharedStart | undefined;
  readonly #source: SourceFiles;
  readonly #folder: IndexFolder;
  /** Of texts parsed by name, which are not in the store, newest last. */
  readonly #texts = new Map<string, FileSyntax>();
  /** Contents that take the parser longer than a question can wait: left to the threads beside. */
  readonly #slow = new Set<string>();
  #closed = false;
  /** What the present question may still parse; unlimited where nobody waits. */
  #patience = unlimited;
  /** Contents that are stored, while not all are. */
  #known: Set<string> | undefined;
  #pending: { version: number; isSharedParsed: boolean; files: Map<string, PendingFile> } | undefined;
  #codeFiles = { version: -1, count: 0 };
  /** Code files that the index has only the names of. */
  #large: { version: number; files: LargeFile[] } = { version: -1, files: [] };

  /** With `shared`, only what differs from the files that the workspace began with is indexed here. */
  constructor(source: SourceFiles, folder: IndexFolder, shared?: SharedStart) {
    this.#source = source;
    this.#folder = folder;
    this.#shared = shared;
    this.index = new WordIndex(source, folder, shared?.words);
    this.words = this.index.words;
    this.history = shared?.index.history ?? new CommitHistory(source, folder);
    const own = new SyntaxStore(folder);
    this.#store = shared ? new LayeredSyntax(shared.index, own) : own;
  }

  /** Runs a question on an index that is at most a second old, and repairs the index when it proves damaged. */
  async ask<T>(question: () => Promise<T>, options: RefreshOptions = {}): Promise<T> {
    await this.index.refresh(options);
    this.#patience = newPatience();
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof Damaged)) throw error;
      await this.index.repair();
      return question();
    }
  }

  async source(path: string, maxBytes?: number): Promise<string> {
    return sourceText(await this.bytes(path, maxBytes));
  }

  /** The bytes of a text. */
  async bytes(path: string, maxBytes?: number): Promise<Buffer> {
    const bytes = await this.#source.read(path, maxBytes);
    if (bytes.subarray(0, 8_000).includes(0)) {
      throw new Failure("NOT_TEXT", `${path} is a binary file. Read it with read_file and encoding base64.`);
    }
    return bytes;
  }

  /** Any file by name, indexed or not. What was parsed is kept: the same text is not parsed twice. */
  async parse(path: string, given?: string): Promise<ParsedFile> {
    const source = given ?? (await this.source(path));
    const language = languageOfText(path, source);
    if (!language) {
      const known = languages.map((l) => l.name).join(", ");
      throw new Failure(
        "INVALID_INPUT",
        `${path} is in no language that can be outlined (${known}). Use the read tool to see its lines, or grep to search in it.`,
      );
    }
    const file = this.words.file(path);
    const hash = contentHash(Buffer.from(source));
    const known = file?.hash === hash ? await this.syntax(file) : undefined;
    if (known) return { path, source, syntax: known };
    const key = `${hash}:${language.name}`;
    const syntax = this.#texts.get(key) ?? (await extract(source, language, foregroundLimitMs));
    return { path, source, syntax: keepNewest(this.#texts, key, syntax, keptTexts) };
  }

  /**
   * Code files that hold a name and whose syntax nobody knows: too large for the index, or given up by the parser. What an
   * answer says about the name does not cover them.
   */
  async notUnderstood(name: string): Promise<string[]> {
    const found: string[] = [];
    for (const file of this.#largeFiles()) if (await this.#holds(file, wordOf(name))) found.push(file.path);
    const given = new Set(this.#store.unparsable());
    if (given.size > 0)
      for (const { file } of this.words.withWord(name))
        if (given.has(keyOf(file) ?? "")) found.push(file.path);
    return found.sort();
  }

  #largeFiles(): LargeFile[] {
    const { version } = this.index;
    if (this.#large.version === version) return this.#large.files;
    const before = new Map(this.#large.files.map((file) => [file.path, file]));
    const files = this.words.namedOnly().flatMap(({ file: { path, size }, state }) => {
      if (size <= maxFileBytes || !languageOf(path)) return [];
      const known = before.get(path);
      return known?.state === state ? known : { path, state, wasAsked: false };
    });
    this.#large = { version, files };
    return files;
  }

  /** A short process asks once: then a search of the text is faster than gathering its words. */
  async #holds(file: LargeFile, name: string): Promise<boolean> {
    if (!file.words) {
      const text = await this.source(file.path).catch(() => "");
      if (languageOfText(file.path, text) === undefined) return false;
      if (!file.wasAsked && !text.includes(name)) {
        file.wasAsked = true;
        return false;
      }
      file.words = new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu));
    }
    return file.words.has(name);
  }

  /** An indexed file with its syntax; undefined when it vanished, is no code or cannot be parsed. */
  async parsed(path: string): Promise<ParsedFile | undefined> {
    const file = this.words.file(path);
    const syntax = file && (await this.syntax(file));
    if (!syntax) return undefined;
    const source = await this.source(path).catch(() => undefined);
    return source === undefined ? undefined : { path, source, syntax };
  }

  /** Undefined also when it is not parsed yet and the question's patience is at an end. */
  async syntax(file: IndexedFile): Promise<FileSyntax | undefined> {
    const key = keyOf(file);
    if (!key) return undefined;
    const kept = this.#store.get(key);
    // Parsed, perhaps for another file with the same text.
    if (kept) this.#pending?.files.delete(file.path);
    if (kept !== undefined) return kept ?? undefined;
    const language = languageNamed(file.language);
    if (!language || this.#slow.has(key) || !this.isPatient()) return undefined;
    const { bytes: left, until } = this.#patience;
    this.#patience = { bytes: left - file.size, until };
    const bytes = await this.#source.read(file.path).catch(() => undefined);
    if (!bytes) return undefined;
    try {
      const syntax = await extract(await sourceText(bytes), language, foregroundLimitMs);
      // Changed since it was indexed: an answer is good enough for it now, but must not be kept for its old content.
      if (contentHash(bytes) !== file.hash) return syntax;
      this.#store.put([[key, encodeSyntax(syntax)]]);
      this.#stored(key, file.path);
      return this.#store.keep(key, syntax);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.code === "TOO_LARGE") this.#slow.add(key);
      return undefined;
    }
  }

  /** The present question parses only a few files more, and as many as it can for so long. */
  hurry(forMs: number): void {
    this.#patience = { bytes: hurriedBytes, until: Date.now() + forMs };
  }

  /** Whether the present question may parse another file. */
  isPatient(): boolean {
    return this.#patience.bytes > 0 || Date.now() < this.#patience.until;
  }

  /** Whether a file's content is still to be parsed, and a question may do it. */
  isPending(file: IndexedFile): boolean {
    return this.pending().has(file.path) && !this.#slow.has(keyOf(file) ?? "");
  }

  /** Code files whose content was never parsed. */
  pending(): Map<string, PendingFile> {
    const { version } = this.index;
    const isSharedParsed = this.#shared?.index.isParsed ?? true;
    if (this.#pending?.version !== version || this.#pending.isSharedParsed !== isSharedParsed) {
      const { generation } = this.index;
      // When all of the kept index is parsed, only what came later is in question.
      const isComplete = this.#isComplete();
      if (!isComplete) this.#known ??= this.#store.keys();
      const known = isComplete ? undefined : this.#known;
      const files = new Map<string, PendingFile>();
      for (const file of isComplete ? this.words.laterFiles() : this.words.files()) {
        const key = keyOf(file);
        if (!key || (known ? known.has(key) : this.#store.has(key))) continue;
        const { path, hash, language, size } = file;
        files.set(path, { path, hash, key, language, size });
      }
      if (!isComplete && generation && files.size === 0) this.#store.markComplete(generation);
      this.#pending = { version, isSharedParsed, files };
    }
    return this.#pending.files;
  }

  /** Those of them that are to be parsed here: what is shared is parsed once, for all that share it. */
  ownPending(): Map<string, PendingFile> {
    const pending = this.pending();
    if (pending.size === 0 || this.index.generation !== this.#shared?.index.generation) return pending;
    const own = [...this.words.laterFiles()].flatMap(({ path }) => pending.get(path) ?? []);
    return new Map(own.map((file) => [file.path, file]));
  }

  get sharedIndex(): SharedIndex | undefined {
    return this.#shared?.index;
  }

  /** Until what is shared is parsed, but no longer than so. */
  async sharedParsed(limitMs: number): Promise<void> {
    await this.#shared?.index.parsedWithin(limitMs);
  }

  coverage(): Coverage {
    const { version } = this.index;
    // Every answer tells it: counted once for each state of the files.
    if (this.#codeFiles.version !== version) {
      this.#codeFiles = { version, count: this.words.codeFiles };
    }
    const { count } = this.#codeFiles;
    return { files: this.words.size, code: count, parsed: count - this.pending().size };
  }

  /** Parses everything that is pending, in threads beside this one. */
  async fill({
    threads = 1,
    signal,
    progress,
  }: {
    threads?: number;
    signal?: AbortSignal | undefined;
    progress?: (coverage: Coverage) => void;
  } = {}): Promise<void> {
    if (this.#source.root === undefined) return;
    const wasComplete = this.#isComplete();
    const start = this.coverage();
    const queue = new PendingQueue([...this.ownPending().values()]);
    const isMuch = queue.size > manyFiles;
    if (isMuch) releaseMemory();
    let done = 0;
    await this.#parseBeside(queue, {
      threads,
      signal,
      stored: (count) => {
        done += count;
        progress?.({ ...start, parsed: start.parsed + done });
      },
    });
    if (!wasComplete && !signal?.aborted && !this.#closed) this.#complete();
    if (isMuch) releaseMemory();
  }

  /**
   * Parses what the queue gives, here and in threads, until it is enough. The patience of the question begins anew: what
   * was parsed for it does not count.
   */
  async parsePending(
    queue: PendingQueue,
    { threads, signal }: { threads: number; signal?: AbortSignal | undefined },
  ): Promise<void> {
    const wasComplete = this.#isComplete();
    const enough = new AbortController();
    const work = Promise.all([
      this.#parseHere(queue, signal),
      this.#parseBeside(queue, {
        threads,
        signal: signal ? AbortSignal.any([signal, enough.signal]) : enough.signal,
        isWaitedFor: true,
      }),
    ]);
    await Promise.race([work, queue.isEnough()]);
    enough.abort();
    await work;
    this.#patience = newPatience();
    if (!wasComplete && !signal?.aborted && !this.#closed && this.pending().size === 0) this.#complete();
  }

  /** Parses in a thread what took this one too long: a question waits for it, but nothing else does. */
  async parseSlow(signal: AbortSignal | undefined): Promise<void> {
    const slow = [...this.ownPending().values()].filter(({ key }) => this.#slow.has(key));
    if (slow.length === 0) return;
    await this.#parseBeside(new PendingQueue(slow), { threads: 1, signal, isWaitedFor: true });
  }

  async #parseHere(queue: PendingQueue, signal: AbortSignal | undefined): Promise<void> {
    for (let next = queue.takeLast(); next; next = queue.takeLast()) {
      if (signal?.aborted || this.#closed) return;
      this.#patience = unlimited;
      const file = this.words.file(next.path);
      if (file && this.isPending(file)) await this.syntax(file);
      queue.finished([next.key]);
    }
  }

  async #parseBeside(
    queue: PendingQueue,
    {
      stored,
      ...options
    }: {
      threads: number;
      signal: AbortSignal | undefined;
      isWaitedFor?: boolean;
      stored?: (count: number) => void;
    },
  ): Promise<void> {
    const { root } = this.#source;
    if (root === undefined) return;
    const kept = (keys: string[]) => {
      for (const key of keys) this.#known?.add(key);
      stored?.(keys.length);
    };
    await parseAll(queue, { root, indexFolder: this.#folder.path }, kept, options);
    this.#pending = undefined;
  }

  #isComplete(): boolean {
    return this.index.generation !== undefined && this.#store.isComplete(this.index.generation);
  }

  /** Once for each generation of the index: what changes later is a file at a time. */
  #complete(): void {
    const keys = new Set([...this.words.files()].flatMap((file) => keyOf(file) ?? []));
    this.#store.complete(this.index.generation ?? "", keys);
  }

  /** Files whose present content declares this name (as far as they are parsed). */
  declaring(name: string): IndexedFile[] {
    return this.#store.declaring(name).flatMap((key) => this.#filesOf(key));
  }

  /** The types that a type of this name inherits from, or that inherit from it (as far as files are parsed). */
  relatives(type: string, direction: "up" | "down"): Relative[] {
    const rows = direction === "up" ? this.#store.parentsOf(type) : this.#store.childrenOf(type);
    const found = new Map<string, string[]>();
    for (const { name, key } of rows)
      for (const { path } of this.#filesOf(key)) found.set(name, [...(found.get(name) ?? []), path]);
    return [...found].map(([name, paths]) => ({ name, paths }));
  }

  namesWith(text: string): string[] {
    return this.#store.namesWith(text);
  }

  namesLike(pattern: RegExp): string[] {
    return this.#store.namesLike(pattern);
  }

  clear(): void {
    this.index.clear();
    this.history.clear();
    this.#store.clear();
    this.#texts.clear();
    this.#known = undefined;
    this.#pending = undefined;
  }

  close(): void {
    this.#closed = true;
    this.#store.close();
  }

  #filesOf(key: string): IndexedFile[] {
    return this.words.withHash(key.slice(0, key.indexOf(":"))).filter((file) => keyOf(file) === key);
  }

  #stored(key: string, path: string): void {
    this.#known?.add(key);
    this.#pending?.files.delete(path);
  }
}

/** What a file's syntax is stored under; undefined for what is not parsed. */
function keyOf({ language, hash }: IndexedFile): string | undefined {
  return language && hash ? `${hash}:${language}` : undefined;
}
