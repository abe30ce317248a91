/**
 * A file's three-letter sequences (in lower case) as a bit set whose size fits the file: which files cannot match is
 * answered without opening them. Sizes are powers of two and the position is a hash's low bits, so a set made at the
 * largest size is folded in halves until it is reasonably full.
 */
const largest = 1 << 17;
const fullness = 0.3;

const scratch = new Uint8Array(largest >> 3);

/** Good until the next call. */
export function gramsOf(bytes: Uint8Array): Uint8Array {
  // A file has no more sequences than bytes: a short one starts small.
  const size = Math.min(largest, 2 ** Math.ceil(Math.log2(Math.max(64, bytes.length * 2))));
  const mask = size - 1;
  const bits = scratch.fill(0, 0, size >> 3);
  let sequence = ((lowered[bytes[0] ?? 0] as number) << 8) | (lowered[bytes[1] ?? 0] as number);
  for (let i = 2; i < bytes.length; i++) {
    sequence = ((sequence << 8) | (lowered[bytes[i] as number] as number)) & 0xffffff;
    const hash = Math.imul(sequence, 0x9e3779b1);
    const at = (hash ^ (hash >>> 15)) & mask;
    bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
  }
  return bits.subarray(0, fold(bits, size >> 3));
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
export function lowerBytes(text: string | Uint8Array): Uint8Array {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  return bytes.map((byte) => lowered[byte] as number);
}

const lowered = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte));

function position(a: number, b: number, c: number): number {
  const hash = Math.imul((a << 16) | (b << 8) | c, 0x9e3779b1);
  return hash ^ (hash >>> 15);
}

/** Halves the set while it is too empty; returns the bytes that are left. */
function fold(bits: Uint8Array, size: number): number {
  let set = 0;
  for (let i = 0; i < size; i++) set += ones[bits[i] as number] as number;
  while (size > 8 && set < size * 8 * (fullness / 2)) {
    size >>= 1;
    for (let i = 0; i < size; i++) bits[i] = (bits[i] as number) | (bits[i + size] as number);
  }
  return size;
}

const ones = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll("0", "").length);
