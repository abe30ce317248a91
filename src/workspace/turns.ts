import { setImmediate as nextTurn } from "node:timers/promises";

// By Date.now(): performance.now() would load the whole of perf_hooks, a part of a short command's time.
const turnMs = 15;

/**
 * For long work made of short synchronous parts: await the returned function between parts, and others get their turn.
 * Where the parts are very many and very short, await only what it returns: undefined while the turn lasts.
 */
export function takeTurns(): () => Promise<void> | undefined {
  let ends = Date.now() + turnMs;
  const pause = async () => {
    await nextTurn();
    ends = Date.now() + turnMs;
  };
  return () => (Date.now() < ends ? undefined : pause());
}
