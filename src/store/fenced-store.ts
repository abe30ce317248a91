import type { Store } from "./store.ts";

/** The methods that write; all others only read, or answer at once (`uses`). */
const writes: Readonly<Record<string, readonly string[]>> = {
  "": [
    "recordCall",
    "saveResult",
    "finishCall",
    "savePending",
    "takePending",
    "appendEntry",
    "markSession",
    "removeSession",
  ],
  documents: ["create", "update", "delete", "suggest", "resolveSuggestion"],
  plans: ["create", "change"],
  held: ["save", "drop"],
  sessionStates: ["change"],
  keptChanges: ["add"],
};

/** The same store, with each write done inside `guard`, which may refuse it. */
export function fencedStore(store: Store, guard: <T>(write: () => Promise<T>) => Promise<T>): Store {
  const wrap = <T extends object>(target: T, part: string): T =>
    new Proxy(target, {
      get: (_, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== "function" || typeof name !== "string") return value;
        if (part === "" && name !== "" && Object.hasOwn(writes, name))
          return (...given: unknown[]) => wrap(value.apply(target, given), name);
        if (!writes[part]?.includes(name)) return value.bind(target);
        return (...given: unknown[]) => guard(() => value.apply(target, given));
      },
    });
  return wrap(store, "");
}
