// Small helpers of the code benchmark: time, figures as people read them, names to ask for.
import { spawnSync } from "node:child_process";
import { rgPath } from "@vscode/ripgrep";
import { quantile, verdict } from "../measure.ts";

export async function time(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export function median(times: readonly number[]): number {
  return quantile(
    times.toSorted((a, b) => a - b),
    0.5,
  );
}

export function ms(value: number): string {
  if (value < 1) return `${(value * 1000).toFixed(0)} µs`;
  return value < 100 ? `${value.toFixed(1)} ms` : `${(value / 1000).toFixed(2)} s`;
}

export const ratio = (a: number, b: number) => `${(a / b).toFixed(2)}×`;

/** A row whose goal is a time. */
export function within(title: string, times: readonly number[], goalMs: number): void {
  const sorted = times.toSorted((a, b) => a - b);
  const p50 = quantile(sorted, 0.5);
  verdict(`${title}: p50 ${ms(p50)}, p95 ${ms(quantile(sorted, 0.95))}`, `< ${goalMs} ms`, p50 < goalMs);
}

/** A program's time by the clock and by the processors, which others on the machine disturb less; both in milliseconds. */
export function timed(program: string, args: readonly string[]): { ms: number; cpu: number } {
  const started = performance.now();
  const script = '"$@" > /dev/null 2>&1; times';
  const { stdout } = spawnSync("sh", ["-c", script, "sh", program, ...args], { encoding: "utf8" });
  const ms = performance.now() - started;
  const spent = [...(stdout.split("\n")[1] ?? "").matchAll(/(\d+)m([\d.]+)s/g)];
  return { ms, cpu: spent.reduce((sum, [, m, s]) => sum + 60_000 * Number(m) + 1000 * Number(s), 0) };
}

/** Some names that are declared in the tree, the same ones every time. */
export function declaredNames(root: string): string[] {
  const { stdout } = spawnSync(
    rgPath,
    ["--no-config", "-I", "-N", "-o", "-e", "(func|fn|def|class|struct|function) +[A-Za-z]\\w{7,}", root],
    { maxBuffer: 1 << 28, encoding: "utf8" },
  );
  const names = [...new Set(stdout.split("\n").map((line) => line.split(/ +/)[1] ?? ""))].filter(Boolean);
  const step = Math.max(1, Math.floor(names.length / 400));
  return names.sort().filter((_, i) => i % step === 0);
}
