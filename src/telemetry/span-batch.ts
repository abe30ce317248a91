import { tracesFrame } from "./otlp.ts";

const [before, after] = tracesFrame;
const end = Buffer.byteLength(after);

/** The body of a request, written as spans are added to it. */
export class SpanBatch {
  readonly #bytes: Buffer;
  #used = 0;
  size = 0;

  constructor(mostBytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(mostBytes);
    this.clear();
  }

  /** Returns false for a span that does not fit. */
  add(text: string): boolean {
    const room = this.#bytes.length - this.#used - end - 1;
    // Counting the bytes takes time, and a character has at most three.
    if (text.length * 3 > room && Buffer.byteLength(text) > room) return false;
    this.#used += this.#bytes.write(this.size > 0 ? `,${text}` : text, this.#used);
    this.size++;
    return true;
  }

  body(): Buffer {
    return this.#bytes.subarray(0, this.#used + this.#bytes.write(after, this.#used));
  }

  clear(): void {
    this.#used = this.#bytes.write(before);
    this.size = 0;
  }
}
