import { closeSync, readSync, type Stats, writeSync } from "node:fs";
import { Failure } from "../failure/failure.ts";
import type { Directory } from "./directory.ts";

const smallBytes = 1 << 16;
const chunkBytes = 1 << 20;
let scratch: Buffer | undefined;

/**
 * All bytes of an open file that is small, good until the next call: thousands of files share one buffer. Undefined for
 * a file that is larger, or has become so since: it is then to be read from its beginning.
 */
export function readSmall(fd: number, { size }: Stats): Buffer | undefined {
  if (size >= smallBytes) return undefined;
  scratch ??= Buffer.allocUnsafeSlow(smallBytes);
  let length = 0;
  for (let count = 1; count > 0 && length < smallBytes; length += count)
    count = readSync(fd, scratch, length, smallBytes - length, length);
  return length < smallBytes ? scratch.subarray(0, length) : undefined;
}

/** The rest of an open file in chunks; each chunk is valid until the next is read. */
export function* chunksOf(fd: number): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let count = readSync(fd, buffer); count > 0; count = readSync(fd, buffer))
    yield buffer.subarray(0, count);
}

/** A single write may be partial. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
}

/** Reads at most `maxBytes`, even if the file grows while it is read; into `scratch` when that is given and large enough. */
export function readFileAt(
  directory: Directory,
  name: string,
  path: string,
  maxBytes: number,
  scratch?: Buffer,
): { bytes: Buffer; stats: Stats } {
  const { fd, stats } = directory.openFile(name, path);
  try {
    if (stats.size > maxBytes) throw tooLarge(path, stats.size, maxBytes);
    let buffer = scratch && scratch.length > stats.size ? scratch : Buffer.allocUnsafe(stats.size + 1);
    let length = 0;
    while (true) {
      const count = readSync(fd, buffer, length, buffer.length - length, null);
      length += count;
      if (count === 0 || length === stats.size) return { bytes: buffer.subarray(0, length), stats };
      if (length > maxBytes) throw tooLarge(path, length, maxBytes);
      if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
    }
  } finally {
    closeSync(fd);
  }
}

function tooLarge(path: string, size: number, maxBytes: number): Failure {
  const message = `\`${path}\` has ${size} bytes, more than the ${maxBytes} that can be read at once. Search in it instead.`;
  return new Failure("TOO_LARGE", message, { size, maxBytes });
}
