import { setTimeout as sleep } from "node:timers/promises";

/** Time as the agent sees it, so that tests need not wait for it. */
export interface Clock {
  now(): Date;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  wait: async (ms, signal) => {
    await sleep(ms, undefined, { signal });
  },
};
