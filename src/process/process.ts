/** Run one command to its end. Never a shell string: `args` stay literal. */
export interface Command {
  file: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment: nothing is inherited that is not named here. */
  env: Readonly<Record<string, string>>;
  input?: Uint8Array | string;
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Kept per stream, half from the head and half from the tail; the rest is counted. Default 1 MB. */
  keepBytes?: number;
  /** More output than this on both streams together ends the run. Default 16 MB. */
  maxBytes?: number;
  /** Sees the raw output as it comes; with it, nothing of stdout is kept. Return false to end the run. */
  onStdout?: (chunk: Buffer) => boolean | undefined;
  /** Sees what comes on both streams; all of it is kept as usual. */
  watch?: (chunk: Buffer, stream: "stdout" | "stderr") => void;
}

export interface Outcome {
  exitCode: number | null;
  signal: string | null;
  stdout: Captured;
  stderr: Captured;
  durationMs: number;
  /** What ended the run: the command itself, or us. */
  ended: "exit" | "timeout" | "abort" | "output-limit" | "stopped";
}

export interface Captured {
  /** Valid text; where bytes were left out, a line in the middle says how many. */
  text: string;
  bytes: number;
  truncated: boolean;
}

/** Resolves for every command that started; a command that cannot start is a `Failure` (`UNAVAILABLE` or `PERMISSION_DENIED`). */
export type RunCommand = (command: Command) => Promise<Outcome>;
