import type { SurveyedFolders } from "../../workspace/workspace.ts";
import type { IndexFolder } from "../files/files.ts";
import { type FolderChanges, packFolders, unpackFolders, withChanges } from "./later-files.ts";
import { Damaged, pack, signed, unpack, unsigned } from "./packed.ts";
import { packFiles, SavedFiles } from "./saved-files.ts";
import {
  type Dictionary,
  type Grams,
  type IndexedFile,
  ReadFiles,
  Segment,
  type SegmentParts,
} from "./segment.ts";
import type { SegmentArrays } from "./segment-builder.ts";
import { inMemory, type MadeSegment } from "./segment-building.ts";
import { TermTable } from "./term-table.ts";

/** Raised whenever what is stored would be read wrongly by this version. */
const version = 6;
const manifestName = "words.json";
const graceMs = 60_000;

interface Manifest {
  version: number;
  /** Part of the file names: a new index never overwrites the one another process may be reading. */
  generation: string;
}

/** Writes a whole index. */
export class IndexWriter {
  readonly #folder: IndexFolder;
  readonly #generation = `${Date.now()}-${process.pid}`;
  readonly #written = new Set<number>();

  constructor(folder: IndexFolder) {
    this.#folder = folder;
  }

  /** One segment ahead of the others; gives what it is read from when it is asked for. Stays in memory on a full disk. */
  put(arrays: SegmentArrays, number: number): SegmentParts {
    try {
      this.#write(inMemory(arrays, number), number);
      this.#written.add(number);
      return keptParts(this.#folder, this.#generation, number);
    } catch {
      return inMemory(arrays, number);
    }
  }

  /** All, the files in the order of the survey; whoever opens the index from now on gets it. */
  finish(folders: SurveyedFolders, segments: readonly MadeSegment[]): string {
    this.#writePart("files", packFiles(folders, segments));
    segments.forEach(({ parts }, i) => {
      if (!this.#written.has(i)) this.#write(parts, i);
    });
    const manifest: Manifest = { version, generation: this.#generation };
    this.#folder.write(manifestName, [Buffer.from(JSON.stringify(manifest))]);
    removeOld(this.#folder, this.#generation);
    return this.#generation;
  }

  #write({ words, subTokens, grams }: SegmentParts, number: number): void {
    this.#writePart(`words${number}`, pack(dictionaryArrays(words())));
    this.#writePart(`subs${number}`, pack(dictionaryArrays(subTokens())));
    this.#writePart(`grams${number}`, pack(gramArrays(grams())));
  }

  #writePart(part: string, bytes: Uint8Array[]): void {
    this.#folder.write(partName(this.#generation, part), bytes);
  }
}

const partName = (generation: string, part: string) => `words-${generation}.${part}`;

function readPart(folder: IndexFolder, generation: string, part: string): Uint8Array[] {
  const bytes = folder.read(partName(generation, part));
  if (!bytes) throw new Damaged();
  return unpack(bytes);
}

function keptParts(folder: IndexFolder, generation: string, number: number): SegmentParts {
  const part = (name: string) => readPart(folder, generation, `${name}${number}`);
  return {
    words: lazily(() => dictionaryOf(part("words"))),
    subTokens: lazily(() => dictionaryOf(part("subs"))),
    grams: lazily(() => gramsIn(part("grams"))),
  };
}

/** Other generations go away, but not those that another process may be writing or has just begun to read. */
function removeOld(folder: IndexFolder, current: string): void {
  for (const name of folder.names()) {
    const [, generation, time] = /^words-((\d+)-\d+)\./.exec(name) ?? [];
    if (generation && generation !== current && Date.now() - Number(time) > graceMs) folder.remove(name);
  }
}

/** What came after a whole index was kept: written anew whenever something else came. */
export interface Later {
  folders: FolderChanges;
  goneFiles: string[];
  segments: readonly Segment[];
}

interface LaterHeads {
  id: string;
  folders: ReturnType<typeof packFolders>["names"];
  goneFolders: string[];
  goneFiles: string[];
  /** Of each segment. */
  files: IndexedFile[][];
}

const laterName = (generation: string) => `words-${generation}.later`;
const partsOfSegment = 13;

/** Returns a name for just this state. */
export function saveLater(folder: IndexFolder, generation: string, later: Later): string {
  const id = `${Date.now()}-${process.pid}`;
  const { names, numbers } = packFolders(later.folders.changed);
  const heads: LaterHeads = {
    id,
    folders: names,
    goneFolders: later.folders.gone,
    goneFiles: later.goneFiles,
    files: later.segments.map((segment) => [...segment.files]),
  };
  const arrays = later.segments.flatMap(({ parts }) => [
    ...dictionaryArrays(parts.words()),
    ...dictionaryArrays(parts.subTokens()),
    ...gramArrays(parts.grams()),
  ]);
  folder.write(laterName(generation), pack([Buffer.from(JSON.stringify(heads)), numbers, ...arrays]));
  return id;
}

function loadLater(folder: IndexFolder, generation: string): { id: string; later: Later } | undefined {
  try {
    const bytes = folder.read(laterName(generation));
    const [text, numbers, ...arrays] = bytes ? unpack(bytes) : [];
    if (!text || !numbers) return undefined;
    const heads = JSON.parse(Buffer.from(text).toString()) as LaterHeads;
    const segments = heads.files.map((files, i) => {
      const own = arrays.slice(i * partsOfSegment, (i + 1) * partsOfSegment);
      return new Segment(new ReadFiles(files), {
        words: lazily(() => dictionaryOf(own)),
        subTokens: lazily(() => dictionaryOf(own.slice(5))),
        grams: lazily(() => gramsIn(own.slice(10))),
      });
    });
    const folders = { changed: unpackFolders(heads.folders, numbers), gone: heads.goneFolders };
    return { id: heads.id, later: { folders, goneFiles: heads.goneFiles, segments } };
  } catch {
    // Damaged: what it told is found again.
    return undefined;
  }
}

export interface SavedIndex {
  generation: string;
  /** As the whole index was kept, and as they were later; unpacked when first asked for. */
  keptFolders(): SurveyedFolders;
  folders(): SurveyedFolders;
  segments: Segment[];
  later: Later | undefined;
  /** Names the state that all this is. */
  state: string;
}

/** The saved index, its larger parts read when they are first needed. Undefined when there is none that can be trusted. */
export function loadIndex(folder: IndexFolder): SavedIndex | undefined {
  try {
    const manifest = JSON.parse(folder.read(manifestName)?.toString() ?? "null") as Manifest | null;
    if (manifest?.version !== version) return undefined;
    const { generation } = manifest;
    const files = new SavedFiles(readPart(folder, generation, "files"));
    const segments = files.segments().map((list, i) => new Segment(list, keptParts(folder, generation, i)));
    const { id, later } = loadLater(folder, generation) ?? { id: "", later: undefined };
    const keptFolders = lazily(() => files.folders());
    const folders = later ? lazily(() => withChanges(keptFolders(), later.folders)) : keptFolders;
    return { generation, keptFolders, folders, segments, later, state: stateName(generation, id) };
  } catch {
    // Damaged, or replaced while we read: it is built again.
    return undefined;
  }
}

export const stateName = (generation: string, laterId = "") => `${generation} ${laterId}`;

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function dictionaryArrays({ table, offsets, lists }: Dictionary) {
  const { slots, starts, arena, size } = table;
  return [slots, starts.subarray(0, size + 1), arena.subarray(0, starts[size]), offsets, lists];
}

const gramArrays = ({ offsets, bytes, lengths }: Grams) => [offsets, bytes, lengths];

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
