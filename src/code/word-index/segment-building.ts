import { availableParallelism } from "node:os";
import { Failure } from "../../failure/failure.ts";
import { createYielder } from "../../workspace/yielder.ts";
import type { SourceFiles } from "../files/files.ts";
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

export interface BuildingOptions {
  signal?: AbortSignal | undefined;
  progress?: ((done: number) => void) | undefined;
}

/** Reads all files, in this order, into as many segments as threads are worth starting. */
export async function readSegments(
  { root, read }: Pick<SourceFiles, "root" | "read">,
  files: readonly FileToRead[],
  { signal, progress }: BuildingOptions,
): Promise<ReadSegment[]> {
  const [ours = [], ...others] = root === undefined ? [[...files]] : shares(files);
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
  const elsewhere = others.map((share, i) =>
    readElsewhere({ root: root ?? "", files: share }, stop.signal, (done) => count(i + 1, done))
      // Where no thread can be had, or one breaks, its share is read here.
      .catch((error) => (stop.signal.aborted ? Promise.reject(error) : here(share, i + 1))),
  );
  try {
    return await Promise.all([here(ours, 0), ...elsewhere]);
  } finally {
    reader?.close();
    stop.abort();
  }
}

/** One share for each thread, ours first. Neighbours stay together: they have words in common. */
function shares(files: readonly FileToRead[]): FileToRead[][] {
  const weight = ({ size }: FileToRead) => 2_000 + (size > maxFileBytes ? 0 : size);
  const total = files.reduce((sum, file) => sum + weight(file), 0);
  const threads = Math.min(mostThreads, availableParallelism(), 1 + Math.floor(total / bytesWorthAThread));
  const perThread = (total + (threads - 1) * headStart) / threads;
  const found: FileToRead[][] = Array.from({ length: threads }, () => []);
  let before = 0;
  for (const file of files) {
    const thread = before < perThread ? 0 : 1 + Math.floor((before - perThread) / (perThread - headStart));
    found[Math.min(threads - 1, thread)]?.push(file);
    before += weight(file);
  }
  return found;
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
