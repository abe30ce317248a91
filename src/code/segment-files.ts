import type { SurveyedFolders } from "../workspace/workspace.ts";
import type { IndexFolder } from "./files.ts";
import { Damaged, pack, signed, unpack, unsigned } from "./packed.ts";
import { packFiles, SavedFiles } from "./saved-files.ts";
import { type Dictionary, type Grams, Segment } from "./segment.ts";
import type { ReadSegment } from "./segment-reading.ts";
import { TermTable } from "./term-table.ts";

/** Raised whenever what is stored would be read wrongly by this version. */
const version = 4;
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
  /** Unpacked when first asked for. */
  folders(): SurveyedFolders;
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
    const files = new SavedFiles(part("files"));
    const segments = files.segments().map(
      (list, i) =>
        new Segment(list, {
          words: lazily(() => dictionaryOf(part(`words${i}`))),
          subTokens: lazily(() => dictionaryOf(part(`subs${i}`))),
          grams: lazily(() => gramsIn(part(`grams${i}`))),
        }),
    );
    return { generation, folders: lazily(() => files.folders()), segments };
  } catch {
    // Damaged, or replaced while we read: it is built again.
    return undefined;
  }
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

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
