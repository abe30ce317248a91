// What the oracle tests measure: they are run, and what they tell is printed.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { verdict } from "../measure.ts";

const goals: Record<string, { recall: number; precision: number }> = {
  outline: { recall: 0.99, precision: 0.99 },
  references: { recall: 0.97, precision: 0.95 },
  importers: { recall: 0.97, precision: 0.95 },
};

export function oracleRows(): void {
  console.log("\nAgainst the TypeScript compiler and its language service");
  const tests = ["src/code/oracle-typescript.test.ts", "src/code/oracle-references.test.ts"];
  const { stdout } = spawnSync("npx", ["vitest", "run", ...tests], {
    cwd: resolve(import.meta.dirname, "../.."),
    encoding: "utf8",
    env: { ...process.env, WIELD_BENCH: "1", NO_COLOR: "1" },
  });
  const found = [...stdout.matchAll(/^oracle (\w+) (.*): recall ([\d.]+), precision ([\d.]+)$/gm)];
  for (const [, kind = "", what, recall, precision] of found) {
    const goal = goals[kind];
    if (!goal) continue;
    verdict(
      `${kind} ${what}: recall ${recall}, precision ${precision}`,
      `recall ≥ ${goal.recall}, precision ≥ ${goal.precision}`,
      Number(recall) >= goal.recall && Number(precision) >= goal.precision,
    );
  }
  if (found.length === 0) console.log("  not measured: the tests told nothing");
}
