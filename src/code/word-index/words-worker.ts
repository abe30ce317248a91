import { parentPort, workerData } from "node:worker_threads";
import type { IndexedFile } from "./segment.ts";
import type { SegmentArrays } from "./segment-builder.ts";
import { type FileToRead, readerBelow, readSegment } from "./segment-reading.ts";

/** Reads its share of the files beside the main thread. */
export interface WordsRequest {
  root: string;
  files: FileToRead[];
}

export type WordsReply =
  | { done: number }
  | { labels: Pick<IndexedFile, "hash" | "language">[]; arrays: SegmentArrays };

const { root, files } = workerData as WordsRequest;
let done = 0;
const { files: read, arrays } = await readSegment(files, readerBelow(root).read, () => {
  if (++done % 100 === 0) parentPort?.postMessage({ done } satisfies WordsReply);
});
const { words, subTokens, grams } = arrays;
const reply: WordsReply = { labels: read.map(({ hash, language }) => ({ hash, language })), arrays };
parentPort?.postMessage(
  reply,
  [words, subTokens]
    .flatMap(({ table, offsets, lists }) => [table.slots, table.starts, table.arena, offsets, lists])
    .concat(grams.offsets, grams.bytes, grams.lengths)
    .map(({ buffer }) => buffer as ArrayBuffer),
);
