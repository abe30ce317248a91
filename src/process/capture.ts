import type { Captured } from "./process.ts";

/** Keeps the head and the tail of a stream within a cap, and counts the rest. */
export class Capture {
  bytes = 0;
  readonly #half: number;
  readonly #head: Buffer[] = [];
  readonly #tail: Buffer[] = [];
  #headBytes = 0;
  #tailBytes = 0;

  constructor(keepBytes: number) {
    this.#half = Math.ceil(keepBytes / 2);
  }

  add(chunk: Buffer): void {
    this.bytes += chunk.length;
    const first = chunk.subarray(0, this.#half - this.#headBytes);
    if (first.length > 0) {
      this.#head.push(first);
      this.#headBytes += first.length;
    }
    const rest = chunk.subarray(first.length);
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    for (let oldest = this.#tail[0]; oldest; oldest = this.#tail[0]) {
      if (this.#tailBytes - oldest.length < this.#half) break;
      this.#tail.shift();
      this.#tailBytes -= oldest.length;
    }
  }

  result(): Captured {
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail).subarray(-this.#half);
    const omitted = this.bytes - head.length - tail.length;
    if (omitted === 0) {
      const text = Buffer.concat([head, tail]).toString("utf8");
      return { text, bytes: this.bytes, truncated: false };
    }
    const start = head.subarray(0, lastBoundary(head));
    const end = tail.subarray(firstBoundary(tail));
    const left = this.bytes - start.length - end.length;
    const text = `${start.toString("utf8")}\n[… ${left} of ${this.bytes} bytes left out …]\n${end.toString("utf8")}`;
    return { text, bytes: this.bytes, truncated: true };
  }
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Where the last whole character of `bytes` ends, so that a cut makes no half characters. */
function lastBoundary(bytes: Buffer): number {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && isContinuation(bytes[start])) start--;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + length > bytes.length ? Math.max(start, 0) : bytes.length;
}

function firstBoundary(bytes: Buffer): number {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return start;
}
