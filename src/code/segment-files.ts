import { joinPath } from "../workspace/path.ts";
import type { SurveyedFolders } from "../workspace/workspace.ts";
import type { IndexFolder } from "./files.ts";
import { Damaged, doubles, pack, signed, unpack, unsigned } from "./packed.ts";
import { type Dictionary, type Grams, type IndexedFile, Segment } from "./segment.ts";
import type { ReadSegment } from "./segment-reading.ts";
import { TermTable } from "./term-table.ts";

/** Raised whenever what is stored would be read wrongly by this version. */
const version = 3;
const manifestName = "words.json";
const graceMs = 60_000;

interface Manifest {
  version: number;
  /** Part of the file names: a new index never overwrites the one another process may be reading. */
  generation: string;
}

/** Writes a whole index, the files in the order of the survey; whoever opens the index from now on gets it. */
export function saveIndex(
  folder: IndexFolder,
  folders: SurveyedFolders,
  segments: readonly ReadSegment[],
): string {
  const generation = `${Date.now()}-${process.pid}`;
  const write = (part: string, bytes: Uint8Array[]) => folder.write(`words-${generation}.${part}`, bytes);
  write("files", packFiles(folders, segments));
  segments.forEach(({ arrays: { words, subTokens, grams } }, i) => {
    write(`words${i}`, packDictionary(words));
    write(`subs${i}`, packDictionary(subTokens));
    write(`grams${i}`, pack([grams.offsets, grams.bytes, grams.lengths]));
  });
  const manifest: Manifest = { version, generation };
  folder.write(manifestName, [Buffer.from(JSON.stringify(manifest))]);
  removeOld(folder, generation);
  return generation;
}

/** Other generations go away, but not those that another process may be writing or has just begun to read. */
function removeOld(folder: IndexFolder, current: string): void {
  for (const name of folder.names()) {
    const [, generation, time] = /^words-((\d+)-\d+)\./.exec(name) ?? [];
    if (generation && generation !== current && Date.now() - Number(time) > graceMs) folder.remove(name);
  }
}

export interface SavedIndex {
  generation: string;
  folders: SurveyedFolders;
  segments: Segment[];
}

/** The saved index, its larger parts read when they are first needed. Undefined when there is none that can be trusted. */
export function loadIndex(folder: IndexFolder): SavedIndex | undefined {
  try {
    const manifest = JSON.parse(folder.read(manifestName)?.toString() ?? "null") as Manifest | null;
    if (manifest?.version !== version) return undefined;
    const { generation } = manifest;
    const part = (name: string) => {
      const bytes = folder.read(`words-${generation}.${name}`);
      if (!bytes) throw new Damaged();
      return unpack(bytes);
    };
    const { folders, files } = unpackFiles(part("files"));
    const segments = files.map(
      (list, i) =>
        new Segment(list, {
          words: lazily(() => dictionaryOf(part(`words${i}`))),
          subTokens: lazily(() => dictionaryOf(part(`subs${i}`))),
          grams: lazily(() => gramsIn(part(`grams${i}`))),
        }),
    );
    return { generation, folders, segments };
  } catch {
    // Damaged, or replaced while we read: it is built again.
    return undefined;
  }
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Names as one text, numbers as arrays: tens of thousands of files are there in milliseconds. */
interface FileNames {
  folders: [path: string, rules: string[], folders: string[], files: string[], others: string[]][];
  languages: string[];
  /** Files of each segment. */
  counts: number[];
}

function packFiles(folders: SurveyedFolders, segments: readonly ReadSegment[]): Uint8Array[] {
  const all = [...folders.values()];
  const files = segments.flatMap((segment) => segment.files);
  const languages = [...new Set(files.map(({ language }) => language))];
  const names: FileNames = {
    folders: all.map(({ path, rules, folders: inner, files: own, others }) => [
      path,
      rules,
      inner,
      own,
      others,
    ]),
    languages,
    counts: segments.map((segment) => segment.files.length),
  };
  return pack([
    Buffer.from(JSON.stringify(names)),
    Float64Array.from(all.flatMap(({ time, rulesState }) => [time, rulesState])),
    Float64Array.from(all.flatMap(({ sizes }) => Array.from(sizes))),
    Float64Array.from(all.flatMap(({ times }) => Array.from(times))),
    Buffer.from(files.map(({ hash }) => hash).join("\n")),
    Uint8Array.from(files, ({ language }) => languages.indexOf(language)),
  ]);
}

function unpackFiles(parts: Uint8Array[]): { folders: SurveyedFolders; files: IndexedFile[][] } {
  const [text, folderNumbers, sizes, times, hashText, languageNumbers] = parts;
  if (!text || !folderNumbers || !sizes || !times || !hashText || !languageNumbers) throw new Damaged();
  const names = JSON.parse(textOf(text, "utf8")) as FileNames;
  const hashes = textOf(hashText, "latin1").split("\n");
  const ofFolder = doubles(folderNumbers);
  const allSizes = doubles(sizes);
  const allTimes = doubles(times);
  const folders: SurveyedFolders = new Map();
  const all: IndexedFile[] = [];
  names.folders.forEach(([path, rules, inner, own, others], i) => {
    const from = all.length;
    for (const name of own) {
      const at = all.length;
      all.push({
        path: joinPath(path, name),
        size: allSizes[at] as number,
        hash: hashes[at] ?? "",
        language: names.languages[languageNumbers[at] as number] ?? "",
      });
    }
    folders.set(path, {
      path,
      time: ofFolder[2 * i] as number,
      rules,
      rulesState: ofFolder[2 * i + 1] as number,
      folders: inner,
      files: own,
      sizes: allSizes.subarray(from, all.length),
      times: allTimes.subarray(from, all.length),
      others,
    });
  });
  let start = 0;
  const files = names.counts.map((count) => {
    start += count;
    return all.slice(start - count, start);
  });
  return { folders, files };
}

const textOf = ({ buffer, byteOffset, length }: Uint8Array, encoding: BufferEncoding) =>
  Buffer.from(buffer, byteOffset, length).toString(encoding);

function packDictionary({ table, offsets, lists }: Dictionary): Uint8Array[] {
  const { slots, starts, arena, size } = table;
  return pack([slots, starts.subarray(0, size + 1), arena.subarray(0, starts[size]), offsets, lists]);
}

function dictionaryOf([slots, starts, arena, offsets, lists]: Uint8Array[]): Dictionary {
  if (!slots || !starts || !arena || !offsets || !lists) throw new Damaged();
  const sizes = unsigned(starts);
  return {
    table: new TermTable({ slots: signed(slots), starts: sizes, arena, size: sizes.length - 1 }),
    offsets: unsigned(offsets),
    lists,
  };
}

function gramsIn([offsets, bytes, lengths]: Uint8Array[]): Grams {
  if (!offsets || !bytes || !lengths) throw new Damaged();
  return { offsets: unsigned(offsets), bytes, lengths: unsigned(lengths) };
}
