import type { ParseReply, ParseSetting } from "../syntax/parse-worker.ts";
import { startThread } from "../word-index/thread.ts";
import type { PendingQueue } from "./pending-queue.ts";

const batchSize = 8;
/** How many batches wait in a worker, so that it never idles. */
const depth = 2;

/** Parses what the queue gives in workers, which store what they find. Stops at once when the signal says so. */
export async function parseAll(
  queue: PendingQueue,
  setting: ParseSetting,
  stored: (keys: string[]) => void,
  {
    threads,
    signal,
    isWaitedFor = false,
  }: { threads: number; signal?: AbortSignal | undefined; isWaitedFor?: boolean },
): Promise<void> {
  /** One worker until there is nothing to do, or until it holds too much memory, which a parser never gives back. */
  const life = async (): Promise<"done" | "full"> => {
    const worker = startThread("parse-worker", setting);
    if (isWaitedFor) worker.ref();
    const stop = () => void worker.terminate();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        let waiting = 0;
        let isFull = false;
        const send = () => {
          const files = isFull ? [] : queue.takeFirst(batchSize);
          if (files.length > 0) {
            waiting++;
            worker.postMessage(files);
          } else if (waiting === 0) resolve(isFull ? "full" : "done");
        };
        worker.on("message", (reply: ParseReply) => {
          waiting--;
          isFull ||= reply.isFull;
          queue.finished(reply.keys);
          stored(reply.keys);
          send();
        });
        worker.on("error", reject);
        worker.on("exit", (code) =>
          signal?.aborted
            ? resolve("done")
            : reject(new Error(`A thread that parses files ended (${code}).`)),
        );
        for (let i = 0; i < depth; i++) send();
      });
    } finally {
      signal?.removeEventListener("abort", stop);
      await worker.terminate();
    }
  };
  const work = async () => {
    while (!signal?.aborted && (await life()) === "full");
  };
  if (signal?.aborted) return;
  const most = Math.ceil(queue.size / batchSize);
  await Promise.all(Array.from({ length: Math.min(threads, most) }, work));
}
