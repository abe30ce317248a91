import { defineConfig } from "vitest/config";
import { alone, LongestFirst } from "./scripts/test-order.ts";

const source = (path: string) => new URL(path, import.meta.url).pathname;

export default defineConfig({
  // Examples import the package by its name, as a user would.
  resolve: {
    alias: [
      { find: /^wield$/, replacement: source("src/app/library.ts") },
      { find: /^wield\/research$/, replacement: source("src/app/research-library.ts") },
      { find: /^wield\/testing$/, replacement: source("src/testing/testing.ts") },
    ],
  },
  test: {
    pool: "forks",
    // One process for many files spares each of them loading Wield.
    projects: [
      { extends: true, test: { name: "alone", include: [...alone], isolate: true } },
      {
        extends: true,
        test: { name: "shared", include: ["src/**/*.test.ts"], exclude: [...alone], isolate: false },
      },
    ],
    // Most tests wait for processes, servers and browsers: more of them than cores run well side by side.
    maxWorkers: 6,
    sequence: { sequencer: LongestFirst },
    // A bound against hanging, not on speed: the machine may be busy with other things.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // Commands that tests start share what Node compiled.
    env: { NO_COLOR: "1", NODE_COMPILE_CACHE: source("node_modules/.cache/compiled") },
  },
});
