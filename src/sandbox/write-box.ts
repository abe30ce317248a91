import { rememberSuccess } from "../failure/remember-success.ts";
import { requireHostProgram } from "../process/host-programs.ts";
import type { Command } from "../process/process.ts";
import { runCommand } from "../process/run.ts";

const bwrap = "/usr/bin/bwrap";

/**
 * A program of the machine that sees everything as it is, may write only to the given folders, and has no network. Where the machine
 * cannot confine it, the command comes back as it was: whoever uses this has judged what the program works on as well.
 */
export async function confineWrites(command: Command, folders: readonly string[]): Promise<Command> {
  if (!(await isUsable())) return command;
  return {
    ...command,
    file: bwrap,
    args: [
      ...readOnly,
      ...folders.flatMap((folder) => ["--bind-try", folder, folder]),
      ...["--chdir", command.cwd, "--", requireHostProgram(command.file, command.env["PATH"] ?? "")],
      ...command.args,
    ],
  };
}

const isRoot = process.getuid?.() === 0;
/** Root keeps its way past the owners of files, but nothing that reaches beyond them. */
const rights = isRoot
  ? [
      "--cap-drop",
      "ALL",
      ...["CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_CHOWN"].flatMap((one) => ["--cap-add", one]),
    ]
  : ["--unshare-user"];
const readOnly = [
  ...rights,
  ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--die-with-parent"],
  ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
  // Sockets of the system's own services.
  ...["--tmpfs", "/run"],
];

const isUsable = rememberSuccess(async (): Promise<boolean> => {
  if (process.platform !== "linux") return false;
  const trial = { file: bwrap, args: [...readOnly, "--", "/bin/true"], cwd: "/", env: {}, timeoutMs: 10_000 };
  return runCommand(trial).then(
    ({ exitCode }) => exitCode === 0,
    () => false,
  );
});
