import picomatch from "picomatch";

export interface GlobOptions {
  /** Ignores case. */
  anyCase?: boolean;
  /** Matches the last part of the path only. */
  byName?: boolean;
}

/**
 * Returns a function that says whether a path matches a pattern. The flag `s` makes wildcards match line breaks too:
 * without it, a name with a line break would escape a `deny` rule.
 */
export function globMatcher(pattern: string, options: GlobOptions = {}): (path: string) => boolean {
  const { anyCase = false, byName = false } = options;
  const expression = picomatch.makeRe(withClasses(pattern), { dot: true, flags: anyCase ? "si" : "s" });
  return (path) => {
    const text = byName ? path.slice(path.lastIndexOf("/") + 1) : path;
    if (text === "") return false;
    // A name in brackets means itself too. One with a backslash does not: the pattern of `(` is `\\(`, which is a name as well.
    return (text === pattern && !text.includes("\\")) || expression.test(text);
  };
}

/**
 * A backslash in a name becomes a class. As `\\` picomatch misreads it before another sign, and never ends where four of
 * them end the pattern. A class of one character without a range would match its own brackets as well.
 */
function withClasses(pattern: string): string {
  return pattern.replace(/\\\\|\\.|\[(?:\\.|[^\]\\])*\]/gs, (part) => {
    if (part === "\\\\") return "[\\\\-\\\\]";
    return part.replace(/(?:\\\\){2,}/g, "\\\\");
  });
}

export const unboundedGlobText =
  "has too many wildcards to be matched quickly. Use at most two ** and few * in one part, and no repeated groups.";

/**
 * Whether matching a pattern takes bounded time for every path. Patterns become regular expressions, which try every
 * way to divide a text among their wildcards: three free wildcards take milliseconds on the longest name, eight take
 * years. Patterns come from models and from untrusted settings.
 */
export function isBoundedGlob(pattern: string): boolean {
  const signs = pattern.replace(/\\./gs, "");
  if (signs.length > 10_000 || /[+*]\(|\)[+*]/.test(signs)) return false;
  const count = (text: string, sign: RegExp) => text.match(sign)?.length ?? 0;
  // A final ** matches the rest without backtracking.
  const parts = signs.replace(/\/\*\*\/?$/, "").split("/");
  const deep = parts.filter((part) => part.includes("**")).length;
  // The first wildcard of a part has no choice: the part ends where it ends.
  const free = parts.reduce((sum, part) => sum + Math.max(0, count(part, /\*+|!\(/g) - 1), 0);
  return deep <= 2 && deep + free <= 3 && count(signs, /[{(]/g) <= 10;
}
