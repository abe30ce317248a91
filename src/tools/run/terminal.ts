/** A command for a terminal that the person watches, such as one of their editor. */
export interface TerminalCommand {
  callId: string;
  file: string;
  args: readonly string[];
  cwd: string;
  /** On top of the terminal's own. */
  env: Readonly<Record<string, string>>;
  timeoutMs: number;
  maxBytes: number;
  signal: AbortSignal;
}

/** Resolves when the command has ended; undefined: no terminal could be opened and nothing ran. */
export type RunInTerminal = (command: TerminalCommand) => Promise<
  | {
      /** Both streams as the terminal shows them. */
      output: string;
      exitCode: number | null;
      isTimeout: boolean;
      durationMs: number;
    }
  | undefined
>;
