import { spawn } from "node:child_process";

/** Starts a program of the desktop, such as a browser, that is no concern of ours any more; false when it cannot be started. */
export function launch(file: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
