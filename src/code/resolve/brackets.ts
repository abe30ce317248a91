import type { ParsedFile } from "../project/project.ts";
import { isQuiet } from "../syntax/syntax.ts";

/** Where the bracket that opens at an offset is closed. */
export function closing(file: ParsedFile, from: number): number | undefined {
  let depth = 0;
  for (let i = from; i < file.source.length; i++) {
    const step = stepAt(file, i);
    depth += step;
    if (step < 0 && depth === 0) return i;
  }
  return undefined;
}

/** Where the bracket that closes at an offset is opened. */
export function opening(file: ParsedFile, to: number): number | undefined {
  return openBefore(file, to - 1);
}

/** The innermost bracket that is open behind an offset. */
export function openBefore(file: ParsedFile, offset: number): number | undefined {
  let depth = 0;
  for (let i = offset; i >= 0; i--) {
    const step = stepAt(file, i);
    if (step > 0 && depth === 0) return i;
    depth -= step;
  }
  return undefined;
}

/** 1 at a bracket that opens, -1 at one that closes, 0 elsewhere and in texts and comments. */
export function stepAt({ source, syntax }: ParsedFile, at: number): number {
  const c = source[at];
  const step = c === "{" || c === "(" || c === "[" ? 1 : c === "}" || c === ")" || c === "]" ? -1 : 0;
  return step !== 0 && isQuiet(syntax, at) ? 0 : step;
}
