import { closeSync, readSync, type Stats, writeSync } from "node:fs";
import { Failure } from "../failure/failure.ts";
import type { Directory } from "./directory.ts";

const firstChunkBytes = 1 << 15;
const chunkBytes = 1 << 20;

/** The rest of an open file, piece by piece; each piece is good until the next. */
export function* chunksOf(fd: number): Generator<Buffer> {
  // Most files are small: for those, a large buffer costs more than reading.
  let buffer = Buffer.allocUnsafe(firstChunkBytes);
  for (let count = readSync(fd, buffer); count > 0; count = readSync(fd, buffer)) {
    yield buffer.subarray(0, count);
    if (count === buffer.length && count < chunkBytes) buffer = Buffer.allocUnsafe(chunkBytes);
  }
}

/** The system may take less than it is given. */
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
