// What telemetry costs a call: switched off, beside the same code with its hooks removed; and switched on, beside switched off.
// CPU time, not elapsed time, of calls that take turns in one process: other work on the machine slows all of them
// alike. Processes differ by how the code was compiled and where it lies, so there are many, and the result is the median of their
// ratios, with the interval that holds 95 % of the medians of samples drawn from them again. The difference between two
// instances that are both switched off is printed, too: nothing smaller can be seen this way.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { quantile, verdict } from "./measure.ts";

const kinds = ["without", "off", "again", "on"] as const;
type Times = Record<(typeof kinds)[number], number[]>;

const processes = Number(process.argv[2] ?? 16);
const collector = spawn(
  process.execPath,
  [
    "-e",
    `require("node:http").createServer((q, r) => q.resume().on("end", () => r.end("{}"))).listen(0, "127.0.0.1", function () { console.log(this.address().port) })`,
  ],
  { stdio: ["ignore", "pipe", "inherit"] },
);
const [port] = await once(collector.stdout, "data");
const endpoint = `http://127.0.0.1:${String(port).trim()}`;

const measured: Times[] = [];
for (let round = 0; round < processes; round++) {
  const script = join(import.meta.dirname, "telemetry-process.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [script, endpoint, String(round)]);
  measured.push(JSON.parse(stdout));
}
collector.kill();

console.log(`\nread_file through the whole pipeline: CPU time of a call, ${processes} processes`);
for (const kind of kinds) {
  const all = measured.map((times) => `${medianOf(times[kind]).toFixed(0)}`);
  console.log(`  ${kind.padEnd(8)} ${medianOf(all.map(Number))} µs  (${all.join(" ")})`);
}
console.log(`  off beside the same once more: ${spreadOf(ratios("again", "off"))}`);
judge("off: < 1 % more than without the hooks", 1, ratios("off", "without"));
judge("on: < 5 % more than off", 5, ratios("on", "off"));

/** How much more CPU time one takes, in per cent: one figure for each process, from blocks that ran next to each other. */
function ratios(kind: keyof Times, than: keyof Times): number[] {
  return measured.map((times) =>
    medianOf(times[kind].map((time, block) => (time / (times[than][block] ?? Number.NaN) - 1) * 100)),
  );
}

function judge(goal: string, limit: number, values: readonly number[]): void {
  verdict(spreadOf(values), goal, medianOf(values) < limit);
}

function spreadOf(values: readonly number[]): string {
  const medians = Array.from({ length: 2_000 }, () =>
    medianOf(values.map(() => values[Math.floor(Math.random() * values.length)] ?? Number.NaN)),
  ).sort((a, b) => a - b);
  const [low, high] = [quantile(medians, 0.025), quantile(medians, 0.975)].map((value) => value.toFixed(2));
  return `${medianOf(values).toFixed(2)} % (95 %: ${low} to ${high})`;
}

function medianOf(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}
