import { enlarged } from "./term-table.ts";

// Most words stand in one or two files: the first block is small. A block ends with the place of the next.
const firstBlock = 8;
const laterBlock = 60;

/** Of each term, side by side: where the next byte goes, where its block ends, the last number, the first block + 1. */
const width = 4;

/**
 * Term → growing numbers, each with one byte of payload. While building, a term's list is a chain of blocks in one pool;
 * a number is kept as the difference to the one before.
 */
export class PostingsBuilder {
  #pool = new Uint8Array(1 << 16);
  #used = 0;
  #terms = new Int32Array(1 << 12);
  /** Bytes of all lists. */
  #length = 0;

  add(term: number, number: number, payload: number): void {
    const record = term * width;
    if (record >= this.#terms.length) this.#makeRoom(record);
    const terms = this.#terms;
    if (terms[record + 3] === 0) this.#begin(record);
    let delta = number - (terms[record + 2] as number);
    terms[record + 2] = number;
    // The longest entry has six bytes: it is written at once when the block has space for that.
    let at = terms[record] as number;
    if ((terms[record + 1] as number) - at >= 6) {
      const pool = this.#pool;
      const from = at;
      while (delta >= 128) {
        pool[at++] = (delta & 127) | 128;
        delta >>>= 7;
      }
      pool[at++] = delta;
      pool[at++] = payload;
      terms[record] = at;
      this.#length += at - from;
      return;
    }
    while (delta >= 128) {
      this.#push(record, (delta & 127) | 128);
      delta >>>= 7;
    }
    this.#push(record, delta);
    this.#push(record, payload);
  }

  /**
   * All lists of `count` terms, one after the other; the list of term i is `lists[offsets[i]..offsets[i + 1])`. Nothing can
   * be added any more.
   */
  finish(count: number): { offsets: Uint32Array; lists: Uint8Array } {
    const offsets = new Uint32Array(count + 1);
    const lists = new Uint8Array(this.#length);
    let at = 0;
    for (let term = 0; term < count; term++) {
      at = this.#copy(term * width, lists, at);
      offsets[term + 1] = at;
    }
    this.#pool = enlarged(this.#pool, 0);
    this.#terms = enlarged(this.#terms, 0);
    return { offsets, lists };
  }

  /** Returns where the list ends. */
  #copy(record: number, into: Uint8Array, at: number): number {
    const terms = this.#terms;
    let block = (terms[record + 3] ?? 0) - 1;
    if (block < 0) return at;
    const pool = this.#pool;
    const end = terms[record] as number;
    const last = terms[record + 1] as number;
    for (let size = firstBlock; block + size !== last; size = laterBlock) {
      for (let i = 0; i < size; i++) into[at++] = pool[block + i] as number;
      block = this.#readPlace(block + size);
    }
    while (block < end) into[at++] = pool[block++] as number;
    return at;
  }

  #begin(record: number): void {
    const block = this.#allocate(firstBlock);
    const terms = this.#terms;
    terms[record] = block;
    terms[record + 1] = block + firstBlock;
    terms[record + 2] = -1;
    terms[record + 3] = block + 1;
  }

  #push(record: number, byte: number): void {
    const terms = this.#terms;
    const end = terms[record + 1] as number;
    if (terms[record] === end) {
      const block = this.#allocate(laterBlock);
      this.#writePlace(end, block);
      terms[record] = block;
      terms[record + 1] = block + laterBlock;
    }
    const at = terms[record] as number;
    this.#pool[at] = byte;
    terms[record] = at + 1;
    this.#length++;
  }

  #allocate(size: number): number {
    const start = this.#used;
    this.#used += size + 4;
    if (this.#used > this.#pool.length) this.#pool = enlarged(this.#pool, (this.#used * 3) >> 1);
    return start;
  }

  #readPlace(at: number): number {
    const p = this.#pool;
    return (
      (p[at] as number) |
      ((p[at + 1] as number) << 8) |
      ((p[at + 2] as number) << 16) |
      ((p[at + 3] as number) << 24)
    );
  }

  #writePlace(at: number, place: number): void {
    for (let i = 0; i < 4; i++) this.#pool[at + i] = place >>> (8 * i);
  }

  #makeRoom(record: number): void {
    this.#terms = enlarged(this.#terms, Math.max(record + width, this.#terms.length * 2));
  }
}

/** Calls `visit(number, payload)` for each entry of one list. */
export function readPostings(
  lists: Uint8Array,
  start: number,
  end: number,
  visit: (number: number, payload: number) => void,
): void {
  let number = -1;
  for (let at = start; at < end; ) {
    let delta = 0;
    let shift = 0;
    let byte = lists[at++] as number;
    while (byte >= 128) {
      delta |= (byte & 127) << shift;
      shift += 7;
      byte = lists[at++] as number;
    }
    number += delta | (byte << shift);
    visit(number, lists[at++] as number);
  }
}
