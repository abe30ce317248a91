import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "vitest";

export interface RunningFixture {
  child: ChildProcess;
  /** What it prints. */
  lines: AsyncIterator<string>;
  exit: Promise<number | null>;
  /** What it has written to stderr so far: the reason, where it failed. */
  errors(): string;
}

/** Starts a program of `fixtures/`. */
export function startFixture(name: string, ...args: string[]): RunningFixture {
  const child = spawn(process.execPath, [join(import.meta.dirname, "fixtures", name), ...args], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  // Not "exit": what it wrote last may still be on its way.
  const exit = once(child, "close").then(([code]) => code as number | null);
  return { child, lines, exit, errors: () => errors };
}

/** All of them end with 0; the others are shown with what they wrote to stderr. */
export async function expectSuccess(fixtures: readonly RunningFixture[]): Promise<void> {
  const codes = await Promise.all(fixtures.map(({ exit }) => exit));
  const failed = fixtures.map(({ errors }, i) => ({ code: codes[i], errors: errors() }));
  expect(failed.filter(({ code }) => code !== 0)).toEqual([]);
}
