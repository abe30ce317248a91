import { spawn } from "node:child_process";

/** Hands the terminal to a program (an editor) until it ends; its exit code, or null when it was killed. */
export function runInTerminal(file: string, args: readonly string[]): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: "inherit" });
    child.once("error", reject);
    child.once("exit", (code) => resolve(code));
  });
}
