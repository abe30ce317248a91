import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A program of `fixtures/`, running; `lines` are what it prints. */
export function startFixture(
  name: string,
  ...args: string[]
): { child: ChildProcess; lines: AsyncIterator<string>; exit: Promise<number | null> } {
  const child = spawn(process.execPath, [join(import.meta.dirname, "fixtures", name), ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exit = once(child, "exit").then(([code]) => code as number | null);
  return { child, lines, exit };
}
