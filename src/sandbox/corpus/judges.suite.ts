// What the outcomes of attempts are held against, and the raw system calls that several kinds of them make.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { forbiddenCalls, judgedCalls } from "../system-calls.ts";
import type { Attempt, Case, World } from "./case.suite.ts";

const column = process.arch === "arm64" ? 1 : 0;
const number = (name: string) =>
  (forbiddenCalls[name] ?? judgedCalls[name as keyof typeof judgedCalls])?.[column] ?? null;

/** Makes raw system calls and prints `name errno`. */
export const rawCalls = (...calls: [name: string, ...args: (number | string)[]][]) => `
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
${calls
  .filter(([name]) => number(name) !== null)
  .map(([name, ...args]) => {
    const list = [number(name), ...args].join(", ");
    return `ctypes.set_errno(0); r = libc.syscall(${list}); print("${name}", ctypes.get_errno() if r == -1 else 0)`;
  })
  .join("\n")}
`;
export const allFailWith = (errno: number) => (attempt: Attempt) => {
  const lines = attempt.stdout.trim().split("\n");
  const wrong = lines.filter((line) => !line.endsWith(` ${errno}`));
  return (
    (lines.length === 0 || attempt.stdout === "" || wrong.length > 0) &&
    `expected ${errno}: ${attempt.stdout}${attempt.stderr}`
  );
};
export const silent = (attempt: Attempt) =>
  attempt.stdout.trim() !== "" && `printed ${attempt.stdout.slice(0, 300)}`;
export const says = (text: string | RegExp) => (attempt: Attempt) =>
  !(typeof text === "string" ? attempt.stdout.trim() === text : text.test(attempt.stdout)) &&
  `expected ${text}, got ${attempt.stdout.slice(0, 300)} / ${attempt.stderr.slice(0, 300)}`;
export const noFile =
  (...names: string[]) =>
  (_: Attempt, world: World) => {
    const there = names.filter((name) => existsSync(join(world.workspace, name)));
    return there.length > 0 && `on the host: ${there.join(", ")}`;
  };
export const both =
  (...judges: NonNullable<Case["judge"]>[]): NonNullable<Case["judge"]> =>
  (attempt, world) =>
    judges.map((judge) => judge(attempt, world)).find(Boolean);
/** Long before what it waits for: how quickly exactly is for the benchmark to tell. */
export function soon({ durationMs }: Attempt): string | false {
  return durationMs > 15_000 && `took ${durationMs} ms`;
}
