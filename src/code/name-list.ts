/** Many names in one string, a line each: searching it is faster than any index, and building it costs nothing. */
export class NameList {
  #text: string;
  #lower: string | undefined;

  constructor(lines: string) {
    this.#text = `\n${lines}\n`;
  }

  add(lines: string): void {
    if (lines === "") return;
    this.#text += `${lines}\n`;
    this.#lower = undefined;
  }

  /** Names that hold the text, in any case of ASCII letters. */
  holding(text: string): string[] {
    this.#lower ??= lowered(this.#text);
    const wanted = lowered(text);
    const found = new Set<string>();
    for (let at = this.#lower.indexOf(wanted); at >= 0; ) {
      const end = this.#text.indexOf("\n", at);
      found.add(this.#text.slice(this.#text.lastIndexOf("\n", at) + 1, end));
      at = this.#lower.indexOf(wanted, end);
    }
    return [...found];
  }

  matching(pattern: RegExp): string[] {
    return [...new Set(this.#text.split("\n"))].filter((name) => name !== "" && pattern.test(name));
  }
}

/** ASCII letters in lower case. Others may change their length with their case, so they stay. */
function lowered(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: every ASCII character is meant.
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
