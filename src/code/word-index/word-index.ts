import { joinPath } from "../../workspace/path.ts";
import type { SurveyedFolders } from "../../workspace/workspace.ts";
import type { IndexFolder, SourceFiles } from "../files/files.ts";
import { mayBeCode } from "../languages/languages.ts";
import { type KnownPath, pathsBelow } from "./known-paths.ts";
import { lastSurvey, type Scope, tellChange, tellSurvey } from "./last-survey.ts";
import { folderChanges } from "./later-files.ts";
import { LiveSegments } from "./live-segments.ts";
import { ReadFiles, Segment } from "./segment.ts";
import { type BuildingOptions, type MadeSegment, readSegments } from "./segment-building.ts";
import { IndexWriter, loadIndex, saveLater, stateName } from "./segment-files.ts";
import type { FileToRead } from "./segment-reading.ts";

/** An answer may be this old. */
const freshForMs = 900;

/** Every segment is asked in every question: when so many came after the first ones, they are made one. */
const mostLater = 20;

export interface RefreshOptions extends BuildingOptions {
  /** What was changed in place matters only in code: a change of any other file may be found later. */
  codeOnly?: boolean;
}

/** The words of files that several workspaces begin with. */
export interface SharedWords {
  generation: string;
  segments: readonly Segment[];
  /** The folders of this workspace at the time when it had just these files. */
  folders: SurveyedFolders;
}

/**
 * Which file holds which words, always at most a second behind the files: before a question, every file's size and time
 * is compared, and what changed is read again into a small segment of its own, kept for the next process. When those have
 * grown, all is built anew.
 */
export class WordIndex {
  /** What can be asked; those made when all was read are kept on disk. */
  readonly words = new LiveSegments();
  readonly #source: SourceFiles;
  readonly #folder: IndexFolder;
  readonly #shared: SharedWords | undefined;
  /** Files that went since the last look at everything. */
  readonly #removed = new Set<string>();
  /** Names what is kept on disk; undefined when nothing is. */
  generation: string | undefined;
  /** What the last survey found; of what is kept on disk, made when it is first asked for. */
  #folders: () => SurveyedFolders | undefined = () => undefined;
  /** The folders as they were when all was kept. */
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
  readonly #touched = new Set<string>();
  #looking: Promise<void> | undefined;
  /** Grows with every change of any file. */
  version = 0;

  /** With `shared`, only what differs from it is read here, and nothing is kept on disk. */
  constructor(source: SourceFiles, folder: IndexFolder, shared?: SharedWords) {
    this.#source = source;
    this.#folder = folder;
    this.#shared = shared;
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
    // A sweep that begins later is fresh enough, however long it takes.
    const oldest = Date.now() - freshForMs;
    if (!this.#loaded) this.#load();
    while (this.#touched.size > 0 || this.#looking !== undefined) {
      this.#looking ??= this.#lookAtTouched().finally(() => {
        this.#looking = undefined;
      });
      await this.#looking;
    }
    const scope = options.codeOnly ? "code" : "all";
    while (this.#given < this.#wanted || this.#sweptAt[scope] <= oldest) {
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
      if (!this.words.has(path) || (file && !file.isFile) || !this.#everSwept) {
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
    this.words.replace([]);
    this.generation = undefined;
    this.#folders = () => undefined;
    this.#keptFolders = () => undefined;
    this.#keptState = undefined;
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
      isWanted: scope === "code" ? mayBeCode : undefined,
    });
    const isNew = this.words.isEmpty;
    const isWhole = changed.length > 0 && (isNew || this.words.isWorn(changed.length));
    const isScattered = this.words.later.length >= mostLater;
    if (isWhole) {
      const writer = new IndexWriter(this.#folder);
      const read = await readSegments(this.#source, isNew ? changed : filesIn(folders), {
        ...options,
        keep: (arrays, number) => writer.put(arrays, number),
      });
      this.#forget();
      this.words.replace(read.map(segmentOf));
      this.version++;
      this.#keep(folders, read, writer);
    } else if (changed.length > 0) {
      const again = isScattered ? this.#withLater(changed) : changed;
      const read = await readSegments(this.#source, again, options);
      if (isScattered) this.words.dropLater();
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
    return [...changed, ...[...this.words.laterFiles()].filter(({ path }) => !paths.has(path))];
  }

  #load(): void {
    this.#loaded = true;
    if (this.#shared) {
      const { segments, generation, folders } = this.#shared;
      this.words.replace(segments);
      this.generation = generation;
      this.#folders = () => folders;
      return;
    }
    const saved = loadIndex(this.#folder);
    this.words.replace(saved?.segments ?? []);
    this.generation = saved?.generation;
    this.#keptFolders = saved?.keptFolders ?? (() => undefined);
    this.#folders = saved?.folders ?? (() => undefined);
    this.#keptState = saved?.state;
    for (const segment of saved?.later?.segments ?? []) this.words.add(segment);
    for (const path of saved?.later?.goneFiles ?? []) this.words.bury(path);
    const surveyed = saved && lastSurvey(this.#folder, saved.state);
    if (surveyed) this.#swept(surveyed.scope, surveyed.at);
  }

  #take(read: readonly MadeSegment[]): void {
    this.#keptState = undefined;
    for (const segment of read) {
      const { files } = segment;
      const isOther = files.some(({ path, hash }) => hash === "" || this.words.file(path)?.hash !== hash);
      this.words.add(segmentOf(segment));
      if (isOther) this.version++;
    }
  }

  /** An index that cannot be kept (a full disk, a folder taken away) still answers; the next process builds it again. */
  #keep(folders: SurveyedFolders, read: readonly MadeSegment[], writer: IndexWriter): void {
    this.#keptFolders = () => folders;
    try {
      this.generation = writer.finish(folders, read);
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
        goneFiles: this.words.goneFiles(),
        segments: this.words.later,
      });
      this.#keptState = stateName(generation, id);
    } catch {
      return;
    }
  }

  #remove(path: string): void {
    if (this.words.bury(path)) this.version++;
  }

  /** Files, links and the like below a directory, in the order of a walk; undefined when there is no such directory. */
  pathsBelow(path: string): KnownPath[] | undefined {
    const folders = this.#folders();
    if (!folders?.has(path)) return undefined;
    return [...pathsBelow(folders, path)].filter((known) => !this.#removed.has(known.path));
  }

  /** Whether a file or folder is one that the index knows: not ignored, and there. */
  covers(path: string): boolean {
    return this.words.has(path) || this.#folders()?.has(path) === true;
  }
}

function segmentOf({ files, parts }: MadeSegment): Segment {
  return new Segment(new ReadFiles(files), parts);
}

function filesIn(folders: SurveyedFolders): FileToRead[] {
  return [...folders.values()].flatMap(({ path, files, first, sizes }) =>
    files.map((name, i) => ({ path: joinPath(path, name), size: sizes[first + i] ?? 0 })),
  );
}
