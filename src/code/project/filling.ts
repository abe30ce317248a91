import type { ParseReply, ParseRequest, ParseSetting, PendingFile } from "../syntax/parse-worker.ts";
import { startThread } from "../word-index/thread.ts";

const batchSize = 8;
/** How many batches wait in a worker, so that it never idles. */
const depth = 2;

/** Parses all pending files in workers, which store what they find. Stops at once when the signal says so. */
export async function parseAll(
  pending: readonly PendingFile[],
  setting: ParseSetting,
  stored: (keys: string[]) => void,
  { threads, signal }: { threads: number; signal?: AbortSignal | undefined },
): Promise<void> {
  let next = 0;
  const batch = (): ParseRequest => {
    next += batchSize;
    return pending.slice(next - batchSize, next);
  };
  const work = async () => {
    const worker = startThread("parse-worker", setting);
    const stop = () => void worker.terminate();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      await new Promise<void>((resolve, reject) => {
        let waiting = 0;
        const send = () => {
          const files = batch();
          if (files.length > 0) {
            waiting++;
            worker.postMessage(files);
          } else if (waiting === 0) resolve();
        };
        worker.on("message", (keys: ParseReply) => {
          waiting--;
          stored(keys);
          send();
        });
        worker.on("error", reject);
        worker.on("exit", (code) =>
          signal?.aborted ? resolve() : reject(new Error(`A thread that parses files ended (${code}).`)),
        );
        for (let i = 0; i < depth; i++) send();
      });
    } finally {
      signal?.removeEventListener("abort", stop);
      await worker.terminate();
    }
  };
  if (signal?.aborted) return;
  const most = Math.ceil(pending.length / batchSize);
  await Promise.all(Array.from({ length: Math.min(threads, most) }, work));
}
