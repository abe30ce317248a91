import {
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import type { ConfinedProgram, ConfinedRun, ConnectionParts } from "./connection-parts.ts";

/** Speaks with a server's program in the sandbox over its standard input and output. */
export class ConfinedTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport["onmessage"];
  /**
   * The client takes a transport with these two for one to a program: when the program does not answer the question about
   * its version in time, since it starts slowly or does not know the question, it is spoken to as an older server.
   */
  readonly stderr = null;
  readonly pid = null;
  readonly #confine: ConnectionParts["confine"];
  readonly #program: Omit<ConfinedProgram, "onStdout" | "signal">;
  readonly #stop = new AbortController();
  readonly #received = new ReadBuffer();
  #run: ConfinedRun | undefined;
  /** Why it could not be started, or how it ended. */
  #failed: Error | undefined;

  constructor(confine: ConnectionParts["confine"], program: Omit<ConfinedProgram, "onStdout" | "signal">) {
    this.#confine = confine;
    this.#program = program;
  }

  async start(): Promise<void> {
    this.#run = this.#confine({
      ...this.#program,
      signal: this.#stop.signal,
      onStdout: (chunk) => this.#receive(chunk),
    });
    void this.#run.ended
      .catch((error: Error) => {
        if (this.#stop.signal.aborted) return;
        this.#failed = error;
        this.onerror?.(error);
      })
      .finally(() => this.onclose?.());
  }

  /** What the sandbox said when it could not start the program. */
  get problem(): string {
    return this.#failed?.message ?? "";
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#run?.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#run?.ended.catch(() => undefined);
  }

  #receive(chunk: Buffer): void {
    this.#received.append(chunk);
    for (;;) {
      try {
        const message = this.#received.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(error as Error);
      }
    }
  }
}
