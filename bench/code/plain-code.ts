// Where a name stands in code, told without a parser: comments and texts are skipped by their signs alone, and what a text's
// value is put together from is read as code again. What this finds and an answer does not count was dropped.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Language } from "../../src/code/languages/language.ts";
import type { Declaration } from "../../src/code/syntax/syntax.ts";
import { type MarkupPlace, mayBeElement, readElement } from "./markup-reader.ts";
import { extensionOf, type Signs, signsOf, type Text } from "./text-signs.ts";

class PlainReader {
  readonly #source: string;
  readonly #signs: Signs;
  readonly #hasMarkup: boolean;
  /** Documents that begin with the next line: the word that ends each, and where code stands in it. */
  readonly #documents: { end: string; live: Text["live"] }[] = [];
  #code = "";
  #at = 0;

  constructor(source: string, signs: Signs, hasMarkup = false) {
    this.#source = source;
    this.#signs = signs;
    this.#hasMarkup = hasMarkup;
  }

  /** The text with comments and texts as spaces. */
  read(): string {
    const { around } = this.#signs;
    if (around && !this.#source.startsWith(around.close(""))) this.#readInside(around, around.close(""));
    this.#readCode(undefined);
    return this.#code;
  }

  /** Code up to the bracket that ends it. */
  #readCode(end: string | undefined): void {
    let depth = 0;
    while (this.#at < this.#source.length) {
      const isLineStart = this.#at === 0 || this.#source[this.#at - 1] === "\n";
      if (isLineStart && this.#signs.end !== undefined && this.#lineFrom(this.#at) === this.#signs.end)
        this.#blank(this.#source.length - this.#at);
      const line = isLineStart ? this.#signs.lines?.exec(this.#lineFrom(this.#at)) : undefined;
      if (line) {
        this.#blank(line[0].length);
        continue;
      }
      const words = this.#match(/[A-Za-z0-9_ \t]+/y);
      // A word may be the beginning of a text: `r"`, `b'`.
      if (words > 0 && !this.#startsText(words)) this.#keep(words);
      const sign = this.#source[this.#at] ?? "";
      if (end !== undefined && sign === end && depth-- === 0) return;
      if (end !== undefined && sign === opening[end]) depth++;
      if (this.#hasMarkup && sign === "<" && this.#readMarkup()) continue;
      const name = sign === "`" ? this.#signs.names?.exec(this.#lineFrom(this.#at))?.[0] : undefined;
      if (name) this.#keep(name.length);
      else if (sign === "\n" && this.#documents.length > 0) this.#readDocuments();
      else if (!this.#skipComment() && !this.#readText())
        this.#keep(this.#signs.escapes && sign === "\\" ? 2 : 1);
    }
  }

  /** An element, if one begins here. */
  #readMarkup(): boolean {
    if (!mayBeElement(this.#source, this.#at)) return false;
    const [at, code] = [this.#at, this.#code];
    const place: MarkupPlace = {
      source: this.#source,
      at: () => this.#at,
      keep: (count) => this.#keep(count),
      blank: (count) => this.#blank(count),
      readCode: () => this.#readCode("}"),
      skipComment: () => this.#skipComment(),
    };
    if (readElement(place)) return true;
    [this.#at, this.#code] = [at, code];
    return false;
  }

  #skipComment(): boolean {
    const found = this.#signs.comments.find(([open]) => this.#source.startsWith(open, this.#at));
    if (!found) return false;
    const [open, close] = found;
    if (this.#signs.wordComments && !/[\s;(]/.test(this.#source[this.#at - 1] ?? "\n")) return false;
    // `#[Attribute]` in PHP.
    if (open === "#" && this.#source[this.#at + 1] === "[" && close === "\n" && !this.#signs.wordComments)
      return false;
    const end = this.#endOfComment(open, close);
    const stop = end < 0 ? this.#source.length : end + (close === "\n" ? 0 : close.length);
    this.#blank(stop - this.#at);
    return true;
  }

  /** Where the sign stands that ends the comment here. */
  #endOfComment(open: string, close: string): number {
    let end = this.#source.indexOf(close, this.#at + open.length);
    if (!this.#signs.commentsNest || close === "\n") return end;
    let inner = this.#source.indexOf(open, this.#at + open.length);
    while (end >= 0 && inner >= 0 && inner < end) {
      end = this.#source.indexOf(close, end + close.length);
      inner = this.#source.indexOf(open, inner + open.length);
    }
    return end;
  }

  #readText(): boolean {
    const rest = this.#source.slice(this.#at, this.#at + (this.#source[this.#at] === "/" ? 4_000 : 300));
    const before = this.#source.slice(Math.max(0, this.#at - 40), this.#at);
    for (const text of this.#signs.texts) {
      const open = text.open.exec(rest);
      if (!open || (text.after && !text.after.test(before))) continue;
      this.#blank(open[0].length);
      if (text.isDocument) this.#documents.push({ end: open[1] ?? "", live: text.live });
      else this.#readInside(text, text.close(open[0]));
      return true;
    }
    return false;
  }

  /** A text up to its end; what it holds of code is read as code. */
  #readInside({ isLong, isRaw, goesOn, nests, live = [] }: Text, close: string): void {
    if (close === "") return;
    let depth = 0;
    while (this.#at < this.#source.length) {
      const words = this.#match(/[A-Za-z0-9_ \t.,;:]+/y);
      if (words > 0) this.#blank(words);
      const sign = this.#source[this.#at] ?? "";
      if (this.#source.startsWith(close, this.#at) && depth === 0) {
        const isQuote = close === '"""' && this.#signs.quoteMayEndText && this.#source[this.#at + 3] === '"';
        const isDoubled = isRaw === "doubled" && this.#source.startsWith(close + close, this.#at);
        this.#blank(isQuote ? 1 : isDoubled ? 2 : close.length);
        if (isQuote || isDoubled) continue;
        return;
      }
      if (sign === "\n" && !isLong && !goesOn?.test(this.#source.slice(Math.max(0, this.#at - 80), this.#at)))
        return;
      if (nests !== undefined && sign === nests) depth++;
      if (nests !== undefined && sign === close) depth--;
      if (!this.#readLive(live)) this.#blank(sign === "\\" && !isRaw ? 2 : 1);
    }
  }

  #readLive(live: NonNullable<Text["live"]>): boolean {
    const rest = live.length > 0 ? this.#source.slice(this.#at, this.#at + 100) : "";
    for (const { open, close, isText } of live) {
      const found = open.exec(rest)?.[0];
      if (!found) continue;
      if (close !== undefined && !isText) {
        this.#blank(found.length);
        this.#readCode(close);
        this.#blank(1);
      } else this.#keep(found.length);
      if (close !== undefined && isText) this.#readInside({ ...isText, live }, close);
      return true;
    }
    return false;
  }

  /** The documents that were announced on the line that ends here. */
  #readDocuments(): void {
    this.#keep(1);
    for (const { end, live = [] } of this.#documents.splice(0)) {
      while (this.#at < this.#source.length) {
        const line = this.#lineFrom(this.#at);
        const stop = this.#at + line.length;
        const isEnd = line.trim().replace(/[^\w].*$/, "") === end;
        while (this.#at < stop) {
          const isEscaped = this.#source[this.#at] === "\\" && this.#at + 1 < stop;
          if (isEnd || isEscaped || !this.#readLive(live)) this.#blank(isEscaped ? 2 : 1);
        }
        if (isEnd) break;
        this.#keep(1);
      }
    }
  }

  #lineFrom(at: number): string {
    const end = this.#source.indexOf("\n", at);
    return this.#source.slice(at, end < 0 ? undefined : end);
  }

  #match(pattern: RegExp): number {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#source)?.[0].length ?? 0;
  }

  /** Whether a quote follows words whose last one belongs to it. */
  #startsText(words: number): boolean {
    const end = this.#at + words;
    const { prefixes = /(?:^|[^A-Za-z0-9_])(b?r|R)$/ } = this.#signs;
    const prefix = prefixes.exec(this.#source.slice(Math.max(0, end - 4), end))?.[1];
    if (!prefix || !/["'#]/.test(this.#source[end] ?? "")) return false;
    this.#keep(words - prefix.length);
    return true;
  }

  #keep(count: number): void {
    this.#code += this.#source.slice(this.#at, this.#at + count);
    this.#at += count;
  }

  #blank(count: number): void {
    this.#code += this.#source.slice(this.#at, this.#at + count).replace(/[^\n]/g, " ");
    this.#at += count;
  }
}

const opening: Record<string, string> = { "}": "{", ")": "(" };

/** Where `$name` is a use of `name`, the sign is no part of it; where `name?` is another name, it is none. */
export function placesIn(
  code: string,
  name: string,
  { valueSign, nameSigns, setters }: Pick<Language, "valueSign" | "nameSigns" | "setters"> = {},
): number[] {
  if (setters && /\w=$/.test(name)) return settersIn(code, name.slice(0, -1));
  const found: number[] = [];
  const isPart = (c: string | undefined) => c !== undefined && /[\p{L}\p{N}_$]/u.test(c);
  for (let at = code.indexOf(name); at >= 0; at = code.indexOf(name, at + name.length)) {
    const before = code[at - 1] === valueSign ? undefined : code[at - 1];
    const end = at + name.length;
    const isLonger = nameSigns?.test(code.slice(end, end + 2)) ?? false;
    if (!isPart(before) && !isPart(code[end]) && !isLonger) found.push(at);
  }
  return found;
}

/** `value.name = 1`, `value.name ||= 1`, `def name=`, `:name=`. */
function settersIn(code: string, name: string): number[] {
  const after = "(?=[ \\t]*(?:[-+*/%|&^]|\\*\\*|\\|\\||&&|<<|>>)?=(?![=~>]))";
  const pattern = new RegExp(`(?:\\.\\s*${name}\\b${after})|(?:\\bdef |(?<!:):)${name}(?==(?![=~>]))`, "g");
  return Array.from(code.matchAll(pattern), ({ index, 0: text }) => index + text.length - name.length);
}

/** Where a declared name stands; in `Store::Store() {}` that is the last part. */
export function declaredAt(code: string, { name, nameStart }: Declaration): number {
  const path =
    /^(?:[\w~]+[ \t]*(?:<[^<>;{}()]*>)?[ \t]*::[ \t]*)+/.exec(code.slice(nameStart, nameStart + 300))?.[0] ??
    "";
  const at = code.indexOf(name, nameStart + path.length);
  // A name in quotes is a text.
  return at <= nameStart + path.length + 2 ? at : -1;
}

/** The plain code of a repository's files, each read once. */
export class CodeOfFiles {
  readonly #root: string;
  readonly #texts = new Map<string, { code: string; source: string }>();

  constructor(root: string) {
    this.#root = root;
  }

  of(path: string): string {
    return this.#read(path).code;
  }

  /** Whether what stands at a place is left out of the code as comment or text. */
  isText(path: string, offset: number): boolean {
    const { code, source } = this.#read(path);
    return code[offset] !== source[offset];
  }

  whole(path: string): string {
    return this.#read(path).source;
  }

  #read(path: string): { code: string; source: string } {
    let known = this.#texts.get(path);
    if (!known) {
      const source = readFileSync(join(this.#root, path), "utf8");
      const reader = new PlainReader(
        source,
        signsOf(extensionOf(path, source)),
        /\.(?:[jt]sx|[cm]?js)$/.test(path),
      );
      known = { source, code: reader.read() };
      this.#texts.set(path, known);
    }
    return known;
  }
}
