import type { Worker } from "node:worker_threads";

/** Waiting for a busy machine counts only beyond this multiple of the allowed CPU time. */
const patience = 5;

/** Calls `giveUp` once the thread has used `limitMs` of CPU time from now on. The returned function stops the watch. */
export function limitWork(worker: Worker, limitMs: number, giveUp: () => void): () => void {
  const watch = new AbortController();
  const started = performance.now();
  const before = workOf(worker);
  const check = async (): Promise<void> => {
    const now = await workOf(worker);
    // A thread that only starts has done nothing yet.
    const worked = now === undefined ? performance.now() - started : now - ((await before) ?? 0);
    if (watch.signal.aborted) return;
    if (worked < limitMs) later(() => void check(), limitMs - worked);
    else giveUp();
  };
  const later = (work: () => void, ms: number) => {
    const timer = setTimeout(work, ms);
    watch.signal.addEventListener("abort", () => clearTimeout(timer));
  };
  later(() => void check(), limitMs);
  later(giveUp, patience * limitMs);
  return () => watch.abort();
}

/** In milliseconds of the processor. Undefined where Node cannot tell: before 24.6, or while the thread does not run. */
async function workOf(worker: Worker): Promise<number | undefined> {
  const used = await worker.cpuUsage?.().catch(() => undefined);
  return used && (used.user + used.system) / 1_000;
}
