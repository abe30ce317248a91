/** Versions of three numbers, and the ranges that package manifests ask for (`>=18`, `^20.1 || 22.x`, `1.2 - 2`). */

type Version = readonly [major: number, minor: number, patch: number];

/** Of the versions that fit a range, the newest; undefined where none does, or where the range cannot be read. */
export function newestIn<T extends { version: string }>(
  candidates: readonly T[],
  range: string,
): T | undefined {
  return candidates
    .filter(({ version }) => isInRange(version, range))
    .toSorted((a, b) => compare(parts(b.version), parts(a.version)))[0];
}

export function isInRange(version: string, range: string): boolean {
  const actual = parts(version);
  return range.split("||").some((alternative) => comparators(alternative).every((fits) => fits(actual)));
}

/** Missing numbers count as 0; what follows the third (`-rc.1`, `+build`) is left out. */
function parts(version: string): Version {
  const [, major = "0", minor = "0", patch = "0"] = /^\D*(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(version) ?? [];
  return [Number(major), Number(minor), Number(patch)];
}

function compare(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

type Comparator = (version: Version) => boolean;

const never: Comparator = () => false;
const number = String.raw`[v=]*(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:[-+][\w.+-]*)?`;
const comparator = new RegExp(String.raw`(>=|<=|>|<|\^|~>?)?\s*${number}(?=\s|,|$)`, "y");
const hyphen = new RegExp(String.raw`^\s*${number}\s+-\s+${number}\s*$`);

function comparators(alternative: string): Comparator[] {
  const text = alternative.trim();
  if (text === "" || text === "*") return [];
  const between = hyphen.exec(text);
  if (between) {
    const [from, to] = [numbers(between.slice(1, 4)), numbers(between.slice(4, 7))];
    return [atLeast(lowest(from)), below(after(to))];
  }
  const found: Comparator[] = [];
  let at = 0;
  while (at < text.length) {
    comparator.lastIndex = at;
    const match = comparator.exec(text);
    if (!match) return [never];
    found.push(...bounds(match[1] ?? "", numbers(match.slice(2, 5))));
    at = comparator.lastIndex;
    while (/[\s,]/.test(text[at] ?? "")) at += 1;
  }
  return found;
}

/** The numbers that are given: `18.x` has one. */
function numbers(given: readonly (string | undefined)[]): number[] {
  const end = given.findIndex((part) => part === undefined || /[xX*]/.test(part));
  return given.slice(0, end === -1 ? undefined : end).map(Number);
}

const lowest = ([major = 0, minor = 0, patch = 0]: readonly number[]): Version => [major, minor, patch];

/** The first version after all that begin with these numbers. */
function after(given: readonly number[]): Version {
  if (given.length === 0) return [Number.POSITIVE_INFINITY, 0, 0];
  return lowest([...given.slice(0, -1), (given.at(-1) ?? 0) + 1]);
}

const atLeast =
  (bound: Version): Comparator =>
  (version) =>
    compare(version, bound) >= 0;
const below =
  (bound: Version): Comparator =>
  (version) =>
    compare(version, bound) < 0;

function bounds(operator: string, given: readonly number[]): Comparator[] {
  switch (operator) {
    case ">=":
      return [atLeast(lowest(given))];
    case ">":
      return [atLeast(after(given))];
    case "<":
      return [below(lowest(given))];
    case "<=":
      return [below(after(given))];
    case "^": {
      // Everything up to the first number that is not 0 stays the same.
      const first = given.findIndex((part) => part > 0);
      return [atLeast(lowest(given)), below(after(given.slice(0, first === -1 ? given.length : first + 1)))];
    }
    case "~":
    case "~>":
      return [atLeast(lowest(given)), below(after(given.slice(0, 2)))];
    default:
      return [atLeast(lowest(given)), below(after(given))];
  }
}
