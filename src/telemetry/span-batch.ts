import { tracesFrame } from "./otlp.ts";

const [before, after] = tracesFrame;
const end = Buffer.byteLength(after);

/** The body of a request, written into given bytes as spans are added to it. */
export class SpanBatch {
  readonly #bytes: Buffer;
  #used: number;
  size = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#used = bytes.write(before);
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
}
