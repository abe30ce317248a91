/**
 * Byte strings → small numbers in the order they came, by open addressing over one arena. Its four arrays are also its
 * form on disk: a table is looked up there just as it was built.
 */
export class TermTable {
  slots: Int32Array;
  hashes: Int32Array;
  starts: Uint32Array;
  arena: Uint8Array;
  size: number;

  constructor(from?: Pick<TermTable, "slots" | "hashes" | "starts" | "arena" | "size">) {
    this.slots = from?.slots ?? new Int32Array(1 << 12);
    this.hashes = from?.hashes ?? new Int32Array(1 << 10);
    this.starts = from?.starts ?? new Uint32Array(1 << 10);
    this.arena = from?.arena ?? new Uint8Array(1 << 14);
    this.size = from?.size ?? 0;
  }

  /** The number of `bytes[start..end)`, a new one when it was never seen. `hash` is `hashOf` the same bytes. */
  intern(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slot = this.#slotOf(bytes, start, end, hash);
    const found = (this.slots[slot] as number) - 1;
    if (found >= 0) return found;
    const term = this.size++;
    this.slots[slot] = term + 1;
    this.#append(term, bytes, start, end, hash);
    if (this.size * 2 > this.slots.length) this.#rehash();
    return term;
  }

  /** The number of a term, -1 when it is not here. */
  find(text: string): number {
    const bytes = Buffer.from(text);
    return (this.slots[this.#slotOf(bytes, 0, bytes.length, hashOf(bytes))] as number) - 1;
  }

  text(term: number): string {
    const start = this.starts[term] as number;
    return Buffer.from(
      this.arena.buffer,
      this.arena.byteOffset + start,
      (this.starts[term + 1] as number) - start,
    ).toString();
  }

  #slotOf(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const { slots, hashes, starts, arena } = this;
    const mask = slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    search: for (;;) {
      const term = (slots[slot] as number) - 1;
      if (term < 0) return slot;
      if (hashes[term] === hash) {
        const from = starts[term] as number;
        if ((starts[term + 1] as number) - from === end - start) {
          for (let i = start, j = from; i < end; i++, j++) {
            if (bytes[i] !== arena[j]) {
              slot = (slot + 1) & mask;
              continue search;
            }
          }
          return slot;
        }
      }
      slot = (slot + 1) & mask;
    }
  }

  #append(term: number, bytes: Uint8Array, start: number, end: number, hash: number): void {
    if (term + 2 > this.starts.length) {
      this.starts = enlarged(this.starts, new Uint32Array(this.starts.length * 2));
      this.hashes = enlarged(this.hashes, new Int32Array(this.hashes.length * 2));
    }
    const from = this.starts[term] as number;
    const to = from + end - start;
    if (to > this.arena.length)
      this.arena = enlarged(this.arena, new Uint8Array(Math.max(to, this.arena.length * 2)));
    for (let i = start, j = from; i < end; i++, j++) this.arena[j] = bytes[i] as number;
    this.starts[term + 1] = to;
    this.hashes[term] = hash;
  }

  #rehash(): void {
    const slots = new Int32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    for (let term = 0; term < this.size; term++) {
      const hash = this.hashes[term] as number;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = term + 1;
    }
    this.slots = slots;
  }
}

/** FNV-1a; `SegmentBuilder` computes the same while it reads. */
export function hashOf(bytes: Uint8Array): number {
  let hash = hashStart;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, hashFactor);
  return hash;
}

export const hashStart = 0x811c9dc5 | 0;
export const hashFactor = 0x01000193;

/** `from` copied into the larger `to`. */
export function enlarged<T extends Uint32Array | Int32Array | Uint16Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
