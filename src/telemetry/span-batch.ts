import { tracesFrame } from "./otlp.ts";

const [before, after] = tracesFrame;
const capacity = 512 * 1024;
const start = Buffer.byteLength(before);
const end = Buffer.byteLength(after);

/**
 * The body of a request, as spans are added to it. The bytes are outside the heap: objects that wait for the next sending
 * would be copied by each garbage collection until then.
 */
export class SpanBatch {
  readonly #bytes = Buffer.allocUnsafeSlow(capacity);
  #used = this.#bytes.write(before);
  size = 0;

  /** Returns false for a span that does not fit. */
  add(text: string): boolean {
    const room = capacity - this.#used - end - 1;
    // Counting the bytes takes time, and a character has at most three.
    if (text.length * 3 > room && Buffer.byteLength(text) > room) return false;
    if (this.size > 0) this.#used += this.#bytes.write(",", this.#used);
    this.#used += this.#bytes.write(text, this.#used);
    this.size++;
    return true;
  }

  /** Valid until the batch is used again. */
  body(): Buffer {
    return this.#bytes.subarray(0, this.#used + this.#bytes.write(after, this.#used));
  }

  clear(): void {
    this.#used = start;
    this.size = 0;
  }
}
