import { spawn } from "node:child_process";
import { hostPath, requireHostProgram } from "./host-programs.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Hands the terminal to a program (an editor) until it ends; its exit code, or null when it was killed. */
export function runInTerminal(
  file: string,
  args: readonly string[],
  environment: Environment,
): Promise<number | null> {
  const env = personsEnvironment(environment);
  return new Promise((resolve, reject) => {
    const child = spawn(requireHostProgram(file, env.PATH), args, { stdio: "inherit", env });
    child.once("error", reject);
    child.once("exit", (code) => resolve(code));
  });
}

/** Starts a program of the desktop, such as a browser, that is no concern of ours any more; false when it cannot be started. */
export async function launch(
  file: string,
  args: readonly string[],
  environment: Environment,
): Promise<boolean> {
  const env = personsEnvironment(environment);
  return new Promise((resolve) => {
    const child = spawn(requireHostProgram(file, env.PATH), args, { stdio: "ignore", detached: true, env });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  }).catch(() => false) as Promise<boolean>;
}

/** The person's own, but what such a program starts in turn is found outside every workspace too. */
function personsEnvironment(environment: Environment): Record<string, string> & { PATH: string } {
  const given = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { ...Object.fromEntries(given), PATH: hostPath(environment["PATH"] ?? "") || "/usr/bin:/bin" };
}
