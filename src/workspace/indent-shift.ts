/** How the indentation of given lines becomes that of the file. Undefined where the file does not determine it. */
export type Shift = (indent: string) => string | undefined;

/**
 * The one shift that explains all lines: the same white space more or less in front of each, or tabs for spaces at a steady
 * rate. Undefined if there is none: nothing is guessed, for a wrong guess would change
 * the meaning of the code in some languages.
 */
export function shiftOf(
  pairs: readonly (readonly [given: string, actual: string])[],
  style: IndentStyle,
): Shift | undefined {
  const [first] = pairs;
  if (!first) return undefined;
  const seen = new Map(pairs);
  if (pairs.some(([given, actual]) => seen.get(given) !== actual)) return undefined;
  const follows = moreInFront(pairs) ?? lessInFront(pairs) ?? atSteadyRate(pairs);
  if (!follows) return undefined;
  const actuals = [...seen.values()];
  return (given) => {
    const known = seen.get(given);
    if (known !== undefined) return known;
    const made = follows(given);
    return made !== undefined && fitsBeside(made, actuals, style) ? made : undefined;
  };
}

/** How a file indents: whether with tabs, and by how many spaces at least. A step of one aligns, it does not indent. */
export interface IndentStyle {
  tabs: boolean;
  unit: number | undefined;
}

export function indentStyle(indents: readonly string[]): IndentStyle {
  let unit: number | undefined;
  indents.forEach((indent, at) => {
    const before = indents[at - 1] ?? "";
    const step = indent.length - before.length;
    if (/^ *$/.test(indent + before) && step > 1 && (unit === undefined || step < unit)) unit = step;
  });
  return { tabs: indents.some((indent) => indent.startsWith("\t")), unit };
}

function moreInFront(pairs: readonly (readonly [string, string])[]): Shift | undefined {
  const [[given, actual] = ["", ""]] = pairs;
  const added = actual.slice(0, actual.length - given.length);
  return pairs.every(([one, other]) => other === added + one) ? (indent) => added + indent : undefined;
}

function lessInFront(pairs: readonly (readonly [string, string])[]): Shift | undefined {
  const [[given, actual] = ["", ""]] = pairs;
  const taken = given.slice(0, given.length - actual.length);
  if (!pairs.every(([one, other]) => one === taken + other)) return undefined;
  return (indent) => (indent.startsWith(taken) ? indent.slice(taken.length) : undefined);
}

/** Of tabs for spaces, and the other way round. One depth alone tells no rate. */
function atSteadyRate(pairs: readonly (readonly [string, string])[]): Shift | undefined {
  const [given, actual] = [0, 1].map((side) => kindOf(pairs.map((pair) => pair[side] ?? "")));
  if (given === undefined || actual === undefined || given === actual) return undefined;
  const [first, ...rest] = pairs.map(([one, other]) => [one.length, other.length] as const);
  const other = first && rest.find(([length]) => length !== first[0]);
  const rate = first && other ? (other[1] - first[1]) / (other[0] - first[0]) : undefined;
  if (!first || rate === undefined || rate <= 0) return pairs.length > 0 ? () => undefined : undefined;
  const lengthFor = (length: number) => first[1] + rate * (length - first[0]);
  if (!pairs.every(([one, now]) => lengthFor(one.length) === now.length)) return undefined;
  return (indent) => {
    const length = lengthFor(indent.length);
    const isKnown = indent === "" || kindOf([indent]) === given;
    return isKnown && Number.isInteger(length) && length >= 0 ? actual.repeat(length) : undefined;
  };
}

/** A depth that no line showed: of the file's own character, and whole steps from one that was shown. */
function fitsBeside(made: string, actuals: readonly string[], { tabs, unit }: IndentStyle): boolean {
  if (made === "") return true;
  const kind = kindOf([...actuals, made]);
  if (kind === "\t") return tabs || unit === undefined;
  if (kind === undefined || (tabs && unit === undefined)) return false;
  return actuals.some((actual) => (made.length - actual.length) % (unit ?? 2) === 0);
}

/** The one character that all are made of; undefined when there is none, or more than one. */
function kindOf(indents: readonly string[]): string | undefined {
  const kinds = new Set(indents.join(""));
  return kinds.size === 1 ? [...kinds][0] : undefined;
}
