/**
 * Byte strings → small numbers in the order they came. Open addressing; a slot holds the number and 64 bits of hash side
 * by side, which alone decide equality: one look into memory for each word read, and a false match is not to be expected
 * before billions of words. The arrays are also the table's form on disk.
 */
export class TermTable {
  /** Per slot: number + 1, first hash, second hash, and one number for whoever builds the table. */
  slots: Int32Array;
  starts: Uint32Array;
  arena: Uint8Array;
  size: number;

  /** With space for so many terms, before it must grow. */
  constructor(from?: Pick<TermTable, "slots" | "starts" | "arena" | "size">, expected = 0) {
    this.slots = from?.slots ?? new Int32Array(2 ** Math.max(13, Math.ceil(Math.log2(expected * 8 + 1))));
    this.starts = from?.starts ?? new Uint32Array(1 << 10);
    this.arena = from?.arena ?? new Uint8Array(1 << 14);
    this.size = from?.size ?? 0;
  }

  /**
   * The slot of `bytes[start..end)`, a new one when it was never seen: then `size` has grown, and `slots` may be another
   * array in another order. The hashes are those of `hashesOf`.
   */
  slotFor(bytes: Uint8Array, start: number, end: number, hash: number, second: number): number {
    const slot = this.slotOf(hash, second);
    if (this.slots[slot] !== 0) return slot;
    const { slots } = this;
    const term = this.size++;
    slots[slot] = term + 1;
    slots[slot + 1] = hash;
    slots[slot + 2] = second;
    this.#append(term, bytes, start, end);
    if (this.size * 8 <= slots.length) return slot;
    this.#rehash();
    return this.slotOf(hash, second);
  }

  /** The number of `bytes[start..end)`. */
  intern(bytes: Uint8Array, start: number, end: number, hash: number, second: number): number {
    const slot = this.slotFor(bytes, start, end, hash, second);
    return (this.slots[slot] as number) - 1;
  }

  /** The number of a term, -1 when it is not here. */
  find(text: string): number {
    const [hash, second] = hashesOf(Buffer.from(text));
    return (this.slots[this.slotOf(hash, second)] as number) - 1;
  }

  text(term: number): string {
    const start = this.starts[term] as number;
    const length = (this.starts[term + 1] as number) - start;
    return Buffer.from(this.arena.buffer, this.arena.byteOffset + start, length).toString();
  }

  /** Where these hashes are, or would be. */
  slotOf(hash: number, second: number): number {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = (hash << 2) & mask;
    while (slots[slot] !== 0 && (slots[slot + 1] !== hash || slots[slot + 2] !== second))
      slot = (slot + 4) & mask;
    return slot;
  }

  #append(term: number, bytes: Uint8Array, start: number, end: number): void {
    if (term + 2 > this.starts.length) {
      this.starts = enlarged(this.starts, this.starts.length * 2);
    }
    const from = this.starts[term] as number;
    const to = from + end - start;
    if (to > this.arena.length) {
      this.arena = enlarged(this.arena, Math.max(to, this.arena.length * 2));
    }
    for (let i = start, j = from; i < end; i++, j++) this.arena[j] = bytes[i] as number;
    this.starts[term + 1] = to;
  }

  #rehash(): void {
    const old = this.slots;
    this.slots = new Int32Array(old.length * 2);
    const { slots } = this;
    for (let i = 0; i < old.length; i += 4) {
      if (old[i] === 0) continue;
      const slot = this.slotOf(old[i + 1] as number, old[i + 2] as number);
      slots[slot] = old[i] as number;
      slots[slot + 1] = old[i + 1] as number;
      slots[slot + 2] = old[i + 2] as number;
      slots[slot + 3] = old[i + 3] as number;
    }
  }
}

/** Two hashes of one pass over the bytes; `SegmentBuilder` computes the same while it reads. */
export function hashesOf(bytes: Uint8Array): [number, number] {
  let hash = hashStart;
  let second = 0;
  for (const byte of bytes) {
    hash = Math.imul(hash ^ byte, hashFactor);
    second = Math.imul(second + byte, secondFactor);
  }
  return [hash ^ (hash >>> 15), second];
}

export const hashStart = 0x811c9dc5 | 0;
export const hashFactor = 0x01000193;
export const secondFactor = 0x5bd1e995;

/** The same numbers with space for more. The old array is empty from now on: its memory is free at once. */
export function enlarged<T extends Uint32Array | Int32Array | Uint8Array>(from: T, length: number): T {
  const OfSameKind = from.constructor as new (buffer: ArrayBuffer) => T;
  return new OfSameKind((from.buffer as ArrayBuffer).transfer(length * from.BYTES_PER_ELEMENT));
}
