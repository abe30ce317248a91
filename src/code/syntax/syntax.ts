import type { ImportClause, Kind } from "../languages/language.ts";

/** What one file says, whatever its path: the unit of the syntax cache. Offsets are UTF-16, lines count from 1. */
export interface FileSyntax {
  language: string;
  /** Package or namespace of the whole file, where the language has one. */
  package?: string;
  /** The declaration that an import of the whole file gets, where the language has that. */
  default?: string;
  /** In order of their place, an outer one before what it holds. */
  declarations: Declaration[];
  imports: Import[];
  inherits: Inheritance[];
  /** Names bound inside functions, with the stretch where they hold. */
  locals: Local[];
  /** Comments and text, as start, end, start, end…: no reference stands in there. */
  quiet: number[];
  /** In the same form: behind a syntax error, what may be text or code between two texts. */
  doubtful: number[];
  /** The parser met a syntax error; everything else still holds as far as it goes. */
  broken: boolean;
}

export interface Declaration {
  name: string;
  kind: Kind;
  /** The types (or functions) around it, joined with dots. */
  owner?: string;
  /** Index of the declaration it stands in, -1 at the top. */
  parent: number;
  /** Declared here but defined elsewhere: a prototype, an overload, an abstract member. */
  bodiless?: boolean;
  start: number;
  end: number;
  nameStart: number;
  line: number;
  startLine: number;
  endLine: number;
  signature: string;
}

export interface Import extends ImportClause {
  line: number;
  start: number;
  end: number;
}

export interface Inheritance {
  /** Its name; of a class without one, what stands before its body. */
  child: string;
  /** Where a class without a name begins and ends. */
  anonymous?: [start: number, end: number];
  parent: string;
  /** What stands before the parent's name: `Line` of `Line.Builder`. */
  space?: string;
  /** The types that a template is filled with: `Stream` of `Proxy<Stream>`. */
  filled?: string[];
  /** It is only another name: `typedef Base Name`. */
  alias?: boolean;
  line: number;
}

export type Local = [name: string, at: number, scopeStart: number, scopeEnd: number];

export function qualifiedName(declaration: Declaration): string {
  return declaration.owner ? `${declaration.owner}.${declaration.name}` : declaration.name;
}

/** The innermost declaration around an offset that is not a mere variable or field. */
export function enclosing(syntax: FileSyntax, offset: number): Declaration | undefined {
  let best: Declaration | undefined;
  for (const declaration of syntax.declarations) {
    if (declaration.start > offset) break;
    if (declaration.end > offset && holdsCode(declaration.kind)) best = declaration;
  }
  return best;
}

/**
 * The name of the innermost function or type around a line; for a line that declares one, of what it belongs to: the class,
 * `impl` or module, wherever that stands.
 */
export function enclosingName(syntax: FileSyntax, line: number): string | undefined {
  const around = syntax.declarations.filter(
    (one) => one.startLine <= line && one.endLine >= line && holdsCode(one.kind),
  );
  const declared = around.find((one) => one.line === line);
  if (declared) return declared.owner;
  const innermost = around.at(-1);
  return innermost && qualifiedName(innermost);
}

const holdsCode = (kind: Kind) => kind !== "field" && kind !== "var" && kind !== "const" && kind !== "module";

/** Whether an offset lies in a comment or in text. */
export function isQuiet(syntax: FileSyntax, offset: number): boolean {
  return quietStart(syntax, offset) !== undefined;
}

/** Whether an offset may lie in text: a syntax error before it leaves that open. */
export function isDoubtful(syntax: FileSyntax, offset: number): boolean {
  return startAround(syntax.doubtful, offset) !== undefined;
}

/** Where the comment or text begins that an offset lies in. */
export function quietStart(syntax: FileSyntax, offset: number): number | undefined {
  return startAround(syntax.quiet, offset);
}

/** Where the stretch begins that an offset lies in, of those in a list of start, end, start, end…. */
function startAround(stretches: readonly number[], offset: number): number | undefined {
  let low = 0;
  let high = stretches.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stretches[middle * 2 + 1] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const start = stretches[low * 2];
  return start !== undefined && start <= offset ? start : undefined;
}
