import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import { readText } from "../../text/encoding.ts";
import { Jail } from "../../workspace/jail.ts";
import { nameOf, parentOf } from "../../workspace/path.ts";
import { languageOfText } from "../languages/languages.ts";
import type { IndexedFile } from "./segment.ts";
import { type SegmentArrays, SegmentBuilder } from "./segment-builder.ts";

/** A larger file is known by name only: it is data or generated, and no one asks for its words. */
export const maxFileBytes = 1_500_000;

export type FileToRead = Pick<IndexedFile, "path" | "size">;

export interface ReadSegment {
  files: IndexedFile[];
  arrays: SegmentArrays;
}

/** The bytes of a file, good until the next one is read; null when it cannot be read. */
export type ReadFile = (path: string) => Buffer | null | Promise<Buffer | null>;

/** Reads files in this order into one segment. `each` is awaited after every file: it may throw to stop. */
export async function readSegment(
  files: readonly FileToRead[],
  readFile: ReadFile,
  each: () => Promise<void> | void,
): Promise<ReadSegment> {
  const isRead = ({ size }: FileToRead) => size <= maxFileBytes;
  const builder = new SegmentBuilder(files.reduce((sum, file) => sum + (isRead(file) ? file.size : 0), 0));
  const read: IndexedFile[] = [];
  for (const file of files) {
    const { path, size } = file;
    const found = isRead(file) ? readFile(path) : null;
    const bytes = found instanceof Promise ? await found : found;
    const isText = bytes !== null && !bytes.subarray(0, 8_000).includes(0);
    read.push({
      path,
      size,
      hash: isText ? contentHash(bytes) : "",
      language: isText ? languageIn(path, bytes) : "",
    });
    if (isText) builder.add(isUtf8(bytes) ? bytes : await inUtf8(bytes));
    else builder.add(null, bytes && (await inUtf8(bytes)));
    await each();
  }
  return { files: read, arrays: builder.finish() };
}

/** Reads below a folder, jailed, with every directory opened once. */
export function readerBelow(root: string): { read: (path: string) => Buffer | null; close(): void } {
  const jail = new Jail(root);
  const cursor = jail.cursor();
  return {
    read: (path) => cursor.read(parentOf(path), nameOf(path), maxFileBytes),
    close: () => {
      cursor[Symbol.dispose]();
      jail.close();
    },
  };
}

/** What a search finds in a file that is written otherwise: all of its text, nothing of a binary file. */
async function inUtf8(bytes: Buffer): Promise<Buffer> {
  return Buffer.from((await readText(bytes))?.text ?? "");
}

export const contentHash = (bytes: Uint8Array) => hash("sha1", bytes, "base64url");

/** The name and the first lines tell it; of a header all of its text. */
function languageIn(path: string, bytes: Buffer): string {
  const looked = path.endsWith(".h") ? 400_000 : 1_000;
  return languageOfText(path, bytes.toString("latin1", 0, looked))?.name ?? "";
}
