import type { LazyMatch } from "./match-collector.ts";

/** The longest line worth showing; ripgrep cuts the rest itself. */
export const maxColumns = 500;

interface Listener {
  match(match: LazyMatch): void;
  binary(file: string): void;
}

/** `path NUL line : text LF`, and remarks about binary files without NUL. A path may hold a newline. */
export class OutputParser {
  readonly #on: Listener;
  #rest = Buffer.alloc(0);
  #file = { bytes: Buffer.alloc(0), path: "" };

  constructor(on: Listener) {
    this.#on = on;
  }

  push(chunk: Buffer): undefined {
    const data = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let at = 0;
    for (;;) {
      const isSame = this.#isSameFile(data, at);
      const nul = isSame ? at + this.#file.bytes.length : data.indexOf(0, at);
      const end = nul < 0 ? -1 : data.indexOf(10, nul);
      if (end < 0) break;
      const file = isSame ? this.#file.path : this.#fileAt(data, at, nul);
      let line = 0;
      let colon = nul + 1;
      for (; data[colon] !== 58; colon++) line = line * 10 + (data[colon] ?? 48) - 48;
      this.#on.match({ file, line, text: () => shownText(data.subarray(colon + 1, end)) });
      at = end + 1;
    }
    this.#rest = Buffer.from(data.subarray(at));
  }

  /** Most matches are in the file of the one before. */
  #isSameFile(data: Buffer, at: number): boolean {
    const { bytes } = this.#file;
    if (bytes.length === 0 || data[at + bytes.length] !== 0) return false;
    for (let i = 0; i < bytes.length; i++) if (data[at + i] !== bytes[i]) return false;
    return true;
  }

  #fileAt(data: Buffer, start: number, end: number): string {
    const path = plainPath(this.#remarksTaken(data.toString("utf8", start, end)));
    this.#file = { bytes: Buffer.from(data.subarray(start, end)), path };
    return path;
  }

  end(): void {
    this.#remarksTaken(this.#rest.toString());
  }

  /** What is left of a text when the remarks it begins with are taken. */
  #remarksTaken(text: string): string {
    let rest = text;
    for (let found = remark.exec(rest); found; found = remark.exec(rest)) {
      this.#on.binary(plainPath(found[1] ?? ""));
      rest = rest.slice(found[0].length);
    }
    return rest;
  }
}

const remark = /^([^\0]+?): (?:WARNING: stopped searching binary file|binary file matches) .*\n/;
export const plainPath = (path: string) => path.replace(/^\.\//, "");

/** Without the carriage return, and without what ripgrep says where it cut a long line. */
function shownText(line: Buffer): string {
  const text = line.toString().replace(/\r$/, "");
  const cut = / \[\.\.\. (?:omitted end of long line|\d+ more match(?:es)?)\]$/;
  return line.length > maxColumns ? text.replace(cut, "") : text;
}
