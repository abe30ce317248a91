import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../store/store.ts";

/** What happens to one call of the store: it fails before it did anything, or after, when only its answer is lost. */
export type Fault = "before" | "after";

export interface StoreCall {
  /** Counts from 1. */
  index: number;
  /** `recordCall`, `documents.update`, … */
  method: string;
}

export interface Faults {
  /** Milliseconds that a call takes longer. */
  delay?(): number;
  fault?(call: StoreCall): Fault | undefined;
}

export const faultMessages: Record<Fault, string> = {
  before: "database or disk is full",
  after: "the connection was lost",
};

/** A store with configurable delays and failures, for testing calls and logs. */
export function faultyStore(store: Store, { delay, fault }: Faults): Store {
  return aroundStore(store, async (call, run) => {
    const what = fault?.(call);
    if (delay) await sleep(delay());
    if (what === "before") throw new Error(faultMessages.before);
    const answer = await run();
    if (what === "after") throw new Error(faultMessages.after);
    return answer;
  });
}

const parts = ["documents", "plans", "held", "sessionStates", "files", "keptChanges"];
/** `uses` answers at once, and closing must work. */
const passed = ["uses", "close"];

/** The same store with something done around each of its calls. */
export function aroundStore(
  store: Store,
  around: (call: StoreCall, run: () => Promise<unknown>) => Promise<unknown>,
): Store {
  let index = 0;
  const wrap = <T extends object>(target: T, prefix: string): T =>
    new Proxy(target, {
      get: (_, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== "function" || typeof name !== "string" || passed.includes(name)) return value;
        if (prefix === "" && parts.includes(name))
          return (...given: unknown[]) => wrap(value.apply(target, given), `${name}.`);
        return (...given: unknown[]) =>
          around({ index: ++index, method: prefix + name }, () => value.apply(target, given));
      },
    });
  return wrap(store, "");
}

/** Numbers from 0 to 1, the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = (seed % 2147483646) + 1;
  return () => {
    state = (state * 16807) % 2147483647;
    return state / 2147483647;
  };
}
