import { defineConfig } from "vitest/config";
import { LongestFirst } from "./scripts/test-order.ts";

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
    include: ["src/**/*.test.ts"],
    pool: "forks",
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
