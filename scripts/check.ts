// `npm run check`: everything that can be judged without running the product.
import { spawn } from "node:child_process";
import { once } from "node:events";

if (Number(process.versions.node.split(".")[0]) < 24) {
  console.error(`check: runs on Node 24, this is ${process.version}. Run it through npm: 'npm run check'.`);
  process.exit(1);
}

type Step = readonly [name: string, command: string, ...args: string[]];

// The two sides take about the same time, one core each: tsc on several threads takes twice the work.
const sides: readonly (readonly Step[])[] = [
  [["format and lint", "biome", "check", "--error-on-warnings", "."]],
  [
    ["types", "tsc", "--singleThreaded"],
    ["types of the page", "tsc", "-p", "ui", "--singleThreaded"],
    ["imports", "node", "scripts/check-imports.ts"],
    ["paths in documents", "node", "scripts/check-paths.ts"],
    ["retired words", "node", "scripts/check-words.ts"],
    ["generated docs", "node", "scripts/docs.ts"],
  ],
];

const passed = await Promise.all(sides.map(allPass));
process.exit(passed.every(Boolean) ? 0 : 1);

async function allPass(steps: readonly Step[]): Promise<boolean> {
  for (const step of steps) if (!(await passes(step))) return false;
  return true;
}

async function passes([name, command, ...args]: Step): Promise<boolean> {
  const started = performance.now();
  // tsc is written in Go, and spends half of its time collecting garbage unless it may keep more of it.
  const env = { GOGC: "400", ...process.env };
  const running = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], env });
  let printed = "";
  for (const stream of [running.stdout, running.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      printed += chunk;
    });
  const [status] = await once(running, "close");
  if (printed !== "") process.stdout.write(printed);
  if (status === 0) console.log(`check: ${name} ok (${Math.round(performance.now() - started)} ms)`);
  else console.error(`check: ${name} failed (${command} ${args.join(" ")})`);
  return status === 0;
}
