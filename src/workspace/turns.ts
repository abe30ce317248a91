import { setImmediate as nextTurn } from "node:timers/promises";

const turnMs = 15;

/** For long work made of short synchronous parts: await the returned function between parts, and others get their turn. */
export function takeTurns(): () => Promise<void> {
  let ends = performance.now() + turnMs;
  return async () => {
    if (performance.now() < ends) return;
    await nextTurn();
    ends = performance.now() + turnMs;
  };
}
