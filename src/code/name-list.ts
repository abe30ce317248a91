import { lowerBytes } from "./grams.ts";

/** Many names as bytes, a line each, as they are and in lower case: searching them is faster than any index. */
export interface NameText {
  text: Uint8Array;
  lower: Uint8Array;
}

const newline = 10;
const mostParts = 8;

export class NameList {
  #parts: { text: Buffer; lower: Buffer }[] = [];

  /** `text` begins and ends with a newline. */
  add({ text, lower }: NameText): void {
    this.#parts.push({ text: bufferOf(text), lower: bufferOf(lower) });
    if (this.#parts.length <= mostParts) return;
    const join = (of: "text" | "lower") => Buffer.concat(this.#parts.map((part) => part[of]));
    this.#parts = [{ text: join("text"), lower: join("lower") }];
  }

  /** Names that hold the text, in any case of ASCII letters. */
  holding(wanted: string): string[] {
    const found = new Set<string>();
    const bytes = lowerBytes(wanted);
    for (const { text, lower } of this.#parts) {
      for (let at = lower.indexOf(bytes); at >= 0; ) {
        const end = text.indexOf(newline, at);
        found.add(text.toString("utf8", text.lastIndexOf(newline, at) + 1, end));
        at = lower.indexOf(bytes, end);
      }
    }
    return [...found];
  }

  matching(pattern: RegExp): string[] {
    const names = this.#parts.flatMap(({ text }) => text.toString().split("\n"));
    return [...new Set(names)].filter((name) => name !== "" && pattern.test(name));
  }
}

export function nameText(names: readonly string[]): NameText {
  const lines = `\n${names.join("\n")}\n`;
  return { text: Buffer.from(lines), lower: lowerBytes(lines) };
}

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array) => Buffer.from(buffer, byteOffset, length);
