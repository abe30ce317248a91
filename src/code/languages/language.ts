/** What the parser must know of one language; the table of all of them is languages.ts. */
export interface Language {
  readonly name: string;
  readonly extensions: readonly string[];
  /** Whole file names that have no telling extension. */
  readonly filenames?: readonly string[];
  /** The grammar's file, as a package path. */
  readonly grammar: string;
  /** Its lexer is one function so large that optimising it takes seconds and gigabytes: it stays as first compiled. */
  readonly hasHugeLexer?: boolean;
  /**
   * One tree-sitter query. A capture named like a `Kind` (or `struct`, `trait`, `alias`, `impl`) is a declaration; its match carries
   * `@name`, and may carry `@body` (where the signature ends) and `@owner` (the type it belongs to). Besides:
   * `@bind` a name bound here: a variable at the top, a local inside a function; `@local` always a local;
   * `@scope` a function: its locals end there; `@block` likewise, but not for `@hoist` (a binding that belongs to the
   * whole function); `@region` where type parameters end;
   * `@super` a parent of the enclosing type; `@import`, `@package`, `@default` (what stands for the whole file), and `@quiet` (comments, text: no code in there).
   */
  readonly query: string;
  /** Makes a text parseable without moving anything in it: what the grammar cannot know becomes spaces. */
  prepare?(source: string): string;
  /** The clauses of one import statement, as it is written; `before` is what stands before it on its line. */
  imports(statement: string, before: string): ImportClause[];
  /** How a qualified name is written between its parts. */
  readonly separator: "." | "::" | "/";
  /** How its imports lead to files; see resolve.ts. */
  readonly importStyle: ImportStyle;
}

export type ImportStyle = "path" | "python" | "go" | "rust" | "java" | "include" | "name";

/** `import { a as b } from "m"` is `{module: "m", names: [["a", "b"]]}`; `import * as n from "m"` is `{module: "m", whole: "n"}`. */
export interface ImportClause {
  module: string;
  names?: [name: string, alias: string][];
  /** The name under which the module itself is known. */
  whole?: string;
  /** Everything of the module is in scope without a prefix. */
  wildcard?: boolean;
  /** Passed on to whoever imports this file. */
  reexport?: boolean;
}

/** The kinds a question may name. `field` and `impl` are for outlines and relations only. */
export const kinds = [
  "type",
  "func",
  "method",
  "const",
  "var",
  "interface",
  "class",
  "enum",
  "module",
  "macro",
  "field",
] as const;
export type Kind = (typeof kinds)[number];

/** Captures that say more than the kind does. */
export const kindOfCapture: ReadonlyMap<string, Kind | "impl"> = new Map<string, Kind | "impl">([
  ...kinds.map((kind) => [kind, kind] as const),
  ["struct", "type"],
  ["trait", "interface"],
  ["alias", "type"],
  ["impl", "impl"],
]);

export const typeKinds: ReadonlySet<Kind> = new Set<Kind>(["type", "interface", "class", "enum"]);
