import { globMatcher } from "../text/glob.ts";
import { plainPath } from "../workspace/protected-names.ts";

type Matches = (path: string) => boolean;

/** A path that a rule allows: what the pattern says, exactly. */
export function allowsPath(pattern: string): Matches {
  return globMatcher(pattern);
}

/** A pattern that matches exactly this path. */
export function escapeGlob(path: string): string {
  return path.replaceAll(/[\\*?[\]{}()!+@|]/g, "\\$&");
}

/** The names in a pattern, each as it would have to be spelt where it holds no wildcard. */
export function namesInPattern(pattern: string): string[] {
  return pattern.replaceAll(/\\(.)/g, "$1").split("/");
}

const signs = /[\\*?[\]{}()!+@|]/;

export function isLiteral(pattern: string): boolean {
  return !signs.test(pattern);
}

/** The folder that a pattern names before its first sign, without a final `/`; empty where it begins with one. */
export function literalFolder(pattern: string): string {
  const literal = isLiteral(pattern) ? pattern : pattern.slice(0, pattern.search(signs));
  return literal.slice(0, Math.max(0, literal.lastIndexOf("/")));
}

/**
 * A path that a rule restricts. A pattern is read in every way a person may have meant it, because a file that slips
 * through harms more than one that is asked about: like a line of .gitignore (a name without `/` at any depth, a folder with
 * all that is in it), brackets as signs or as themselves, and in every spelling that some file system takes for the same.
 */
export function restrictsPath(pattern: string): Matches {
  const asItStands = globMatcher(pattern, { anyCase: true });
  const isNegated = /^!(?!\()/.test(pattern);
  if (isNegated) return (path) => spellings(path).some(asItStands);
  const anchored = pattern.replace(/^(\.?\/+)+/, "").replace(/\/{2,}/g, "/");
  const base = anchored.replace(/\/$/, "");
  if (base === "" || base === ".") return () => true;
  const atAnyDepth = !base.includes("/") && !base.includes("!") && anchored === pattern;
  const deep = atAnyDepth ? `**/${base}` : base;
  const readings = [...new Set(spellings(deep))].flatMap((glob) => [
    globMatcher(glob, { anyCase: true }),
    globMatcher(`${glob}/**`, { anyCase: true }),
    literally(glob),
  ]);
  return (path) =>
    path === "." ? asItStands(path) : spellings(path).some((one) => readings.some((matches) => matches(one)));
}

/** Only `*` and `?` are signs, and `**` goes any depth wherever it stands. */
function literally(glob: string): Matches {
  const signs: Record<string, string> = { "**/": "(?:[^]*/)?", "**": "[^]*", "*": "[^/]*", "?": "[^/]" };
  const parts = glob.split(/(\*\*\/|\*\*|\*|\?)/).map((part) => signs[part] ?? RegExp.escape(part));
  const pattern = new RegExp(`^${parts.join("")}(?:/[^]*)?$`, "i");
  return (path) => pattern.test(path);
}

const ordinary = /^[\x20-\x7e]*$/;
const looseEnd = /[. ](?:\/|$)/;

function spellings(path: string): string[] {
  return ordinary.test(path) && !looseEnd.test(path) ? [path] : [path, plainPath(path)];
}
