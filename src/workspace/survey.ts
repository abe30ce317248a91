import { lstatSync, type Stats } from "node:fs";
import { Failure } from "../failure/failure.ts";
import type { FolderCursor } from "./folder-cursor.ts";
import { IgnoreRules, ruleFiles } from "./ignore-rules.ts";
import type { Jail } from "./jail.ts";
import { escapedName, mayBeIgnored, nonUtf8Names } from "./non-utf8-names.ts";
import { joinPath } from "./path.ts";
import type { Survey, SurveyedFile, SurveyedFolder, SurveyedFolders, SurveyOptions } from "./workspace.ts";
import { createYielder } from "./yielder.ts";

/** Within this time, something may change again without a new time stamp. */
const stampGraceMs = 50;

/**
 * Every file that is not ignored, including hidden ones, and what changed since an earlier survey. A directory with
 * an unchanged ctime has the same names, so it is not listed again; its files are still checked, because a change in
 * place does not affect the directory's ctime.
 */
export async function surveyTree(
  jail: Jail,
  before: SurveyedFolders | undefined,
  { signal, isWanted }: SurveyOptions = {},
): Promise<Survey> {
  using cursor = jail.cursor();
  const surveyor = new Surveyor(jail.root, cursor, before ?? new Map(), isWanted);
  const turn = createYielder();
  const stopIfAborted = () => {
    if (signal?.aborted) throw new Failure("ABORTED", "The survey was stopped before its end.");
  };
  stopIfAborted();
  while (surveyor.visitNext()) {
    const pause = turn();
    if (!pause) continue;
    await pause;
    stopIfAborted();
  }
  return surveyor.result();
}

/** A directory to visit. `ruled` says that no ignore file above has changed. */
interface Place {
  path: string;
  outer: LazyRules | undefined;
  ruled: boolean;
}

class Surveyor {
  readonly #root: string;
  readonly #cursor: FolderCursor;
  readonly #before: SurveyedFolders;
  readonly #isWanted: ((name: string) => boolean) | undefined;
  readonly #youngFrom = Date.now() - stampGraceMs;
  readonly #folders: SurveyedFolders = new Map();
  readonly #changed: SurveyedFile[] = [];
  readonly #gone: string[] = [];
  /** The directories found while listing a directory. */
  readonly #seen = new Map<string, Stats>();
  /** The last one is the next. */
  readonly #ahead: Place[] = [{ path: ".", outer: undefined, ruled: true }];
  #differs = false;

  constructor(
    root: string,
    cursor: FolderCursor,
    before: SurveyedFolders,
    isWanted: ((name: string) => boolean) | undefined,
  ) {
    this.#root = root;
    this.#cursor = cursor;
    this.#before = before;
    this.#isWanted = isWanted;
  }

  result(): Survey {
    if (!this.#differs && this.#folders.size === this.#before.size)
      return { folders: this.#before, changed: [], gone: [] };
    for (const [path, { files }] of this.#before)
      if (!this.#folders.has(path)) for (const name of files) this.#gone.push(joinPath(path, name));
    return { folders: this.#folders, changed: this.#changed, gone: this.#gone };
  }

  /** One directory, parents first, in the order of a walk; false when there is none left. */
  visitNext(): boolean {
    const place = this.#ahead.pop();
    if (place) this.#visit(place);
    return place !== undefined;
  }

  #visit({ path, outer, ruled }: Place): void {
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
    if (folder !== known) this.#differs = true;
    if (!known) this.#addAll(folder);
    else if (folder !== known) this.#compare(known, folder);
    const stillRuled = ruled && known?.rulesState === folder.rulesState;
    for (let i = folder.folders.length - 1; i >= 0; i--) {
      const inner = joinPath(path, folder.folders[i] ?? "");
      this.#ahead.push({ path: inner, outer: rules, ruled: stillRuled });
    }
  }

  /** The same names; the record itself when nothing about its files changed. */
  #lookAgain(known: SurveyedFolder): SurveyedFolder {
    const { files, first } = known;
    let again: { sizes: number[]; times: number[]; modified: number[] } | undefined;
    const base = this.#absolute(known.path);
    const isWanted = this.#isWanted;
    for (let i = 0; i < files.length; i++) {
      if (isWanted && !isWanted(files[i] as string)) continue;
      const stats = lstatSync(`${base}/${files[i]}`, quietly);
      const time = this.#timeOf(stats);
      if (time === known.times[first + i] && stats?.size === known.sizes[first + i]) continue;
      again ??= {
        sizes: ofFolder(known, known.sizes),
        times: ofFolder(known, known.times),
        modified: ofFolder(known, known.modified),
      };
      again.sizes[i] = stats?.isFile() ? stats.size : gone;
      again.times[i] = time;
      again.modified[i] = stats?.mtimeMs ?? Number.NaN;
    }
    if (!again) return known;
    const { sizes, times, modified } = again;
    if (!sizes.includes(gone)) return { ...known, ...again, first: 0 };
    // Missing although its directory did not change: the survey saw it during a change, so it is checked again next
    // time.
    const stay = <T>(list: T[]) => list.filter((_, i) => sizes[i] !== gone);
    return {
      ...known,
      time: Number.NaN,
      files: stay(files),
      first: 0,
      sizes: stay(sizes),
      times: stay(times),
      modified: stay(modified),
    };
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
    const modified: number[] = [];
    const folder: SurveyedFolder = {
      path,
      time: this.#timeIfOld(ctimeMs),
      rules: ruleNames,
      rulesState: this.#stateOf(path, ruleNames),
      folders: [],
      files: [],
      first: 0,
      sizes,
      times,
      modified,
      others: [],
    };
    const base = this.#absolute(path);
    for (const raw of nonUtf8Names(this.#cursor.at(path), names)) {
      const name = escapedName(raw);
      if (!mayBeIgnored(joinPath(path, name), rules?.get())) folder.others.push(name);
    }
    for (const name of names) {
      const isTooLong = base.length + name.length > 1000 && Buffer.byteLength(`${base}/${name}`) >= 4096;
      if (name === ".git" || isTooLong) continue;
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
        modified.push(stats.mtimeMs);
      }
    }
    return folder;
  }

  /** A directory that vanished, became a link or cannot be opened is skipped; the root must exist. */
  #namesIn(path: string): string[] | undefined {
    try {
      return this.#cursor.at(path).names();
    } catch (error) {
      if (path === ".") throw error;
      return undefined;
    }
  }

  #compare(known: SurveyedFolder, folder: SurveyedFolder): void {
    const place = new Map(known.files.map((name, i) => [name, known.first + i]));
    folder.files.forEach((name, i) => {
      const at = place.get(name) ?? -1;
      place.delete(name);
      // What was listed or looked at again begins at 0.
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
   * By path, which is several times faster than through an open directory. It yields only numbers: replacing a
   * directory with a link at the same time can at most cause another read, and reads go through the jail.
   */
  #look(path: string): Stats | undefined {
    return lstatSync(this.#absolute(path), quietly);
  }

  #absolute(path: string): string {
    return path === "." ? this.#root : `${this.#root}/${path}`;
  }

  #timeOf(stats: Stats | undefined): number {
    return stats ? this.#timeIfOld(stats.ctimeMs) : Number.NaN;
  }

  #timeIfOld(time: number): number {
    return time < this.#youngFrom ? time : Number.NaN;
  }
}

function ofFolder({ first, files }: SurveyedFolder, all: ArrayLike<number>): number[] {
  return files.map((_, i) => all[first + i] as number);
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
