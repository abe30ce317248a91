import { availableParallelism } from "node:os";
import { Failure } from "../../failure/failure.ts";
import { createYielder } from "../../workspace/yielder.ts";
import type { SourceFiles } from "../files/files.ts";
import type { IndexedFile, SegmentParts } from "./segment.ts";
import type { SegmentArrays } from "./segment-builder.ts";
import {
  type FileToRead,
  maxFileBytes,
  type ReadSegment,
  readerBelow,
  readSegment,
} from "./segment-reading.ts";
import { TermTable } from "./term-table.ts";
import { startThread } from "./thread.ts";
import type { WordsReply, WordsRequest } from "./words-worker.ts";

/** Fewer bytes are read here before another thread has started; about so many are read while it starts. */
const bytesWorthAThread = 8_000_000;
const headStart = 2_500_000;
const mostThreads = 4;
/** Where more falls to a thread, it reads so much at a time, and only what it makes of that is held in memory. */
const usualAmounts = { mostOfThread: 170_000_000, atATime: 100_000_000 };

export interface BuildingOptions {
  signal?: AbortSignal | undefined;
  progress?: ((done: number) => void) | undefined;
  amounts?: typeof usualAmounts | undefined;
}

/** A segment that was read, in memory or kept elsewhere. */
export interface MadeSegment {
  files: IndexedFile[];
  parts: SegmentParts;
}

/** Takes over what a segment is made of. */
export type KeepParts = (arrays: SegmentArrays, number: number) => SegmentParts;

export const inMemory: KeepParts = ({ words, subTokens, grams }) => ({
  words: () => words,
  subTokens: () => subTokens,
  grams: () => grams,
});

/**
 * Reads all files, in this order, into as many segments as threads are worth starting. Of a very large workspace there are
 * more segments, each of which `keep` gets when it is read.
 */
export async function readSegments(
  { root, read }: Pick<SourceFiles, "root" | "read">,
  files: readonly FileToRead[],
  { signal, progress, keep = inMemory, amounts = usualAmounts }: BuildingOptions & { keep?: KeepParts },
): Promise<MadeSegment[]> {
  const { ours, others, threads } =
    root === undefined ? { ours: files, others: [], threads: 0 } : shares(files, amounts);
  const reader = root === undefined ? undefined : readerBelow(root);
  const readFile = reader?.read ?? ((path: string) => read(path).catch(() => null));
  const counts = [0, ...others.map(() => 0)];
  const count = (share: number, done: number) => {
    counts[share] = done;
    progress?.(counts.reduce((sum, one) => sum + one, 0));
  };
  const turn = createYielder();
  const here = (share: readonly FileToRead[], number: number) => {
    let done = 0;
    return readSegment(share, readFile, async () => {
      if (signal?.aborted) throw new Failure("ABORTED", "Reading the files was stopped before its end.");
      count(number, ++done);
      await turn();
    });
  };
  const stop = new AbortController();
  const elsewhere = (share: FileToRead[], number: number) =>
    readElsewhere({ root: root ?? "", files: share }, stop.signal, (done) => count(number, done))
      // Where no thread can be had, or one breaks, its share is read here.
      .catch((error) => (stop.signal.aborted ? Promise.reject(error) : here(share, number)));
  const made: MadeSegment[] = [];
  const isLarge = others.length > threads;
  const make = ({ files: read, arrays }: ReadSegment, number: number) => {
    made[number] = { files: read, parts: (isLarge ? keep : inMemory)(arrays, number) };
  };
  let next = 0;
  const workOff = async () => {
    for (let i = next++; i < others.length; i = next++) make(await elsewhere(others[i] ?? [], i + 1), i + 1);
  };
  try {
    await Promise.all([
      here(ours, 0).then((read) => make(read, 0)),
      ...Array.from({ length: threads }, workOff),
    ]);
    return made;
  } finally {
    reader?.close();
    stop.abort();
  }
}

/**
 * One share for each thread, beside ours; of a large workspace more than one. Neighbours stay together: they have words in
 * common.
 */
function shares(
  files: readonly FileToRead[],
  { mostOfThread, atATime }: typeof usualAmounts,
): {
  ours: readonly FileToRead[];
  others: FileToRead[][];
  threads: number;
} {
  const weight = ({ size }: FileToRead) => 2_000 + (size > maxFileBytes ? 0 : size);
  const total = files.reduce((sum, file) => sum + weight(file), 0);
  const threads = Math.min(mostThreads, availableParallelism(), 1 + Math.floor(total / bytesWorthAThread));
  const perThread = (total + (threads - 1) * headStart) / threads;
  const isLarge = perThread > mostOfThread;
  const first = isLarge ? 0 : perThread;
  const count = isLarge ? Math.ceil(total / atATime) : threads - 1;
  const each = isLarge ? total / count : perThread - headStart;
  const ours: FileToRead[] = [];
  const others: FileToRead[][] = Array.from({ length: count }, () => []);
  let before = 0;
  for (const file of files) {
    const share = before < first ? -1 : Math.floor((before - first) / each);
    (share < 0 ? ours : others[Math.min(count - 1, share)])?.push(file);
    before += weight(file);
  }
  return { ours, others, threads: isLarge ? threads : threads - 1 };
}

function readElsewhere(
  request: WordsRequest,
  signal: AbortSignal,
  progress: (done: number) => void,
): Promise<ReadSegment> {
  const worker = startThread("words-worker", request);
  // It is waited for: it must not be the reason that the process ends.
  worker.ref();
  signal.addEventListener("abort", () => void worker.terminate(), { once: true });
  return new Promise((resolve, reject) => {
    worker.on("message", (reply: WordsReply) => {
      if ("done" in reply) return progress(reply.done);
      const files = request.files.map(({ path, size }, i) => ({
        path,
        size,
        hash: "",
        language: "",
        ...reply.labels[i],
      }));
      progress(files.length);
      resolve({ files, arrays: revived(reply.arrays) });
    });
    worker.on("error", reject);
    worker.on("exit", () => reject(new Failure("INTERNAL_ERROR", "A thread that reads files ended early.")));
  });
}

/** What travels between threads has lost its class. */
function revived({ words, subTokens, grams }: SegmentArrays): SegmentArrays {
  const withTable = (dictionary: SegmentArrays["words"]) => ({
    ...dictionary,
    table: new TermTable(dictionary.table),
  });
  return { words: withTable(words), subTokens: withTable(subTokens), grams };
}
