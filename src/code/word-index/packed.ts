import { crc32 } from "node:zlib";

/** A stored part that cannot be read any more; the index is rebuilt. */
export class Damaged extends Error {
  constructor() {
    super("The word index is damaged.");
  }
}

type Packable = Uint8Array | Uint32Array | Int32Array | Float64Array;

const align = 8;

/** Checksum, count, the length of each array, then the arrays, each from a multiple of eight on. */
export function pack(arrays: readonly Packable[]): Uint8Array[] {
  const chunks = arrays.map((array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength));
  const head = Buffer.alloc(padded(8 + 4 * chunks.length));
  head.writeUInt32LE(chunks.length, 4);
  chunks.forEach((chunk, i) => {
    head.writeUInt32LE(chunk.length, 8 + 4 * i);
  });
  const all = [
    head,
    ...chunks.flatMap((chunk) => [chunk, Buffer.alloc(padded(chunk.length) - chunk.length)]),
  ];
  let sum = crc32(head.subarray(4));
  for (const chunk of all.slice(1)) sum = crc32(chunk, sum);
  head.writeUInt32LE(sum, 0);
  return all;
}

export function unpack(bytes: Buffer): Uint8Array[] {
  if (bytes.length < 8 || bytes.readUInt32LE(0) !== crc32(bytes.subarray(4))) throw new Damaged();
  const aligned = bytes.byteOffset % align === 0 ? bytes : Buffer.from(new Uint8Array(bytes).buffer);
  const count = aligned.readUInt32LE(4);
  let at = padded(8 + 4 * count);
  return Array.from({ length: count }, (_, i) => {
    const length = aligned.readUInt32LE(8 + 4 * i);
    const array = new Uint8Array(aligned.buffer, aligned.byteOffset + at, length);
    at += padded(length);
    return array;
  });
}

const padded = (length: number) => Math.ceil(length / align) * align;

// The same bytes as numbers.
export const unsigned = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new Uint32Array(buffer, byteOffset, byteLength >> 2);
export const signed = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new Int32Array(buffer, byteOffset, byteLength >> 2);
export const doubles = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new Float64Array(buffer, byteOffset, byteLength >> 3);
