import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../failure/failure.ts";
import { LostClaim } from "../store/claims.ts";
import type { Store } from "../store/store.ts";

const partNames = new Set(["documents", "plans", "held", "sessionStates", "files", "keptChanges"]);
/** Without a response to one of these, it is unknown whether it took effect, so it must not simply be repeated. */
const notRepeatable = new Set([
  "takePending",
  "documents.update",
  "documents.resolveSuggestion",
  "plans.change",
]);
const passed = new Set(["uses", "close", "claim"]);
const pauseMs = 200;

export interface RetryParts {
  /** Why to give up; undefined: the database may come back. */
  over(): string | undefined;
  /** Nobody knows whether a write took effect. */
  lost(why: string): void;
}

/**
 * A store that waits while the database is briefly unavailable, instead of failing the call. A worker that has to
 * wait too long stops itself.
 */
export function retryingStore(store: Store, parts: RetryParts): Store {
  const wait = <T>(name: string, run: () => Promise<T>) =>
    retryUntilAvailable(parts, run, !notRepeatable.has(name));
  const wrap = <T extends object>(target: T, prefix: string): T =>
    new Proxy(target, {
      get: (_, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== "function" || typeof name !== "string" || passed.has(name)) return value;
        if (prefix === "" && partNames.has(name))
          return (...given: unknown[]) => wrap(value.apply(target, given), `${name}.`);
        return (...given: unknown[]) => wait(prefix + name, () => value.apply(target, given));
      },
    });
  return wrap(store, "");
}

/** Retries until the database responds or this worker must stop. */
export async function retryUntilAvailable<T>(
  { over, lost }: RetryParts,
  run: () => Promise<T>,
  repeatable = true,
): Promise<T> {
  for (;;) {
    const why = over();
    if (why !== undefined) throw new Failure("CONFLICT", why);
    try {
      return await run();
    } catch (error) {
      // Before the run learns of it, so that its end is not announced.
      if (error instanceof LostClaim) lost(error.message);
      if (error instanceof Failure) throw error;
      if (!repeatable) {
        lost("The database was lost in the middle of a write.");
        throw error;
      }
      await sleep(pauseMs);
    }
  }
}
