import { diffArrays } from "diff";
import { fitIndentation } from "./fit-indentation.ts";
import { indentOf, isBlank } from "./white-space.ts";

interface Adaption {
  /** The text in the file, equal to `old` except for white space. */
  region: string;
  old: string;
  next: string;
  /** The region begins where its line begins, so that its indentation is known. */
  wholeFirstLine: boolean;
  /** For lines that are new. */
  ending: string;
}

/**
 * Adapts the new text to the region: lines that the edit does not change stay as they are in the file, and new lines
 * are indented like the lines around them. Undefined if the file's indentation does not determine how.
 */
export function adaptLines({ region, old, next, wholeFirstLine, ending }: Adaption): string | undefined {
  const there = linesOf(region);
  const [given, wanted] = [linesOf(old), linesOf(next)].map((lines) => lines.map(({ text }) => text)) as [
    string[],
    string[],
  ];
  const placeOf = pairLines(given, there);
  const pairs = given.flatMap((line, at): [string, string][] => {
    const place = placeOf.get(at);
    if (place === undefined || isBlank(line) || (place === 0 && !wholeFirstLine)) return [];
    return [[indentOf(line), indentOf(there[place]?.text ?? "")]];
  });
  const indent = fitIndentation(pairs, [...given, ...wanted].map(indentOf));
  const made: { text: string; ending: string }[] = [];
  let at = 0;
  let taken = 0;
  let goes = true;
  for (const { value, added, removed } of diffArrays(given, wanted)) {
    for (const line of value) {
      if (added) {
        const isPartial = made.length === 0 && !wholeFirstLine;
        const adapted = isPartial || isBlank(line) ? line : adapt(line, indent);
        if (adapted === undefined) return undefined;
        made.push({ text: adapted, ending: "" });
        continue;
      }
      const place = placeOf.get(at++);
      // A blank line that the file does not have.
      if (place === undefined) continue;
      // Blank lines that only the file has go when the lines on both sides go.
      if (!removed || !goes) made.push(...there.slice(taken, place));
      if (!removed) made.push(...there.slice(place, place + 1));
      goes = removed;
      taken = place + 1;
    }
  }
  return made.map((line, i) => line.text + (i === made.length - 1 ? "" : line.ending || ending)).join("");
}

function adapt(line: string, indent: (given: string) => string | undefined): string | undefined {
  const given = indentOf(line);
  const made = indent(given);
  return made === undefined ? undefined : made + line.slice(given.length);
}

/** Which line of the region each given line is: those with text in order, blank ones as far as both have them. */
function pairLines(given: readonly string[], there: readonly { text: string }[]): Map<number, number> {
  const pairs = new Map<number, number>();
  let place = 0;
  for (const [at, line] of given.entries()) {
    const blank = isBlank(line);
    if (!blank) while (place < there.length && isBlank(there[place]?.text ?? "")) place++;
    if (place >= there.length || (blank && !isBlank(there[place]?.text ?? ""))) continue;
    pairs.set(at, place++);
  }
  return pairs;
}

function linesOf(text: string): { text: string; ending: string }[] {
  const parts = text.split(/(\r\n|\n|\r)/);
  return Array.from({ length: (parts.length + 1) / 2 }, (_, at) => ({
    text: parts[2 * at] ?? "",
    ending: parts[2 * at + 1] ?? "",
  }));
}
