import { Failure } from "../failure/failure.ts";
import { findPlaces, type Place } from "./find-text.ts";
import { isBlank, lineNumbersAt, splitAtBreaks } from "./line-table.ts";
import { nearestRegion } from "./nearest-region.ts";
import { type Splice, spliced, splicedText, splicesBetween } from "./splice.ts";
import type { TextFile } from "./text-file.ts";

export interface TextEdit {
  oldText: string;
  newText: string;
  /** How often `oldText` must occur; all occurrences are replaced. Default 1. */
  expectedCount?: number;
}

/** The notes say where an edit was applied otherwise than it was given, and show the lines. */
export interface EditedFile<F extends TextFile = TextFile> {
  file: F;
  notes: string[];
}

const maxLinesNamed = 100;
const maxLinesShown = 8;
const maxLineCharacters = 200;

/** Replaces text in a file, edit after edit: see find-text.ts for what matches, and splice.ts for the bytes. */
export async function editFile<F extends TextFile>(
  file: F,
  edits: readonly TextEdit[],
): Promise<EditedFile<F>> {
  let current = file;
  const notes: string[] = [];
  for (const [index, edit] of edits.entries()) {
    const { splices, notes: more } = splicesFor(current.text, edit, labelOf(edits, index));
    current = await spliced(current, splices);
    notes.push(...more);
  }
  return { file: current, notes };
}

/** The same in a text that is no file. */
export function editText(text: string, edits: readonly TextEdit[]): { text: string; notes: string[] } {
  let current = text;
  const notes: string[] = [];
  for (const [index, edit] of edits.entries()) {
    const made = splicesFor(current, edit, labelOf(edits, index));
    current = splicedText(current, made.splices);
    notes.push(...made.notes);
  }
  return { text: current, notes };
}

const labelOf = (edits: readonly TextEdit[], index: number) =>
  edits.length === 1 ? "" : `Edit ${index + 1} of ${edits.length}: `;

function splicesFor(text: string, { oldText, newText, expectedCount = 1 }: TextEdit, label: string) {
  if (oldText === "")
    throw invalid(`${label}oldText is empty. Give the text to replace, or write the whole file.`);
  if (oldText === newText) throw invalid(`${label}oldText and newText are equal, so nothing would change.`);
  const places = findPlaces(text, oldText, newText);
  if (places.length === 0) throw invalid(`${label}oldText was not found. ${nearestRegion(text, oldText)}`);
  if (places.length !== expectedCount) throw miscounted(text, places, expectedCount, label);
  const runsOn = isBlank(oldText)
    ? undefined
    : places.find(({ end }) => runsInto(text, end, oldText, newText));
  if (runsOn) {
    const [line] = lineNumbersAt(text, [runsOn.end]);
    throw invalid(
      `${label}oldText ends with a line break and newText does not, so line ${line} would run on from it. End both with a line break, or neither.`,
    );
  }
  return splicesOf(text, places, label, oldText);
}

/** Whether what follows would be joined to the last new line. */
function runsInto(text: string, end: number, oldText: string, newText: string): boolean {
  const isOpen = newText !== "" && !/[\r\n]$/.test(newText) && /[\r\n]$/.test(oldText);
  return isOpen && end < text.length && !/[\r\n]/.test(text[end] ?? "");
}

/** Either every place is replaced with certainty, or nothing is changed. */
export function splicesOf(
  text: string,
  places: readonly Place[],
  label: string,
  oldText: string,
): { splices: Splice[]; notes: string[] } {
  const splices = places.flatMap(({ start, end, text: made, doubt }) => {
    if (made !== undefined) return splicesBetween(text.slice(start, end), made, start);
    throw invalid(`${label}${doubt} ${nearestRegion(text, oldText)}`);
  });
  if (splices.length === 0) throw invalid(`${label}the file has the new text already: nothing would change.`);
  return { splices, notes: notesOf(text, places, label) };
}

/** What was adapted, with the lines as they were written. */
function notesOf(text: string, places: readonly Place[], label: string): string[] {
  const lines = lineNumbersAt(
    text,
    places.map(({ start }) => start),
  );
  let moved = 0;
  return places.flatMap(({ start, end, text: made = "", shifted }, at) => {
    const line = (lines[at] ?? 1) + moved;
    const written = splitAtBreaks(made);
    moved += written.length - splitAtBreaks(text.slice(start, end)).length;
    if (!shifted) return [];
    if (written.at(-1) === "") written.pop();
    const shown = written
      .slice(0, maxLinesShown)
      .map(
        (each, i) =>
          `${line + i}\t${each.slice(0, maxLineCharacters)}${each.length > maxLineCharacters ? "…" : ""}`,
      );
    const more = written.length - shown.length;
    const [given, actual] = shifted.map(indentWords);
    return [
      `${label}line ${line} is indented with ${actual}, not ${given}: the new lines were indented like it${shown.length > 0 ? ":" : "."}`,
      ...shown,
      ...(more > 0 ? [`… ${more} more lines`] : []),
    ];
  });
}

/** `4 spaces`, `2 tabs`, `nothing`. */
function indentWords(indent: string): string {
  const count = (sign: string, name: string) => {
    const found = indent.split(sign).length - 1;
    return found === 0 ? [] : [`${found} ${name}${found === 1 ? "" : "s"}`];
  };
  return [...count("\t", "tab"), ...count(" ", "space")].join(" and ") || "nothing";
}

function miscounted(text: string, places: readonly Place[], expected: number, label: string): Failure {
  const named = lineNumbersAt(
    text,
    places.slice(0, maxLinesNamed).map(({ start }) => start),
  );
  const more = places.length > named.length ? ` and ${places.length - named.length} more` : "";
  const times = places.length === 1 ? "once" : `${places.length} times`;
  const subject = places.some(({ shifted }) => shifted)
    ? "oldText does not occur as it is. With another indentation, it"
    : "oldText";
  return invalid(
    `${label}${subject} occurs ${times}, not ${expected === 1 ? "once" : `${expected} times`}: at ${named.length === 1 ? "line" : "lines"} ${named.join(", ")}${more}. ` +
      `Give more of the text around the place you mean, or set expectedCount to ${places.length} to replace all.`,
  );
}

function invalid(message: string): Failure {
  return new Failure("INVALID_INPUT", message);
}
