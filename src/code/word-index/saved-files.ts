import { joinPath, nameOf, parentOf } from "../../workspace/path.ts";
import type { SurveyedFolder, SurveyedFolders } from "../../workspace/workspace.ts";
import { Damaged, doubles, pack, unsigned } from "./packed.ts";
import type { FileList, IndexedFile } from "./segment.ts";

/** Ends each name: the one character that no name can hold. */
const end = "\0";
const hashBytes = 20;
/** Kept of each folder besides its files: how many rules, folders, files and others it has. */
const countsOfFolder = 4;

/** What is in the manifest of the files; the rest is numbers and names. */
interface Heads {
  languages: string[];
  /** Files of each segment, and how many of them are in a language that is parsed. */
  counts: number[];
  codeCounts: number[];
}

/** Names as texts, numbers as arrays: a short process unpacks only what it is asked for. */
export function packFiles(
  folders: SurveyedFolders,
  segments: readonly { files: readonly IndexedFile[] }[],
): Uint8Array[] {
  const all = [...folders.values()];
  const files = segments.flatMap((segment) => segment.files);
  const heads: Heads = {
    languages: [...new Set(files.map(({ language }) => language))],
    counts: segments.map((segment) => segment.files.length),
    codeCounts: segments.map((segment) => segment.files.filter(({ language }) => language !== "").length),
  };
  const hashes = Buffer.alloc(files.length * hashBytes);
  files.forEach(({ hash }, i) => {
    hashes.write(hash, i * hashBytes, hashBytes, "base64url");
  });
  const ofFiles = (numbers: (folder: SurveyedFolder) => ArrayLike<number>) =>
    Float64Array.from(
      all.flatMap((folder) => folder.files.map((_, i) => numbers(folder)[folder.first + i] as number)),
    );
  return pack([
    Buffer.from(JSON.stringify(heads)),
    Float64Array.from(all.flatMap(({ time, rulesState }) => [time, rulesState])),
    Uint32Array.from(
      all.flatMap((folder) =>
        [folder.rules, folder.folders, folder.files, folder.others].map((names) => names.length),
      ),
    ),
    textOf(all.flatMap(({ path, rules, folders: inner, others }) => [path, ...rules, ...inner, ...others])),
    textOf(all.flatMap((folder) => folder.files)),
    ofFiles(({ sizes }) => sizes),
    ofFiles(({ times }) => times),
    ofFiles(({ modified }) => modified),
    hashes,
    Uint32Array.from(files.keys()).sort(
      (a, b) =>
        hashes.compare(hashes, b * hashBytes, (b + 1) * hashBytes, a * hashBytes, (a + 1) * hashBytes) ||
        a - b,
    ),
    Uint8Array.from(files, ({ language }) => heads.languages.indexOf(language)),
  ]);
}

const textOf = (names: readonly string[]) => Buffer.from(names.map((name) => `${name}${end}`).join(""));

/** All files of an index, in the order of its survey; records are made of those that are asked for. */
export class SavedFiles {
  readonly #heads: Heads;
  readonly #folderNumbers: Float64Array;
  readonly #counts: Uint32Array;
  readonly #otherText: Buffer;
  readonly #nameText: Buffer;
  readonly #sizes: Float64Array;
  readonly #times: Float64Array;
  readonly #modified: Float64Array;
  readonly #hashes: Buffer;
  readonly #byHash: Uint32Array;
  readonly #languages: Uint8Array;
  readonly #made: (IndexedFile | undefined)[] = [];
  #names: string[] | undefined;
  #paths: { first: Uint32Array; folders: string[] } | undefined;
  #byFolder: Map<string, number> | undefined;
  #lastFound: { hash: string; numbers: Uint32Array } | undefined;

  constructor(parts: Uint8Array[]) {
    const [heads, folderNumbers, counts, others, names, sizes, times, modified, hashes, byHash, languages] =
      parts;
    if (!heads || !folderNumbers || !counts || !others || !names || !sizes || !times || !modified)
      throw new Damaged();
    if (!hashes || !byHash || !languages) throw new Damaged();
    this.#heads = JSON.parse(bufferOf(heads).toString()) as Heads;
    this.#folderNumbers = doubles(folderNumbers);
    this.#counts = unsigned(counts);
    this.#otherText = bufferOf(others);
    this.#nameText = bufferOf(names);
    this.#sizes = doubles(sizes);
    this.#times = doubles(times);
    this.#modified = doubles(modified);
    this.#hashes = bufferOf(hashes);
    this.#byHash = unsigned(byHash);
    this.#languages = languages;
  }

  /** The files of each segment. */
  segments(): FileList[] {
    let start = 0;
    return this.#heads.counts.map((count, i) => {
      start += count;
      return new SavedRange(this, start - count, count, this.#heads.codeCounts[i] ?? 0);
    });
  }

  folders(): SurveyedFolders {
    const folders: SurveyedFolders = new Map();
    const others = namesIn(this.#otherText);
    const names = this.#fileNames();
    let other = 0;
    let first = 0;
    const take = (count: number) => {
      other += count;
      return others.slice(other - count, other);
    };
    const counts = this.#counts;
    for (let i = 0, at = 0; at < counts.length; i++, at += countsOfFolder) {
      const files = counts[at + 2] as number;
      const path = others[other++] ?? "";
      folders.set(path, {
        path,
        time: this.#folderNumbers[2 * i] as number,
        rules: take(counts[at] as number),
        rulesState: this.#folderNumbers[2 * i + 1] as number,
        folders: take(counts[at + 1] as number),
        files: names.slice(first, first + files),
        first,
        sizes: this.#sizes,
        times: this.#times,
        modified: this.#modified,
        others: take(counts[at + 3] as number),
      });
      first += files;
    }
    return folders;
  }

  at(number: number): IndexedFile {
    this.#made[number] ??= {
      path: this.#pathOf(number),
      size: this.#sizes[number] as number,
      hash: this.#hashOf(number),
      language: this.#heads.languages[this.#languages[number] as number] ?? "",
    };
    return this.#made[number];
  }

  /** -1 when there is none. */
  numberOf(path: string): number {
    this.#paths ??= this.#folderPaths();
    const { first, folders } = this.#paths;
    this.#byFolder ??= new Map(folders.map((folder, i) => [folder, i]));
    const folder = this.#byFolder.get(parentOf(path)) ?? folders.length;
    const names = this.#fileNames();
    const name = nameOf(path);
    for (let number = first[folder] as number; number < (first[folder + 1] ?? 0); number++)
      if (names[number] === name) return number;
    return -1;
  }

  /** In the order of their numbers. Every segment asks for the same content, one after the other. */
  withHash(hash: string): Uint32Array {
    if (this.#lastFound?.hash !== hash) this.#lastFound = { hash, numbers: this.#findHash(hash) };
    return this.#lastFound.numbers;
  }

  #findHash(hash: string): Uint32Array {
    const wanted = Buffer.alloc(hashBytes);
    wanted.write(hash, "base64url");
    let low = 0;
    let high = this.#byHash.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(wanted, this.#byHash[middle] as number) > 0) low = middle + 1;
      else high = middle;
    }
    let to = low;
    while (to < this.#byHash.length && this.#compare(wanted, this.#byHash[to] as number) === 0) to++;
    return this.#byHash.subarray(low, to);
  }

  #compare(wanted: Buffer, number: number): number {
    const from = number * hashBytes;
    // Nearly always told by the first bytes, without leaving the engine.
    const difference = wanted.readUInt32BE(0) - this.#hashes.readUInt32BE(from);
    return difference || wanted.compare(this.#hashes, from, from + hashBytes);
  }

  #hashOf(number: number): string {
    const from = number * hashBytes;
    for (let i = from; i < from + hashBytes; i++)
      if (this.#hashes[i] !== 0) return this.#hashes.toString("base64url", from, from + hashBytes);
    return "";
  }

  #pathOf(number: number): string {
    this.#paths ??= this.#folderPaths();
    const { first, folders } = this.#paths;
    let low = 0;
    let high = folders.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((first[middle] as number) <= number) low = middle;
      else high = middle;
    }
    return joinPath(folders[low] ?? "", this.#fileNames()[number] ?? "");
  }

  /** Of each folder: its path, and the number of its first file; then the number of all. */
  #folderPaths(): { first: Uint32Array; folders: string[] } {
    const others = namesIn(this.#otherText);
    const folders: string[] = [];
    const first = new Uint32Array(this.#counts.length / countsOfFolder + 1);
    let other = 0;
    let file = 0;
    const counts = this.#counts;
    for (let i = 0, at = 0; at < counts.length; i++, at += countsOfFolder) {
      folders.push(others[other] ?? "");
      first[i] = file;
      other += 1 + (counts[at] as number) + (counts[at + 1] as number) + (counts[at + 3] as number);
      file += counts[at + 2] as number;
    }
    first[folders.length] = file;
    return { first, folders };
  }

  #fileNames(): string[] {
    this.#names ??= namesIn(this.#nameText);
    return this.#names;
  }
}

/** The files of one segment among all. */
class SavedRange implements FileList {
  readonly #all: SavedFiles;
  readonly #first: number;
  readonly length: number;
  readonly codeFiles: number;

  constructor(all: SavedFiles, first: number, length: number, codeFiles: number) {
    this.#all = all;
    this.#first = first;
    this.length = length;
    this.codeFiles = codeFiles;
  }

  at(number: number): IndexedFile | undefined {
    return number < this.length ? this.#all.at(this.#first + number) : undefined;
  }

  numberOf(path: string): number {
    const number = this.#all.numberOf(path) - this.#first;
    return number >= 0 && number < this.length ? number : -1;
  }

  withHash(hash: string): number[] {
    const found: number[] = [];
    for (const number of this.#all.withHash(hash))
      if (number >= this.#first && number < this.#first + this.length) found.push(number - this.#first);
    return found;
  }

  *[Symbol.iterator](): Iterator<IndexedFile> {
    for (let i = 0; i < this.length; i++) yield this.#all.at(this.#first + i);
  }
}

const namesIn = (text: Buffer) => text.toString().split(end);

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array) => Buffer.from(buffer, byteOffset, length);
