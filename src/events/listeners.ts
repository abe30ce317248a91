import type { WieldEvent } from "./events.ts";

export type Listener = (event: WieldEvent) => void;

/** Event listeners. One that throws affects neither the call nor the other listeners. */
export class Listeners {
  readonly #listeners = new Set<Listener>();
  /** Each failing listener is reported once, or a broken one would fill the log. */
  readonly #reported = new WeakSet<Listener>();

  /** Returns how to stop listening. */
  add(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get size(): number {
    return this.#listeners.size;
  }

  tell(event: WieldEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        if (this.#reported.has(listener)) continue;
        this.#reported.add(listener);
        console.error(`A listener failed on ${event.type}; its failures are reported only once.`, error);
      }
    }
  }
}
