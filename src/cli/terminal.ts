import { styleText } from "node:util";

/** Where a command reads and writes. All output goes through here, so that tests can replace the terminal. */
export interface Io {
  out(text: string): void;
  /** Without a line ending: for streamed text. */
  write(text: string): void;
  err(text: string): void;
  /** All of standard input. */
  input(): Promise<string>;
  /** Both input and output are a terminal: a person can be asked. */
  interactive: boolean;
  /** Standard output is a terminal, with or without colours: escape codes in content would act on it. */
  terminal: boolean;
  /** Colours on standard output. */
  colour: boolean;
  /** The width of the terminal; unlimited in a pipe. */
  columns: number;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
}

export type Style = Parameters<typeof styleText>[0];

/** Adds colours for a terminal; plain text for a pipe. */
export function painter(io: Pick<Io, "colour">): (style: Style, text: string) => string {
  return (style, text) => (io.colour ? styleText(style, text, { validateStream: false }) : text);
}

export function processIo(): Io {
  const interrupted = new AbortController();
  process.once("SIGINT", () => interrupted.abort());
  const toOutput = (text: string) => {
    // A closed pipe (`wield tools | head`) is not an error.
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
    // Opened on demand: opening standard input takes a tenth of a short command's time.
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
      // A terminal of unknown size reports 0.
      return process.stdout.columns || Number.POSITIVE_INFINITY;
    },
    cwd: process.cwd(),
    env: process.env,
    signal: interrupted.signal,
  };
}
