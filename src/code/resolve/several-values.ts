// Which of several assignments to a variable tells what it holds at a place, as far as the layout of the lines says so.

/** `name = None`: no value yet. */
export const isNothing = (after: string) => /^\s*=\s*(?:None|nil|null)\s*(?:[\n;#)]|$)/.test(after);

/**
 * Of the places in a function that assign to a variable, those whose values it may have at an offset: the last one before
 * it, unless that stands in a branch that has ended, or a loop brings later ones back.
 */
export function valuesAt(source: string, places: readonly number[], offset: number): readonly number[] {
  const before = places.filter((at) => at <= offset);
  const last = before.at(-1);
  if (last === undefined) return places;
  const mayRepeat = places.length > before.length && isLoop.test(source.slice(before[0], offset));
  return mayRepeat || !isReached(source, last, offset) ? places : [last];
}

const isLoop = /\b(?:for|foreach|while|until|loop|each|times|repeat)\b/;

/** Whether what stands at a place is always run before an offset behind it: no line between is less indented. */
function isReached(source: string, at: number, offset: number): boolean {
  const lineStart = source.lastIndexOf("\n", at - 1) + 1;
  const before = source.slice(lineStart, at);
  const indent = /^[ \t]*/.exec(before)?.[0].length ?? 0;
  const [own = "", ...between] = source.slice(at, offset).split("\n");
  // `name = value if condition`
  if (/\s(?:if|unless)\s/.test(own)) return false;
  const isSameLine = between.length === 0;
  if (!isSameLine && /\b(?:if|elif|else|when|case|unless|catch|except|rescue)\b|[?{]/.test(before))
    return false;
  return between.every((line) => !/\S/.test(line) || (/^[ \t]*/.exec(line)?.[0].length ?? 0) >= indent);
}

/** Where statements assign to a variable that is declared before: `name = value`, and no key of a table. */
export function assignmentsIn(source: string, name: string, start: number, end: number): number[] {
  const statement = new RegExp(
    `(?:^|[\\n;]|\\b(?:then|do|else|repeat)\\b)[ \\t]*${name}[ \\t]*=(?!=)[^\\n]*`,
    "g",
  );
  return Array.from(source.slice(start, end).matchAll(statement)).flatMap(({ index, 0: text }) =>
    /[,{]\s*$/.test(text) ? [] : [start + index + text.search(new RegExp(`\\b${name}[ \\t]*=`))],
  );
}
