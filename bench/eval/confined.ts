import { spawnSync } from "node:child_process";
import { homedir } from "node:os";
import { dirname } from "node:path";

export interface Ran {
  exitCode: number | null;
  /** Standard output and error, as they came. */
  output: string;
}

/** Runs a shell command that a model wrote, or one that runs what it wrote: only the folder can be changed, and there is no network. */
export function runConfined(folder: string, command: string, seconds: number): Ran {
  const node = dirname(process.execPath);
  const view = [
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--tmpfs",
    "/tmp",
    "--tmpfs",
    homedir(),
  ];
  const { status, stdout, error } = spawnSync(
    "bwrap",
    [
      ...view,
      ...["--ro-bind", node, node, "--bind", folder, folder, "--chdir", folder],
      ...["--unshare-all", "--die-with-parent", "--new-session"],
      ...["sh", "-c", `exec 2>&1; ${command}`],
    ],
    {
      encoding: "utf8",
      timeout: seconds * 1_000,
      maxBuffer: 1 << 26,
      env: { PATH: `${node}:${process.env["PATH"]}`, HOME: "/tmp", LANG: "C.UTF-8" },
    },
  );
  if (error && !("code" in error && error.code === "ETIMEDOUT")) throw error;
  return { exitCode: status, output: error ? `${stdout}\n(stopped after ${seconds} seconds)` : stdout };
}
