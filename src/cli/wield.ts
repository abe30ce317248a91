import { nodeProblem } from "../app/node-version.ts";

// Everything else is imported after this: an older Node could not even parse it.
if (nodeProblem !== undefined) {
  process.stderr.write(`${nodeProblem}\n`);
  process.exit(1);
}
await import("./compile-cache.ts");
const { main } = await import("./main.ts");
process.exitCode = await main(process.argv.slice(2));
