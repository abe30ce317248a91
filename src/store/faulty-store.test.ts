import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../failure/failure.ts";
import { aroundStore, type Faults, faultyStore, seededRandom } from "../testing/faulty-store.ts";
import { removeFolder } from "../testing/remove-folder.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import { storeContract } from "./store.suite.ts";
import type { Store } from "./store.ts";

/** Whoever did not hear the answer of these cannot tell whether they took effect, and must not simply call again. */
const notRepeatable = new Set([
  "takePending",
  "documents.update",
  "documents.resolveSuggestion",
  "plans.change",
]);

storeContract("a slow store", () => open((seed) => ({ delay: delays(seed) })));

storeContract("a slow store in which half of all calls fail and are repeated", () =>
  open((seed) => {
    const random = seededRandom(seed + 100);
    return {
      delay: delays(seed),
      fault: ({ method }) => {
        if (random() < 0.5) return undefined;
        return notRepeatable.has(method) || random() < 0.5 ? "before" : "after";
      },
    };
  }),
);

function delays(seed: number): () => number {
  const random = seededRandom(seed);
  return () => random() * 3;
}

async function open(faults: (seed: number) => Faults) {
  const folder = mkdtempSync(join(tmpdir(), "wield-store-"));
  const file = join(folder, "wield.db");
  const opened = (seed: number) => repeating(faultyStore(openSqliteStore(file), faults(seed)));
  const stores: [Store, Store] = [opened(1), opened(2)];
  return {
    stores,
    close: async () => {
      for (const store of stores) await store.close();
      removeFolder(folder);
    },
  };
}

/** What a caller does who hears of no reason: the same call again. */
function repeating(store: Store): Store {
  return aroundStore(store, async (_, run) => {
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if (error instanceof Failure) throw error;
      }
    }
  });
}
