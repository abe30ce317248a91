/**
 * A file's three-letter sequences (in lower case) as a bit set whose size fits the file: which files cannot match is
 * answered without opening them. Sizes are powers of two and the position is a hash's low bits, so a set made at the
 * largest size is folded in halves until it is reasonably full.
 */
const largest = 1 << 17;
const fullness = 0.3;

export function gramsOf(bytes: Uint8Array): Uint8Array {
  // A file has no more sequences than bytes: a short one starts small.
  const size = Math.min(largest, 2 ** Math.ceil(Math.log2(Math.max(64, bytes.length * 2))));
  const mask = size - 1;
  const bits = new Uint8Array(size >> 3);
  let sequence = ((lowered[bytes[0] ?? 0] as number) << 8) | (lowered[bytes[1] ?? 0] as number);
  for (let i = 2; i < bytes.length; i++) {
    sequence = ((sequence << 8) | (lowered[bytes[i] as number] as number)) & 0xffffff;
    const hash = Math.imul(sequence, 0x9e3779b1);
    const at = (hash ^ (hash >>> 15)) & mask;
    bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
  }
  return folded(bits);
}

/** Whether a file with these grams may hold the literal (bytes in lower case). */
export function mayHold(grams: Uint8Array, start: number, end: number, literal: Uint8Array): boolean {
  const mask = (end - start) * 8 - 1;
  for (let i = 2; i < literal.length; i++) {
    const at = position(literal[i - 2] as number, literal[i - 1] as number, literal[i] as number) & mask;
    if (((grams[start + (at >> 3)] as number) & (1 << (at & 7))) === 0) return false;
  }
  return true;
}

/** ASCII letters only: other letters change their length with their case. */
export function lowerBytes(text: string): Uint8Array {
  return Buffer.from(text).map((byte) => lowered[byte] as number);
}

const lowered = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte));

function position(a: number, b: number, c: number): number {
  const hash = Math.imul((a << 16) | (b << 8) | c, 0x9e3779b1);
  return hash ^ (hash >>> 15);
}

function folded(bits: Uint8Array): Uint8Array {
  let set = 0;
  for (const byte of bits) set += ones[byte] ?? 0;
  let half = bits;
  while (half.length > 8 && set < half.length * 8 * (fullness / 2)) {
    const size = half.length >> 1;
    const next = new Uint8Array(size);
    for (let i = 0; i < size; i++) next[i] = (half[i] ?? 0) | (half[i + size] ?? 0);
    half = next;
  }
  return half.length === bits.length ? bits : half;
}

const ones = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll("0", "").length);
