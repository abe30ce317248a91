// `npm run bench [name …] [path …] [number …]`: every benchmark in this folder, or the named ones, one after the other. Words
// with a `/` and numbers are given to the benchmarks.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const notBenchmarks = new Set([
  "bench.ts",
  "git-files.ts",
  "learn-search-weights.ts",
  "measure.ts",
  "telemetry-process.ts",
]);
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && !notBenchmarks.has(file))
  .map((file) => file.replace(/\.ts$/, ""));
const [wanted, given] = [false, true].map((isPath) =>
  process.argv.slice(2).filter((word) => /\/|^\d+$/.test(word) === isPath),
) as [string[], string[]];
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}. There are: ${names.join(", ")}`);
  process.exit(2);
}
console.log(`${process.platform} ${process.arch}, Node ${process.version}, ${new Date().toISOString()}`);
for (const name of wanted.length > 0 ? wanted : names) {
  console.log(`\n━━ ${name}`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...given], {
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = 1;
}
