// `npm run check`: everything that can be judged without running the product.
import { spawnSync } from "node:child_process";

if (Number(process.versions.node.split(".")[0]) < 24) {
  console.error(`check: runs on Node 24, this is ${process.version}. Run it through npm: 'npm run check'.`);
  process.exit(1);
}

const steps = [
  ["format and lint", "biome", "check", "--error-on-warnings", "."],
  ["types", "tsc"],
  ["types of the page", "tsc", "-p", "ui"],
  ["imports", "node", "scripts/check-imports.ts"],
  ["paths in documents", "node", "scripts/check-paths.ts"],
  ["retired words", "node", "scripts/check-words.ts"],
  ["generated docs", "node", "scripts/docs.ts"],
] as const;

for (const [name, command, ...args] of steps) {
  const started = performance.now();
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) {
    console.error(`check: ${name} failed (${command} ${args.join(" ")})`);
    process.exit(1);
  }
  console.log(`check: ${name} ok (${Math.round(performance.now() - started)} ms)`);
}
