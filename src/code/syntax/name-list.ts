import { lowerBytes } from "../word-index/grams.ts";

/** Many names as bytes in lower case, a line each, with a bit for each capital: searching them is faster than any index. */
export interface NameText {
  lower: Uint8Array;
  capitals: Uint8Array;
}

const newline = 10;
const mostParts = 8;
/** What a capital letter lacks. */
const caseBit = 0x20;

export class NameList {
  #parts: { lower: Buffer; capitals: Uint8Array }[] = [];

  /** `lower` begins and ends with a newline. */
  add({ lower, capitals }: NameText): void {
    this.#parts.push({ lower: bufferOf(lower), capitals });
    if (this.#parts.length <= mostParts) return;
    const join = (of: "lower" | "capitals") => Buffer.concat(this.#parts.map((part) => part[of]));
    this.#parts = [{ lower: join("lower"), capitals: join("capitals") }];
  }

  /** Names that hold the text, in any case of ASCII letters. */
  holding(wanted: string): string[] {
    const found = new Set<string>();
    const bytes = lowerBytes(wanted);
    for (const part of this.#parts) {
      const { lower } = part;
      for (let at = lower.indexOf(bytes); at >= 0; ) {
        const end = lower.indexOf(newline, at);
        for (const name of namesIn(part, lower.lastIndexOf(newline, at) + 1, end)) found.add(name);
        at = lower.indexOf(bytes, end);
      }
    }
    return [...found];
  }

  matching(pattern: RegExp): string[] {
    const names = this.#parts.flatMap((part) => namesIn(part, 0, part.lower.length));
    return [...new Set(names)].filter((name) => pattern.test(name));
  }
}

export function nameText(names: readonly string[]): NameText {
  const lines = `\n${names.join("\n")}\n`;
  const length = Buffer.byteLength(lines);
  // Whole bytes of bits, so that texts can be put together.
  const text = Buffer.alloc(Math.ceil(length / 8) * 8, newline);
  text.write(lines);
  const lower = lowerBytes(text);
  const capitals = new Uint8Array(text.length / 8);
  for (let i = 0; i < text.length; i++)
    if (text[i] !== lower[i]) (capitals[i >> 3] as number) |= 1 << (i & 7);
  return { lower, capitals };
}

/** The names of some lines, as they were. */
function namesIn({ lower, capitals }: NameText, start: number, end: number): string[] {
  const text = Buffer.from(lower.subarray(start, end));
  for (let i = start; i < end; i++)
    if (((capitals[i >> 3] as number) >> (i & 7)) & 1) (text[i - start] as number) ^= caseBit;
  return text
    .toString()
    .split("\n")
    .filter((name) => name !== "");
}

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array) => Buffer.from(buffer, byteOffset, length);
