import { lstatSync, type Stats } from "node:fs";
import { Failure } from "../events/failure.ts";
import type { FolderCursor } from "./folder-cursor.ts";
import { IgnoreRules, ruleFiles } from "./ignore-rules.ts";
import type { Jail } from "./jail.ts";
import { joinPath } from "./path.ts";
import { takeTurns } from "./turns.ts";
import type { Survey, SurveyedFile, SurveyedFolder, SurveyedFolders } from "./workspace.ts";

/** Within this time, something may change again without a new time stamp. */
const stampGraceMs = 50;

/**
 * Every file that is not ignored, hidden ones included, and what became of it since an earlier survey. A directory with
 * an unchanged time has the same names: they are not read again, and its files are only looked at. So is a file changed
 * in place seen, which leaves its directory's time alone.
 */
export async function surveyTree(
  jail: Jail,
  before: SurveyedFolders | undefined,
  signal?: AbortSignal,
): Promise<Survey> {
  using cursor = jail.cursor();
  const surveyor = new Surveyor(jail.root, cursor, before ?? new Map());
  const turn = takeTurns();
  for (const _ of surveyor.visit(".", undefined, true)) {
    if (signal?.aborted) throw new Failure("ABORTED", "The survey was stopped before its end.");
    await turn();
  }
  return surveyor.result();
}

class Surveyor {
  readonly #root: string;
  readonly #cursor: FolderCursor;
  readonly #before: SurveyedFolders;
  readonly #youngFrom = Date.now() - stampGraceMs;
  readonly #folders: SurveyedFolders = new Map();
  readonly #changed: SurveyedFile[] = [];
  readonly #gone: string[] = [];
  /** What listing a directory told about the directories in it. */
  readonly #seen = new Map<string, Stats>();

  constructor(root: string, cursor: FolderCursor, before: SurveyedFolders) {
    this.#root = root;
    this.#cursor = cursor;
    this.#before = before;
  }

  result(): Survey {
    for (const [path, { files }] of this.#before)
      if (!this.#folders.has(path)) for (const name of files) this.#gone.push(joinPath(path, name));
    return { folders: this.#folders, changed: this.#changed, gone: this.#gone };
  }

  /** Yields after each directory. `ruled` says that no ignore file above has changed. */
  *visit(path: string, outer: LazyRules | undefined, ruled: boolean): Generator<void> {
    const stats = this.#seen.get(path) ?? this.#look(path);
    this.#seen.delete(path);
    if (!stats?.isDirectory()) return;
    const known = this.#before.get(path);
    const isSame =
      ruled && known?.time === stats.ctimeMs && known.rulesState === this.#stateOf(path, known.rules);
    const names = isSame ? undefined : this.#namesIn(path);
    if (!isSame && !names) return;
    const ruleNames = names ? ruleFiles.filter((name) => names.includes(name)) : (known?.rules ?? []);
    const rules = ruleNames.length > 0 ? new LazyRules(this.#cursor, path, ruleNames, outer) : outer;
    const folder =
      names || !known ? this.#list(path, stats, names ?? [], ruleNames, rules) : this.#lookAgain(known);
    this.#folders.set(path, folder);
    if (!known) this.#addAll(folder);
    else if (folder !== known) this.#compare(known, folder);
    yield;
    const stillRuled = ruled && known?.rulesState === folder.rulesState;
    for (const name of folder.folders) yield* this.visit(joinPath(path, name), rules, stillRuled);
  }

  /** The same names; the record itself when nothing about its files changed. */
  #lookAgain(known: SurveyedFolder): SurveyedFolder {
    let again: { sizes: number[]; times: number[] } | undefined;
    const base = this.#absolute(known.path);
    for (let i = 0; i < known.files.length; i++) {
      const stats = lstatSync(`${base}/${known.files[i]}`, quietly);
      const time = this.#timeOf(stats);
      if (time === known.times[i] && stats?.size === known.sizes[i]) continue;
      again ??= { sizes: Array.from(known.sizes), times: Array.from(known.times) };
      again.sizes[i] = stats?.isFile() ? stats.size : gone;
      again.times[i] = time;
    }
    if (!again) return known;
    const { sizes, times } = again;
    if (!sizes.includes(gone)) return { ...known, sizes, times };
    // Gone although its directory did not change: seen in the middle of a change, so it is looked at again next time.
    const stay = <T>(list: T[]) => list.filter((_, i) => sizes[i] !== gone);
    return { ...known, time: Number.NaN, files: stay(known.files), sizes: stay(sizes), times: stay(times) };
  }

  #list(
    path: string,
    { ctimeMs }: Stats,
    names: readonly string[],
    ruleNames: string[],
    rules: LazyRules | undefined,
  ): SurveyedFolder {
    const sizes: number[] = [];
    const times: number[] = [];
    const folder: SurveyedFolder = {
      path,
      time: this.#settled(ctimeMs),
      rules: ruleNames,
      rulesState: this.#stateOf(path, ruleNames),
      folders: [],
      files: [],
      sizes,
      times,
      others: [],
    };
    const base = this.#absolute(path);
    for (const name of names) {
      if (name === ".git") continue;
      const stats = lstatSync(`${base}/${name}`, quietly);
      const isDirectory = stats?.isDirectory() ?? false;
      if (!stats || rules?.get().ignores(joinPath(path, name), isDirectory)) continue;
      if (isDirectory) {
        folder.folders.push(name);
        this.#seen.set(joinPath(path, name), stats);
      } else if (!stats.isFile()) folder.others.push(name);
      else {
        folder.files.push(name);
        sizes.push(stats.size);
        times.push(this.#timeOf(stats));
      }
    }
    return folder;
  }

  /** A directory that vanished, was swapped for a link, or cannot be opened is left out; the root must be there. */
  #namesIn(path: string): string[] | undefined {
    try {
      return this.#cursor.at(path).names();
    } catch (error) {
      if (path === ".") throw error;
      return undefined;
    }
  }

  #compare(known: SurveyedFolder, folder: SurveyedFolder): void {
    const place = new Map(known.files.map((name, i) => [name, i]));
    folder.files.forEach((name, i) => {
      const at = place.get(name) ?? -1;
      place.delete(name);
      if (known.times[at] !== folder.times[i] || known.sizes[at] !== folder.sizes[i]) this.#add(folder, i);
    });
    for (const name of place.keys()) this.#gone.push(joinPath(folder.path, name));
  }

  #addAll(folder: SurveyedFolder): void {
    for (let i = 0; i < folder.files.length; i++) this.#add(folder, i);
  }

  #add({ path, files, sizes, times }: SurveyedFolder, i: number): void {
    this.#changed.push({
      path: joinPath(path, files[i] ?? ""),
      size: sizes[i] ?? 0,
      time: times[i] ?? Number.NaN,
    });
  }

  #stateOf(path: string, ruleNames: readonly string[]): number {
    let state = 0;
    for (const name of ruleNames) {
      const stats = this.#look(joinPath(path, name));
      state += this.#timeOf(stats) + (stats?.size ?? 0);
    }
    return state;
  }

  /**
   * By path, which is several times faster than through an open directory. Only numbers come of it: whoever swaps a
   * directory for a link meanwhile can make us read again, and reading is the jail's.
   */
  #look(path: string): Stats | undefined {
    return lstatSync(this.#absolute(path), quietly);
  }

  #absolute(path: string): string {
    return path === "." ? this.#root : `${this.#root}/${path}`;
  }

  #timeOf(stats: Stats | undefined): number {
    return stats ? this.#settled(stats.ctimeMs) : Number.NaN;
  }

  #settled(time: number): number {
    return time < this.#youngFrom ? time : Number.NaN;
  }
}

const gone = -1;
const quietly = { throwIfNoEntry: false } as const;

/** The ignore rules down to one directory, read when a directory must be listed. */
class LazyRules {
  readonly #cursor: FolderCursor;
  readonly #path: string;
  readonly #names: readonly string[];
  readonly #outer: LazyRules | undefined;
  #rules: IgnoreRules | undefined;

  constructor(cursor: FolderCursor, path: string, names: readonly string[], outer: LazyRules | undefined) {
    this.#cursor = cursor;
    this.#path = path;
    this.#names = names;
    this.#outer = outer;
  }

  get(): IgnoreRules {
    if (!this.#rules) {
      const outer = this.#outer?.get() ?? IgnoreRules.none;
      this.#rules = outer.within(this.#cursor.at(this.#path), this.#path, new Set(this.#names));
    }
    return this.#rules;
  }
}
