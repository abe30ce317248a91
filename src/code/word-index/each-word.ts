import { classes, digit, longestWord } from "./segment-builder.ts";
import { hashFactor, hashStart, secondFactor } from "./term-table.ts";

/** Visits every word of a text as the word index has it, with its two hashes and its line (from 1). */
export function eachWord(
  bytes: Uint8Array,
  visit: (start: number, end: number, hash: number, second: number, line: number) => void,
): void {
  let line = 1;
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i] as number;
    const class_ = classes[first] as number;
    if (class_ === 0) {
      if (first === 10) line++;
      i++;
      continue;
    }
    const start = i;
    let hash = hashStart;
    let second = 0;
    do {
      const byte = bytes[i++] as number;
      hash = Math.imul(hash ^ byte, hashFactor);
      second = Math.imul(second + byte, secondFactor);
    } while (i < bytes.length && classes[bytes[i] as number] !== 0);
    if (class_ !== digit && i - start <= longestWord) visit(start, i, hash ^ (hash >>> 15), second, line);
  }
}
