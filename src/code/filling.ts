import type { Worker } from "node:worker_threads";
import type { ParseReply, ParseRequest } from "./parse-worker.ts";
import type { EncodedSyntax } from "./syntax-code.ts";
import { startThread } from "./thread.ts";

export interface PendingFile {
  path: string;
  key: string;
  language: string;
}

/** How many texts wait in a worker, so that it never idles. */
const depth = 6;
const batchSize = 64;

/** Parses all pending files in workers and hands over the results in batches. Stops at once when the signal says so. */
export async function parseAll(
  pending: readonly PendingFile[],
  read: (path: string) => Promise<Buffer>,
  take: (batch: [string, EncodedSyntax][]) => void,
  { threads, signal }: { threads: number; signal?: AbortSignal | undefined },
): Promise<void> {
  const queue = pending.values();
  const workers = Array.from({ length: Math.min(threads, pending.length) }, () =>
    startThread("parse-worker"),
  );
  let batch: [string, EncodedSyntax][] = [];
  const flush = () => {
    if (batch.length > 0) take(batch);
    batch = [];
  };
  const feed = async (worker: Worker) => {
    let waiting = 0;
    let wake: (() => void) | undefined;
    let failure: unknown;
    const settle = () => {
      waiting--;
      wake?.();
    };
    worker.on("message", ({ key, syntax }: ParseReply) => {
      if (syntax) batch.push([key, syntax]);
      if (batch.length >= batchSize) flush();
      settle();
    });
    worker.on("error", (error) => {
      failure = error;
      wake?.();
    });
    const untilRoom = async (most: number) => {
      while (waiting > most && failure === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    };
    for (const file of queue) {
      if (signal?.aborted || failure !== undefined) break;
      const bytes = await read(file.path).catch(() => undefined);
      if (!bytes) continue;
      waiting++;
      worker.postMessage({ key: file.key, language: file.language, bytes } satisfies ParseRequest);
      await untilRoom(depth - 1);
    }
    if (!signal?.aborted) await untilRoom(0);
    if (failure !== undefined) throw failure;
  };
  try {
    await Promise.all(workers.map(feed));
  } finally {
    flush();
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
