import { crc32 } from "node:zlib";
import type { IndexFolder } from "./files.ts";
import { type Dictionary, type IndexedFile, Segment, type SegmentParts } from "./segment.ts";
import { TermTable } from "./term-table.ts";

/** Raised whenever what is stored would be read wrongly by this version. */
const version = 1;
const manifestName = "words.json";
const graceMs = 60_000;

interface Manifest {
  version: number;
  /** Part of the file names: a new index never overwrites the one another process may be reading. */
  generation: string;
  savedAt: string;
}

/** Writes a whole segment; whoever opens the index from now on gets it. */
export function saveSegment(parts: SegmentParts, folder: IndexFolder, savedAt: string): void {
  const generation = `${Date.now()}-${process.pid}`;
  const write = (part: string, bytes: Uint8Array) => folder.write(`words-${generation}.${part}`, bytes);
  const { offsets, bytes } = parts.grams();
  write("files", pack([Buffer.from(JSON.stringify(parts.files.flatMap(rowOf)))]));
  write("words", packDictionary(parts.words()));
  write("subs", packDictionary(parts.subTokens()));
  write("grams", pack([offsets, bytes, parts.lengths()]));
  const manifest: Manifest = { version, generation, savedAt };
  folder.write(manifestName, Buffer.from(JSON.stringify(manifest)));
  removeOld(folder, generation);
}

/** Other generations go away, but not those that another process may be writing or has just begun to read. */
function removeOld(folder: IndexFolder, current: string): void {
  for (const name of folder.names()) {
    const [, generation, time] = /^words-((\d+)-\d+)\./.exec(name) ?? [];
    if (generation && generation !== current && Date.now() - Number(time) > graceMs) folder.remove(name);
  }
}

/** The saved segment, its parts read when they are first needed. Undefined when there is none that can be trusted. */
export function loadSegment(folder: IndexFolder): { segment: Segment; savedAt: string } | undefined {
  try {
    const manifest = JSON.parse(folder.read(manifestName)?.toString() ?? "null") as Manifest | null;
    if (manifest?.version !== version) return undefined;
    const part = (name: string) => {
      const bytes = folder.read(`words-${manifest.generation}.${name}`);
      if (!bytes) throw new Damaged();
      return unpack(bytes);
    };
    const lazily = <T>(make: () => T) => {
      let made: T | undefined;
      return () => (made ??= make());
    };
    const grams = lazily(() => part("grams"));
    const [list] = part("files");
    const rows = JSON.parse(Buffer.from(list ?? []).toString()) as (string | number)[];
    const segment = new Segment({
      files: filesOf(rows),
      words: lazily(() => dictionaryOf(part("words"))),
      subTokens: lazily(() => dictionaryOf(part("subs"))),
      grams: lazily(() => ({ offsets: numbers(grams()[0]), bytes: grams()[1] ?? new Uint8Array() })),
      lengths: lazily(() => numbers(grams()[2])),
    });
    return { segment, savedAt: manifest.savedAt };
  } catch {
    // Damaged, or replaced while we read: it is built again.
    return undefined;
  }
}

/** A part that cannot be read any more; the index is rebuilt. */
export class Damaged extends Error {
  constructor() {
    super("The word index is damaged.");
  }
}

const rowOf = ({ path, size, modified, hash, language }: IndexedFile) => [
  path,
  size,
  modified,
  hash,
  language,
];

function filesOf(rows: (string | number)[]): IndexedFile[] {
  const files: IndexedFile[] = [];
  for (let i = 0; i < rows.length; i += 5) {
    const [path, size, modified, hash, language] = rows.slice(i, i + 5) as [
      string,
      number,
      string,
      string,
      string,
    ];
    files.push({ path, size, modified, hash, language });
  }
  return files;
}

function packDictionary({ table, offsets, lists }: Dictionary): Buffer {
  const { slots, starts, arena, size } = table;
  const used = arena.subarray(0, starts[size]);
  return pack([slots, starts.subarray(0, size + 1), used, offsets, lists]);
}

function dictionaryOf([slots, starts, arena, offsets, lists]: Uint8Array[]): Dictionary {
  const sizes = numbers(starts);
  const signed = (bytes: Uint8Array | undefined) =>
    new Int32Array(numbers(bytes).buffer, numbers(bytes).byteOffset, numbers(bytes).length);
  return {
    table: new TermTable({
      slots: signed(slots),
      starts: sizes,
      arena: arena ?? new Uint8Array(),
      size: sizes.length - 1,
    }),
    offsets: numbers(offsets),
    lists: lists ?? new Uint8Array(),
  };
}

type Packable = Uint8Array | Uint32Array | Int32Array;

/** Checksum, count, the length of each array, then the arrays, each from a multiple of four on. */
function pack(arrays: Packable[]): Buffer {
  const chunks = arrays.map((array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength));
  const head = Buffer.alloc(8 + 4 * chunks.length);
  head.writeUInt32LE(chunks.length, 4);
  chunks.forEach((chunk, i) => {
    head.writeUInt32LE(chunk.length, 8 + 4 * i);
  });
  const whole = Buffer.concat([
    head,
    ...chunks.flatMap((chunk) => [chunk, Buffer.alloc((4 - (chunk.length % 4)) % 4)]),
  ]);
  whole.writeUInt32LE(crc32(whole.subarray(4)), 0);
  return whole;
}

function unpack(bytes: Buffer): Uint8Array[] {
  if (bytes.length < 8 || bytes.readUInt32LE(0) !== crc32(bytes.subarray(4))) throw new Damaged();
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(new Uint8Array(bytes).buffer);
  const count = aligned.readUInt32LE(4);
  let at = 8 + 4 * count;
  return Array.from({ length: count }, (_, i) => {
    const length = aligned.readUInt32LE(8 + 4 * i);
    const array = new Uint8Array(aligned.buffer, aligned.byteOffset + at, length);
    at += length + ((4 - (length % 4)) % 4);
    return array;
  });
}

const numbers = (bytes: Uint8Array | undefined) =>
  new Uint32Array(bytes?.buffer ?? new ArrayBuffer(), bytes?.byteOffset ?? 0, (bytes?.byteLength ?? 0) >> 2);
