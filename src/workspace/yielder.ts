import { setImmediate as nextTurn } from "node:timers/promises";

// By Date.now(): performance.now() would load the whole of perf_hooks, a part of a short command's time.
const turnMs = 15;

/**
 * Keeps the event loop free during long work made of short synchronous parts: await the returned function between
 * parts. It returns undefined while the time slice lasts; where parts are many and short, await only a returned
 * promise.
 */
export function createYielder(): () => Promise<void> | undefined {
  let ends = Date.now() + turnMs;
  const pause = async () => {
    await nextTurn();
    ends = Date.now() + turnMs;
  };
  return () => (Date.now() < ends ? undefined : pause());
}
