import type { Elicit } from "./elicitation.ts";
import type { Confinement } from "./server-config.ts";

export interface ConnectionParts {
  /** The working directory of its program, and the root that a server is told. */
  root: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Undefined: nobody can be asked, and the server is told so. */
  elicit(): Elicit | undefined;
  /** The conversation that the call under way belongs to. */
  conversation(): string | undefined;
  /** Lets the model of a conversation answer for a server; each time only after the person agreed. */
  sample: Sample;
  /** A request to an origin that the settings do not name: of the public web only. */
  beyond(url: URL, init: RequestInit): Promise<Response>;
  /** Starts a program in the sandbox. */
  confine(program: ConfinedProgram): ConfinedRun;
  /** Where tokens for remote servers are kept. */
  tokensFile: string;
}

export interface ConfinedProgram {
  /** The server's name: it has a folder of its own by this name. */
  name: string;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  confinement: Confinement;
  onStdout(chunk: Buffer): void;
  onStderr(chunk: Buffer): void;
  signal: AbortSignal;
}

export interface ConfinedRun {
  /** Writes to its standard input; what comes before it runs is kept for it. */
  write(bytes: string): void;
  /** Ends with the program, with an error where it could not be started. */
  ended: Promise<void>;
}

export interface SampleRequest {
  system: string | undefined;
  messages: readonly { role: "user" | "assistant"; text: string }[];
  maxTokens: number;
}
export type Sample = (
  request: SampleRequest,
  conversation: string | undefined,
  signal: AbortSignal,
) => Promise<{ model: string; text: string }>;
