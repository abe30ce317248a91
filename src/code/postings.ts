import { enlarged } from "./term-table.ts";

// Most words stand in one or two files: the first block is small. A block ends with the place of the next.
const firstBlock = 8;
const laterBlock = 60;

/**
 * Term → growing numbers, each with one byte of payload. While building, a term's list is a chain of blocks in one pool;
 * a number is kept as the difference to the one before.
 */
export class PostingsBuilder {
  #pool = new Uint8Array(1 << 16);
  #used = 0;
  #first = new Int32Array(1 << 10).fill(-1);
  /** Where the next byte goes, and where its block ends. */
  #at = new Uint32Array(1 << 10);
  #end = new Uint32Array(1 << 10);
  #last = new Int32Array(1 << 10);
  #lengths = new Uint32Array(1 << 10);

  add(term: number, number: number, payload: number): void {
    if (term >= this.#first.length) this.#makeRoom(term);
    if (this.#first[term] === -1) this.#begin(term);
    let delta = number - (this.#last[term] as number);
    this.#last[term] = number;
    // The longest entry has six bytes: it is written at once when the block has room for that.
    let at = this.#at[term] as number;
    if ((this.#end[term] as number) - at >= 6) {
      const pool = this.#pool;
      const from = at;
      while (delta >= 128) {
        pool[at++] = (delta & 127) | 128;
        delta >>>= 7;
      }
      pool[at++] = delta;
      pool[at++] = payload;
      this.#at[term] = at;
      this.#lengths[term] = (this.#lengths[term] as number) + at - from;
      return;
    }
    while (delta >= 128) {
      this.#push(term, (delta & 127) | 128);
      delta >>>= 7;
    }
    this.#push(term, delta);
    this.#push(term, payload);
  }

  /** All lists of `count` terms, one after the other; the list of term i is `lists[offsets[i]..offsets[i + 1])`. */
  finish(count: number): { offsets: Uint32Array; lists: Uint8Array } {
    const offsets = new Uint32Array(count + 1);
    for (let term = 0; term < count; term++)
      offsets[term + 1] = (offsets[term] as number) + (this.#lengths[term] ?? 0);
    const lists = new Uint8Array(offsets[count] as number);
    for (let term = 0; term < count; term++) this.#copy(term, lists, offsets[term] as number);
    return { offsets, lists };
  }

  #copy(term: number, into: Uint8Array, at: number): void {
    let left = this.#lengths[term] ?? 0;
    let block = this.#first[term] as number;
    let size = firstBlock;
    while (left > 0) {
      const take = Math.min(left, size);
      for (let i = 0; i < take; i++) into[at + i] = this.#pool[block + i] as number;
      at += take;
      left -= take;
      if (left > 0) block = this.#readPlace(block + size);
      size = laterBlock;
    }
  }

  #begin(term: number): void {
    const block = this.#allocate(firstBlock);
    this.#first[term] = block;
    this.#at[term] = block;
    this.#end[term] = block + firstBlock;
    this.#last[term] = -1;
  }

  #push(term: number, byte: number): void {
    if (this.#at[term] === this.#end[term]) {
      const end = this.#end[term] as number;
      const block = this.#allocate(laterBlock);
      this.#writePlace(end, block);
      this.#at[term] = block;
      this.#end[term] = block + laterBlock;
    }
    const at = this.#at[term] as number;
    this.#pool[at] = byte;
    this.#at[term] = at + 1;
    this.#lengths[term] = (this.#lengths[term] as number) + 1;
  }

  #allocate(size: number): number {
    const start = this.#used;
    this.#used += size + 4;
    if (this.#used > this.#pool.length)
      this.#pool = enlarged(this.#pool, new Uint8Array((this.#used * 3) >> 1));
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

  #makeRoom(term: number): void {
    const size = Math.max(term + 1, this.#first.length * 2);
    this.#first = enlarged(this.#first, new Int32Array(size).fill(-1));
    this.#at = enlarged(this.#at, new Uint32Array(size));
    this.#end = enlarged(this.#end, new Uint32Array(size));
    this.#last = enlarged(this.#last, new Int32Array(size));
    this.#lengths = enlarged(this.#lengths, new Uint32Array(size));
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
