/**
 * Derives the indentation of new lines from how the given lines are indented in the file: first by what was seen,
 * then by linear extrapolation (other depth, tabs for spaces, other width). Undefined where this does not determine
 * it: a wrong guess would change the meaning of the code in some languages.
 */
export function fitIndentation(
  pairs: readonly (readonly [given: string, actual: string])[],
  used: readonly string[],
): (given: string) => string | undefined {
  if (pairs.every(([given, actual]) => given === actual)) return (given) => given;
  const seen = new Map<string, string | undefined>();
  for (const [given, actual] of pairs) {
    seen.set(given, seen.has(given) && seen.get(given) !== actual ? undefined : actual);
  }
  const follows = lineThrough(pairs, used);
  return (given) => (seen.has(given) ? seen.get(given) : follows?.(given));
}

function lineThrough(
  pairs: readonly (readonly [string, string])[],
  used: readonly string[],
): ((given: string) => string | undefined) | undefined {
  const plain = pairs.filter(([given, actual]) => isOfOneKind(given) && isOfOneKind(actual));
  const [first] = plain;
  if (!first) return undefined;
  const kindGiven = kindIn(plain.map(([given]) => given)) ?? kindIn(used.filter(isOfOneKind));
  const kindActual = kindIn(plain.map(([, actual]) => actual)) ?? kindGiven;
  if (kindGiven === undefined || kindActual === undefined) return undefined;
  const other = plain.find(([given]) => given.length !== first[0].length);
  const slope = other
    ? (other[1].length - first[1].length) / (other[0].length - first[0].length)
    : slopeOfOne(first, kindGiven === kindActual, used);
  if (slope === undefined || slope <= 0) return undefined;
  const predict = (given: string) => first[1].length + slope * (given.length - first[0].length);
  if (plain.some(([given, actual]) => predict(given) !== actual.length)) return undefined;
  return (given) => {
    const length = predict(given);
    const isKnown = given === "" || (isOfOneKind(given) && given[0] === kindGiven);
    return isKnown && Number.isInteger(length) && length >= 0 ? kindActual.repeat(length) : undefined;
  };
}

/** All lines seen have one depth: the step is the same where the character is, else what one depth tells. */
function slopeOfOne(
  [given, actual]: readonly [string, string],
  sameKind: boolean,
  used: readonly string[],
): number | undefined {
  if (sameKind) return 1;
  if (given !== "" && actual !== "") return actual.length / given.length;
  const steps = used.filter((indent) => indent !== "" && indent[0] === " ").map((indent) => indent.length);
  return steps.length > 0 && actual[0] === "\t" ? 1 / Math.min(...steps) : undefined;
}

function isOfOneKind(indent: string): boolean {
  return /^(?: *|\t*)$/.test(indent);
}

/** The one character that all are made of; undefined when there is none, or more than one. */
function kindIn(indents: readonly string[]): string | undefined {
  const kinds = new Set(indents.join(""));
  return kinds.size === 1 ? [...kinds][0] : undefined;
}
