import { Failure } from "../../failure/failure.ts";
import { realHostProgram } from "../../process/host-programs.ts";
import type { RunCommand } from "../../process/process.ts";

/** Where programs of the machine are found, and how they are asked about themselves. */
export interface Host {
  env: Readonly<Record<string, string>>;
  run: RunCommand;
}

export function locate(name: string, { env }: Host, advice: string): string {
  const found = realHostProgram(name, env["PATH"] ?? "");
  if (found === undefined) throw new Failure("UNAVAILABLE", `${name} is not installed. ${advice}`);
  return found;
}

/** Lines of an answer. Asked away from the workspace, whose files could tell it something else. */
export async function ask({ env, run }: Host, file: string, ...args: string[]): Promise<string[]> {
  const { stdout, stderr, exitCode } = await run({ file, args, cwd: "/", env, timeoutMs: 10_000 });
  if (exitCode !== 0) throw new Failure("UNAVAILABLE", `${file} does not work here: ${stderr.text.trim()}`);
  return stdout.text.trim().split("\n");
}
