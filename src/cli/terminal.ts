import { styleText } from "node:util";

/** Where a command reads and writes. Everything a command prints goes through here, so that tests can be the terminal. */
export interface Io {
  out(text: string): void;
  /** As it is, without a line ending: for text that comes piece by piece. */
  write(text: string): void;
  err(text: string): void;
  /** All of standard input. */
  input(): Promise<string>;
  /** A person sits at both ends: questions can be asked. */
  interactive: boolean;
  /** Standard output is a terminal, which escape codes could drive; with or without colours. */
  terminal: boolean;
  /** Colours on standard output. */
  colour: boolean;
  /** How wide the screen is; in a pipe there is no end. */
  columns: number;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
}

export type Style = Parameters<typeof styleText>[0];

/** Colours for a terminal, the plain text for a pipe. */
export function painter(io: Pick<Io, "colour">): (style: Style, text: string) => string {
  return (style, text) => (io.colour ? styleText(style, text, { validateStream: false }) : text);
}

export function processIo(): Io {
  const interrupted = new AbortController();
  process.once("SIGINT", () => interrupted.abort());
  const toOutput = (text: string) => {
    // A reader that went away (`wield tools | head`) is not an error.
    if (process.stdout.listenerCount("error") === 0) process.stdout.once("error", () => process.exit(0));
    process.stdout.write(text);
  };
  return {
    out: (text) => toOutput(text.endsWith("\n") ? text : `${text}\n`),
    write: toOutput,
    err: (text) => process.stderr.write(text.endsWith("\n") ? text : `${text}\n`),
    input: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString();
    },
    // Looked at when needed: opening standard input costs a short command a tenth of its time.
    get interactive() {
      return process.stdin.isTTY === true && process.stdout.isTTY === true;
    },
    get terminal() {
      return process.stdout.isTTY === true;
    },
    get colour() {
      return process.stdout.isTTY === true && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";
    },
    get columns() {
      // A terminal that does not know its size says 0.
      return process.stdout.columns || Number.POSITIVE_INFINITY;
    },
    cwd: process.cwd(),
    env: process.env,
    signal: interrupted.signal,
  };
}
