import type { Worker } from "node:worker_threads";
import { shareTurns } from "./one-thread-at-a-time.ts";

/**
 * What a thread makes lives for one file: with all the space that the engine would take for it, each thread would hold a
 * hundred megabytes more, for no speed that could be measured.
 */
const maxYoungGenerationSizeMb = 16;

const sources = { "parse-worker": "../syntax/parse-worker.ts", "words-worker": "./words-worker.ts" };

/** A thread of ours that does not keep the process alive. */
export function startThread(name: keyof typeof sources, workerData?: unknown): Worker {
  // Run from the sources, or bundled: then it stands beside the bundle, and the caller may be in a folder of chunks.
  const here = import.meta.url;
  const file = here.endsWith(".ts")
    ? sources[name]
    : here.includes("/chunks/")
      ? `../${name}.js`
      : `./${name}.js`;
  // Loaded when there is a thread to start: a short command needs none.
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  shareTurns();
  const worker = new Worker(new URL(file, here), {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb },
  });
  worker.unref();
  return worker;
}
