import { readSync, writeSync } from "node:fs";

const chunkBytes = 1 << 20;

/** The rest of an open file, piece by piece; each piece is good until the next. */
export function* chunksOf(fd: number): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let count = readSync(fd, buffer); count > 0; count = readSync(fd, buffer))
    yield buffer.subarray(0, count);
}

/** The system may take less than it is given. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
}
