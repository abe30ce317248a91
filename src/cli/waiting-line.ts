import type { WieldEvent } from "../events/events.ts";
import { visibleLine } from "../text/visible.ts";
import type { Io } from "./terminal.ts";

/** A progress line during a long call: what it does, and for how long. Hidden while a prompt is open. */
export class WaitingLine {
  readonly #io: Io;
  // Date.now(), because performance.now() would load perf_hooks for every short call.
  readonly #started = Date.now();
  // The timer must not keep a failed process alive.
  readonly #clock = setInterval(() => this.#show(), 1_000).unref();
  #doing: string;
  #questions = 0;
  #shown = false;

  constructor(doing: string, io: Io) {
    this.#doing = doing;
    this.#io = io;
  }

  follow(event: WieldEvent): void {
    if (event.type === "approval-ask") this.#question(+1);
    else if (event.type === "approval-answer") this.#question(-1);
    else if (event.type === "call-progress") {
      const { message, done = 0, total } = event;
      this.#doing = total === undefined ? message : `${message} ${done}/${total}`;
      this.#show();
    }
  }

  async rest<T>(ask: () => Promise<T>): Promise<T> {
    this.#question(+1);
    return ask().finally(() => this.#question(-1));
  }

  end(): void {
    clearInterval(this.#clock);
    this.#clear();
  }

  #question(more: number): void {
    this.#questions += more;
    this.#clear();
  }

  #show(): void {
    if (this.#questions > 0 || !this.#io.interactive) return;
    const line = `${visibleLine(this.#doing)} … ${Math.round((Date.now() - this.#started) / 1_000)} s`;
    process.stderr.write(`\r\u001b[2K${line.slice(0, this.#io.columns - 1)}`);
    this.#shown = true;
  }

  #clear(): void {
    if (this.#shown) process.stderr.write("\r\u001b[2K");
    this.#shown = false;
  }
}
