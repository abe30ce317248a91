// How each language writes comments and texts, for a reading without a parser.

import { languageOfText } from "../../src/code/languages/languages.ts";

export interface Text {
  open: RegExp;
  /** What must stand before it; without: anything. */
  after?: RegExp;
  close(open: string): string;
  /** It may go on in the next line. */
  isLong?: boolean;
  /** What stands before the end of a line that does not end it. */
  goesOn?: RegExp;
  /** A backslash is a sign like any other; "doubled": two quotes are one sign. */
  isRaw?: boolean | "doubled";
  /** A bracket that is nested until its closing sign. */
  nests?: string;
  /** It begins with the next line; the first group of `open` is the word that ends it. */
  isDocument?: boolean;
  /** Where its value is put together from code. Without `close`, what matches is code. */
  live?: readonly Live[];
}

interface Live {
  open: RegExp;
  close?: string;
  /** What stands there besides its beginning is text once more. */
  isText?: Text;
}

export interface Signs {
  comments: readonly (readonly [open: string, close: string])[];
  /** A comment may hold another one. */
  commentsNest?: boolean;
  /** Lines that are no code: directives with a text or a file's name. */
  lines?: RegExp;
  texts: readonly Text[];
  /** Letters that belong to the text whose quote follows them, in the first group. Without: `r`, `br`, `R`. */
  prefixes?: RegExp;
  /** A name in quotes of its own is code, whatever signs it holds. */
  names?: RegExp;
  /** A line behind which stands no code. */
  end?: string;
  /** A text that stands around all code; a file begins with it unless it begins with its end. */
  around?: Text;
  /** A comment's sign counts only at the beginning of a word. */
  wordComments?: boolean;
  /** Outside of texts, too, a backslash takes the meaning from the next sign. */
  escapes?: boolean;
  /** The last of four quotes ends a text. */
  quoteMayEndText?: boolean;
}

const same = (open: string) => open;
const quoted = (quote: string, more: Partial<Text> = {}): Text => ({
  open: new RegExp(`^${quote}`),
  close: same,
  ...more,
});
const short = (...quotes: string[]) => quotes.map((quote) => quoted(quote));
const long = (quote: string, live: readonly Live[] = []) => quoted(quote, { isLong: true, live });
/** `'a'`, where the sign alone means something else. */
const character: Text = { open: /^'(?:\\[^\n']*'|\\''|[^'\\\n]')/, close: () => "" };
const slashes = [
  ["//", "\n"],
  ["/*", "*/"],
] as const;
const cLike: Signs = { comments: slashes, texts: [long('"""'), ...short('"', "'")] };
const value = /^\$[A-Za-z_]\w*/;
const inBraces: Live = { open: /^\$\{/, close: "}" };

/** A slash where no value can be divided; a bracket in it may hold another slash. */
const regex: Text = {
  open: /^\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^\\[/\n])+\/[dgimsuvy]*/,
  after: /(?:[(,=:[!&|?{};~>\n]|\breturn|\bwhen|\bif|\bunless|^)\s*$/,
  close: () => "",
};

const script: Signs = {
  comments: [...slashes],
  lines: /^#!.*/,
  texts: [long("`", [inBraces]), ...short('"', "'"), regex],
};

const rubyValue: Live = { open: /^#\{/, close: "}" };
const closing: Record<string, string> = { "(": ")", "[": "]", "{": "}", "<": ">" };
const percent = (letters: string, bracket: string, more: Partial<Text> = {}): Text => ({
  open: new RegExp(`^%${letters}\\${bracket}`),
  after: /(?:[\s(,=[{*&|!]|^)$/,
  close: () => closing[bracket] ?? bracket,
  nests: bracket,
  isLong: true,
  ...more,
});
const ruby: Signs = {
  end: "__END__",
  comments: [
    ["#", "\n"],
    ["=begin", "=end"],
  ],
  texts: [
    {
      open: /^<<(?=[~-]["'`]?[A-Z]|["'`]?[A-Z_]+\b)[~-]?["'`]?([A-Z]\w*)["'`]?/,
      close: same,
      isDocument: true,
      live: [rubyValue],
    },
    ...Object.keys(closing).flatMap((bracket) => [
      percent("[wqs]", bracket),
      percent("[QWrx]?", bracket, { live: [rubyValue] }),
    ]),
    // `%r!…!`: any sign may stand for the brackets.
    {
      open: /^%[rQWI]?[!|/@^~,]/,
      after: /(?:[\s(,=[{]|^)$/,
      close: (open) => open.slice(-1),
      isLong: true,
      live: [rubyValue],
    },
    // `$'` is a variable, and begins nothing.
    { open: /^\$['"`/]/, close: () => "" },
    // `?"` is a sign, and ends nothing.
    { open: /^\?["'#/](?=[\s,)\]])/, close: () => "" },
    long('"', [rubyValue]),
    quoted("'", { isLong: true }),
    long("`", [rubyValue]),
    // `match /text/`: a regular expression as the first argument.
    {
      open: /^\/(?![ =])(?=(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^\\[/\n])+\/)/,
      after: /\b[a-z_]\w*[?!]?[ \t]+$/,
      close: same,
      live: [rubyValue],
    },
    { open: /^\/(?=[ \t]*\n)/, after: /[(,=:[]\s*$/, close: same, isLong: true, live: [rubyValue] },
    {
      open: /^\/(?=(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^\\[/\n])+\/)/,
      after: /(?:[(,=:[!&|?{};~>\n]|\b(?:return|when|if|unless|and|or)|^)\s*$/,
      close: same,
      live: [rubyValue],
    },
  ],
};

/** `${name:-text}`: a text with values of its own in it. */
const braced: Text = { open: /^/, close: () => "}", isLong: true };
const shellValues: readonly Live[] = [
  { open: value },
  { open: /^\$\{[#!]?\w*/, close: "}", isText: braced },
  { open: /^\$\(\(?/, close: ")" },
];
const shell: Signs = {
  comments: [["#", "\n"]],
  wordComments: true,
  escapes: true,
  texts: [
    { open: /^<<-?[ \t]*[\\'"](\w+)['"]?/, after: /(?<!<)$/, close: same, isDocument: true },
    {
      open: /^<<-?[ \t]*([A-Za-z_]\w*)/,
      after: /(?<!\(\([^()\n]*)(?<!<)$/,
      close: same,
      isDocument: true,
      live: shellValues,
    },
    { open: /^\$'/, close: () => "'", isLong: true },
    quoted("'", { isLong: true, isRaw: true }),
    long('"', shellValues),
  ],
};

const rust: Signs = {
  comments: slashes,
  commentsNest: true,
  texts: [
    { open: /^b?r(#*)"/, close: (open) => `"${open.replace(/[^#]/g, "")}`, isLong: true, isRaw: true },
    character,
    long('"'),
  ],
};

const luaLong: Text = {
  open: /^\[=*\[/,
  close: (open) => open.replaceAll("[", "]"),
  isLong: true,
  isRaw: true,
};

/** What stands around the code of a page. */
const markup: Text = { open: /^\?>/, close: () => "<?", isLong: true, isRaw: true };

const quotedName = /^`[^`\n]+`/;

const bySigns: Record<string, Signs> = {
  ts: script,
  js: script,
  py: {
    comments: [["#", "\n"]],
    texts: ['"""', "'''", '"', "'"].flatMap((quote) => [
      {
        ...quoted(quote, { isLong: quote.length > 1 }),
        after: /(?<![\w])(?:[fF][rR]?|[rR][fF])$/,
        live: [{ open: /^\{\{/ }, { open: /^\{/, close: "}" }],
      },
      quoted(quote, { isLong: quote.length > 1 }),
    ]),
  },
  rb: ruby,
  sh: shell,
  lua: {
    comments: [
      ["--[[", "]]"],
      ["--[=[", "]=]"],
      ["--[==[", "]==]"],
      ["--[===[", "]===]"],
      ["--", "\n"],
    ],
    lines: /^#!.*/,
    texts: [luaLong, quoted('"', { goesOn: /\\z\s*$/ }), quoted("'", { goesOn: /\\z\s*$/ })],
  },
  cs: {
    comments: slashes,
    lines: /^[ \t]*#(?:region|endregion|error|warning|pragma|line).*/,
    texts: [
      { open: /^\$"""/, close: () => '"""', isLong: true, isRaw: true, live: [{ open: /^\{/, close: "}" }] },
      { open: /^"""/, close: same, isLong: true, isRaw: true },
      {
        open: /^(?:\$@|@\$)"/,
        close: () => '"',
        isLong: true,
        isRaw: "doubled",
        live: [{ open: /^\{\{/ }, { open: /^\{/, close: "}" }],
      },
      { open: /^@"/, close: () => '"', isLong: true, isRaw: "doubled" },
      { open: /^\$"/, close: () => '"', live: [{ open: /^\{\{/ }, { open: /^\{/, close: "}" }] },
      ...short('"', "'"),
    ],
  },
  php: {
    comments: [["//", "\n"], ["/*", "*/"], ["#", "\n"] as const],
    around: markup,
    texts: [
      markup,
      { open: /^<<<[ \t]*["']?(\w+)["']?/, close: same, isDocument: true },
      long('"', [{ open: /^\$\w+(?:->\w+)?/ }, { open: /^\{(?=\$)/, close: "}" }]),
      quoted("'", { isLong: true }),
    ],
  },
  go: { comments: slashes, texts: [quoted("`", { isLong: true, isRaw: true }), ...short('"', "'")] },
  rs: rust,
  c: {
    comments: slashes,
    prefixes: /(?:^|[^A-Za-z0-9_])((?:u8|[LuU])?R|u8|[LuU])$/,
    lines: /^[ \t]*#[ \t]*(?:include[ \t]*<.*|error.*|warning.*|pragma.*|line.*)/,
    texts: [
      {
        open: /^(?:u8|[LuU])?R"[^()\\\s"]*\(/,
        close: (open) => `)${open.slice(open.indexOf('"') + 1, -1)}"`,
        isLong: true,
        isRaw: true,
      },
      { open: /^(?:u8|[LuU])?"/, close: () => '"' },
      // `1'000'000`
      { open: /^(?:u8|[LuU])?'/, close: () => "'", after: /(?<![0-9a-fA-F])$/ },
    ],
  },
  kt: {
    comments: slashes,
    commentsNest: true,
    names: quotedName,
    texts: [
      quoted('"""', { isLong: true, isRaw: true, live: [{ open: value }, inBraces] }),
      quoted('"', { live: [{ open: value }, inBraces] }),
      character,
    ],
    quoteMayEndText: true,
  },
  scala: {
    comments: slashes,
    commentsNest: true,
    names: quotedName,
    texts: [
      ...['"""', '"'].map((quote) => ({
        ...quoted(quote, { isLong: quote.length > 1, isRaw: quote.length > 1 }),
        after: /[A-Za-z]$/,
        // `$$` is a dollar sign.
        live: [{ open: /^\$\$/ }, { open: value }, inBraces],
      })),
      quoted('"""', { isLong: true, isRaw: true }),
      quoted('"'),
      character,
    ],
    quoteMayEndText: true,
  },
  swift: {
    comments: slashes,
    commentsNest: true,
    names: quotedName,
    texts: [
      { open: /^#+"""/, close: (open) => `"""${open.replace(/"/g, "")}`, isLong: true, isRaw: true },
      { open: /^#+"/, close: (open) => `"${open.replace(/"/g, "")}`, isRaw: true },
      long('"""', [{ open: /^\\\(/, close: ")" }]),
      quoted('"', { live: [{ open: /^\\\(/, close: ")" }] }),
    ],
  },
};

const sameAs: Record<string, string> = {
  tsx: "ts",
  mts: "ts",
  cts: "ts",
  jsx: "js",
  mjs: "js",
  cjs: "js",
  bash: "sh",
  bats: "sh",
  zsh: "sh",
  ksh: "sh",
  kts: "kt",
  sc: "scala",
  sbt: "scala",
  rake: "rb",
  gemspec: "rb",
  ru: "rb",
  pyi: "py",
  h: "c",
  cc: "c",
  cpp: "c",
  cxx: "c",
  hpp: "c",
  hh: "c",
  inl: "c",
};

export const signsOf = (extension: string): Signs => bySigns[extension] ?? cLike;

/** That of a script without one is told by its first line. */
export function extensionOf(path: string, source = ""): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (/^(?:Rakefile|Gemfile)$/.test(name)) return "rb";
  const extension = name.slice(name.lastIndexOf(".") + 1);
  const ofScript = name.includes(".") ? undefined : languageOfText(path, source)?.extensions[0];
  return sameAs[extension] ?? (name.includes(".") ? extension : (ofScript ?? "sh"));
}
