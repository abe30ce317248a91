/** Many names in one string: searching it is faster than any index, and building it costs nothing. */
export class NameList {
  #text: string;
  #lower: string | undefined;

  constructor(names: readonly string[]) {
    this.#text = `\n${names.join("\n")}\n`;
  }

  add(names: readonly string[]): void {
    if (names.length === 0) return;
    this.#text += `${names.join("\n")}\n`;
    this.#lower = undefined;
  }

  /** Names that hold the text, in any case of ASCII letters. */
  holding(text: string): string[] {
    this.#lower ??= this.#text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
    const wanted = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
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
