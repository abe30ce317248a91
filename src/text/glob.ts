import picomatch from "picomatch";

export interface GlobOptions {
  /** Letters count the same in either case. */
  anyCase?: boolean;
  /** The pattern is about the last part of the path. */
  byName?: boolean;
}

/**
 * Whether a path fits a pattern. Wildcards take every character a name may hold: left alone, they would pass over a name
 * with a line break in it, and what a rule forbids would be open under such a name.
 */
export function globMatcher(pattern: string, options: GlobOptions = {}): (path: string) => boolean {
  const { anyCase = false, byName = false } = options;
  const matches = picomatch(pattern, { dot: true, basename: byName, flags: anyCase ? "si" : "s" });
  // Its second parameter asks for an object, which is true whatever it says: `paths.some(isMatch)` would hand one over.
  return (path) => matches(path);
}

export const immodestGlob =
  "has too many wildcards to be matched in good time. Use at most two ** and few * in one part, and no repeated groups.";

/**
 * Whether a pattern is matched in good time, whatever the path. Patterns become regular expressions, which try every way of
 * sharing a text among their wildcards: three free ones are milliseconds on the longest name, eight are years. Patterns come
 * from models and from settings of strangers.
 */
export function isModestGlob(pattern: string): boolean {
  const signs = pattern.replace(/\\./gs, "");
  if (signs.length > 10_000 || /[+*]\(|\)[+*]/.test(signs)) return false;
  const count = (text: string, sign: RegExp) => text.match(sign)?.length ?? 0;
  // At the end, ** takes what is left.
  const parts = signs.replace(/\/\*\*\/?$/, "").split("/");
  const deep = parts.filter((part) => part.includes("**")).length;
  // The first wildcard of a part has no choice: the part ends where it ends.
  const free = parts.reduce((sum, part) => sum + Math.max(0, count(part, /\*+|!\(/g) - 1), 0);
  return deep <= 2 && deep + free <= 3 && count(signs, /[{(]/g) <= 10;
}
