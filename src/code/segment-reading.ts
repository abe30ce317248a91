import { hash } from "node:crypto";
import { Jail } from "../workspace/jail.ts";
import { nameOf, parentOf } from "../workspace/path.ts";
import { languageOf, languageOfHeader } from "./languages/languages.ts";
import type { IndexedFile } from "./segment.ts";
import { type SegmentArrays, SegmentBuilder } from "./segment-builder.ts";

/** A larger file is known by name only: it is data or generated, and no one asks for its words. */
export const maxFileBytes = 1_500_000;

export type FileToRead = Pick<IndexedFile, "path" | "size">;

export interface ReadSegment {
  files: IndexedFile[];
  arrays: SegmentArrays;
}

/** Reads files in this order into one segment. `each` is awaited after every file: it may throw to stop. */
export async function readSegment(
  root: string,
  files: readonly FileToRead[],
  each: () => Promise<void> | void,
): Promise<ReadSegment> {
  const jail = new Jail(root);
  using cursor = jail.cursor();
  const builder = new SegmentBuilder();
  const read: IndexedFile[] = [];
  try {
    for (const { path, size } of files) {
      const bytes = size > maxFileBytes ? null : cursor.read(parentOf(path), nameOf(path), maxFileBytes);
      const isText = bytes !== null && !bytes.subarray(0, 8_000).includes(0);
      read.push({
        path,
        size,
        hash: isText ? contentHash(bytes) : "",
        language: isText ? languageIn(path, bytes) : "",
      });
      builder.add(isText ? bytes : null);
      await each();
    }
  } finally {
    jail.close();
  }
  return { files: read, arrays: builder.finish() };
}

export const contentHash = (bytes: Uint8Array) => hash("sha1", bytes, "base64url");

function languageIn(path: string, bytes: Buffer): string {
  const language = languageOf(path);
  if (!language) return "";
  return (path.endsWith(".h") ? languageOfHeader(language, bytes.toString("latin1", 0, 20_000)) : language)
    .name;
}
