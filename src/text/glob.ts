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
