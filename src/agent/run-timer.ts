import type { Clock } from "./clock.ts";

/** The time that a run has worked. It pauses while a person is asked for an approval. */
export class RunTimer {
  readonly #clock: Clock;
  readonly #limitMs: number | undefined;
  readonly #onLimit: () => void;
  #workedMs = 0;
  #since: number;
  /** How many steps wait for a person. */
  #waiting = 0;
  #wake = new AbortController();

  constructor(clock: Clock, limitSeconds: number | undefined, onLimit: () => void) {
    this.#clock = clock;
    this.#limitMs = limitSeconds === undefined ? undefined : limitSeconds * 1000;
    this.#onLimit = onLimit;
    this.#since = clock.now().getTime();
    this.#watch();
  }

  get seconds(): number {
    const now = this.#clock.now().getTime();
    return (this.#workedMs + (this.#waiting > 0 ? 0 : now - this.#since)) / 1000;
  }

  /** A person is waited for, or no longer. */
  readonly onWait = (waiting: boolean): void => {
    if (waiting && this.#waiting === 0) {
      this.#workedMs = this.seconds * 1000;
      this.stop();
    }
    this.#waiting += waiting ? 1 : -1;
    if (!waiting && this.#waiting === 0) {
      this.#since = this.#clock.now().getTime();
      this.#watch();
    }
  };

  stop(): void {
    this.#wake.abort();
  }

  #watch(): void {
    if (this.#limitMs === undefined) return;
    this.#wake = new AbortController();
    void this.#clock.wait(Math.max(0, this.#limitMs - this.#workedMs), this.#wake.signal).then(
      () => this.#onLimit(),
      () => undefined,
    );
  }
}
