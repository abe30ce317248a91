// Where a name stands in code, told without a parser: comments and strings are skipped by their signs alone. What this
// finds and an answer does not count was dropped.
import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Signs {
  line: readonly string[];
  block: readonly (readonly [string, string])[];
  /** Quotes of texts that end with their line, and of those that may be long. */
  quotes: readonly string[];
  long: readonly string[];
}

const cLike: Signs = { line: ["//"], block: [["/*", "*/"]], quotes: ['"', "'"], long: [] };
const signs: Record<string, Signs> = {
  ts: { ...cLike, long: ["`"] },
  js: { ...cLike, long: ["`"] },
  py: { line: ["#"], block: [], quotes: ['"', "'"], long: ['"""', "'''"] },
  rb: {
    line: ["#"],
    block: [
      ["=begin", "=end"],
      ["%w[", "]"],
      ["%w(", ")"],
      ["%r{", "}"],
    ],
    quotes: ['"', "'"],
    long: [],
  },
  sh: { line: ["#"], block: [], quotes: [], long: ['"', "'"] },
  lua: {
    line: ["--"],
    block: [
      ["--[[", "]]"],
      ["--[=[", "]=]"],
      ["--[==[", "]==]"],
      ["[[", "]]"],
      ["[=[", "]=]"],
      ["[==[", "]==]"],
    ],
    quotes: ['"', "'"],
    long: [],
  },
  // `@"…"` ends at a quote that is not doubled, `"""` at the next three.
  cs: { ...cLike, long: ['"""', '@"', '$@"', '@$"'] },
  php: { line: ["//", "#"], block: [["/*", "*/"]], quotes: [], long: ['"', "'"] },
  go: { ...cLike, long: ["`"] },
  rs: {
    line: ["//"],
    block: [
      ["/*", "*/"],
      ['r##"', '"##'],
      ['r#"', '"#'],
      ['r"', '"'],
      ["'\"'", ""],
      ["'\\\"'", ""],
    ],
    quotes: [],
    long: ['"'],
  },
  kt: { ...cLike, long: ['"""'] },
  scala: { ...cLike, long: ['"""'] },
  swift: { ...cLike, quotes: ['"'], long: ['"""'] },
};

/** The text with comments and strings as spaces. */
function plainCode(source: string, extension: string): string {
  const { line, block, quotes, long } = signs[extension] ?? cLike;
  let code = "";
  let at = 0;
  const skip = (end: number, live?: RegExp) => {
    const text = source.slice(at, end);
    const blank = (part: string) => part.replace(/[^\n]/g, " ");
    let from = 0;
    for (const { index, 0: part } of live ? text.matchAll(live) : []) {
      code += blank(text.slice(from, index)) + part;
      from = index + part.length;
    }
    code += blank(text.slice(from));
    at = end;
  };
  const after = (sign: string, from: number) => {
    const end = source.indexOf(sign, from);
    return end < 0 ? source.length : end + sign.length;
  };
  while (at < source.length) {
    const starts = (sign: string) => source.startsWith(sign, at);
    const pair = block.find(([open]) => starts(open));
    const text = long.find(starts) ?? quotes.find(starts);
    if (pair) skip(after(pair[1], at + pair[0].length));
    else if (line.some(starts)) skip(source.indexOf("\n", at) < 0 ? source.length : source.indexOf("\n", at));
    else if (isRegex(source, at, extension)) skip(endOfText(source, at, "/", false));
    else if (text)
      skip(
        endOfText(source, at, text, long.includes(text)),
        values(extension, text, source.slice(Math.max(0, at - 3), at)),
      );
    else code += source[at++];
  }
  return code;
}

/** Where a text holds code: what its value is put together from. */
function values(extension: string, quote: string, before: string): RegExp | undefined {
  const isPrefixed = /[A-Za-z]$/.test(before);
  switch (extension) {
    case "ts":
    case "js":
      return quote === "`" ? /\$\{[^{}]*\}/g : undefined;
    case "py":
      return /[fF][rR]?$/.test(before) ? /(?<!\{)\{[^{}]*\}/g : undefined;
    case "rb":
      return quote === '"' ? /#\{[^{}]*\}/g : undefined;
    case "sh":
      return quote === '"' ? /(?<!\\)\$\w+|(?<!\\)\$\{\w+|(?<!\\)\$\([^()"']*\)/g : undefined;
    case "kt":
      return /(?<!\\)\$\w+|(?<!\\)\$\{[^{}]*\}/g;
    case "scala":
      return isPrefixed ? /\$\w+|\$\{[^{}]*\}/g : undefined;
    case "swift":
      return /\\\((?:[^()]|\([^()]*\))*\)/g;
    case "cs":
      return quote.includes("$") || before.endsWith("$") ? /(?<!\{)\{[^{}]*\}/g : undefined;
    case "php":
      return quote === '"' ? /\{\$[^{}]*\}/g : undefined;
    default:
      return undefined;
  }
}

/** A slash where no value can be divided. */
function isRegex(source: string, at: number, extension: string): boolean {
  if (source[at] !== "/" || !/^(?:js|ts|rb)$/.test(extension)) return false;
  return /(?:[(,=:[!&|?{};~]|\breturn|^)\s*$/.test(source.slice(Math.max(0, at - 40), at));
}

function endOfText(source: string, at: number, quote: string, isLong: boolean): number {
  if (quote.includes("@")) {
    for (
      let found = source.indexOf('"', at + quote.length);
      found >= 0;
      found = source.indexOf('"', found + 2)
    )
      if (source[found + 1] !== '"') return found + 1;
    return source.length;
  }
  for (let i = at + quote.length; i < source.length; i++) {
    if (source[i] === "\\") i++;
    else if (source.startsWith(quote, i)) return i + quote.length;
    else if (source[i] === "\n" && !isLong) return i;
  }
  return source.length;
}

/** Where `$name` is a use of `name`, the sign is no part of it. */
export function placesIn(code: string, name: string, valueSign?: string): number[] {
  const found: number[] = [];
  const isPart = (c: string | undefined) => c !== undefined && /[\p{L}\p{N}_$]/u.test(c);
  for (let at = code.indexOf(name); at >= 0; at = code.indexOf(name, at + name.length)) {
    const before = code[at - 1] === valueSign ? undefined : code[at - 1];
    if (!isPart(before) && !isPart(code[at + name.length])) found.push(at);
  }
  return found;
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
    // Texts in texts, as in `"$(run "$name")"`, are beyond the plain reading.
    return code[offset] !== source[offset] && !/^(?:sh|rb)$/.test(extensionOf(path));
  }

  #read(path: string): { code: string; source: string } {
    let known = this.#texts.get(path);
    if (!known) {
      const source = readFileSync(join(this.#root, path), "utf8");
      const code = plainCode(source, extensionOf(path));
      known = { source, code: /\.[jt]sx$/.test(path) ? withoutMarkupText(code) : code };
      this.#texts.set(path, known);
    }
    return known;
  }
}

/** `<b>text</b>`: between two elements. */
function withoutMarkupText(code: string): string {
  return code.replace(/(?<=[\w"'}/]>)[^<>{}();=]+(?=<\/?[\w>])/g, (text) => text.replace(/[^\n]/g, " "));
}

const sameAs: Record<string, string> = {
  tsx: "ts",
  mts: "ts",
  cts: "ts",
  jsx: "js",
  mjs: "js",
  cjs: "js",
  bash: "sh",
  bats: "sh",
  kts: "kt",
  sc: "scala",
  rake: "rb",
  gemspec: "rb",
  ru: "rb",
  pyi: "py",
};

function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (/^(?:Rakefile|Gemfile)$/.test(name)) return "rb";
  const extension = name.slice(name.lastIndexOf(".") + 1);
  return sameAs[extension] ?? (name.includes(".") ? extension : "sh");
}
