import { Failure } from "../failure/failure.ts";
import { findLoose } from "./loose-match.ts";
import { lineNumbersAt, nearestRegion } from "./nearest-region.ts";

export interface TextEdit {
  oldText: string;
  newText: string;
  /** How often `oldText` must occur; all occurrences are replaced. Default 1. */
  expectedCount?: number;
}

interface Match {
  start: number;
  end: number;
  /** The line endings inside, where they were matched whatever they are. */
  endings?: string[];
}

const LF = 10;
const CR = 13;
const maxLinesNamed = 100;

export interface Edited {
  bytes: Buffer;
  /** Where an edit was applied although white space differed. */
  notes: string[];
}

/**
 * Replaces text in bytes, edit after edit. Bytes outside the matches stay as they are, valid text or not.
 *
 * `oldText` is first searched for exactly. Only if it does not occur, its line breaks match any line ending, and
 * those of `newText` become the endings that were matched. Line feeds in text inserted into a single line become the
 * ending of that line, so a file with CRLF endings keeps them. Finally, white space may differ: see loose-match.ts.
 */
export function editBytes(bytes: Uint8Array, edits: readonly TextEdit[]): Edited {
  let current = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const notes: string[] = [];
  for (const [index, edit] of edits.entries()) {
    const label = edits.length === 1 ? "" : `Edit ${index + 1} of ${edits.length}: `;
    const edited = applyEdit(current, edit, label);
    current = edited.bytes;
    notes.push(...edited.notes);
  }
  return { bytes: current, notes };
}

function applyEdit(bytes: Buffer, { oldText, newText, expectedCount = 1 }: TextEdit, label: string): Edited {
  if (oldText === "")
    throw invalid(`${label}oldText is empty. Give the text to replace, or write the whole file.`);
  if (oldText === newText) throw invalid(`${label}oldText and newText are equal, so nothing would change.`);
  const found = findReplacements(bytes, oldText, newText);
  if (found.length === 0) throw invalid(`${label}oldText was not found. ${nearestRegion(bytes, oldText)}`);
  const isLoose = found.some(({ differences }) => differences !== undefined);
  if (found.length !== expectedCount) {
    const loosely = `${label}oldText does not occur as it is. White space aside, `;
    throw miscounted(bytes, found, expectedCount, isLoose ? loosely : label);
  }
  return replaceIn(bytes, found, label, oldText);
}

/** A place where the text occurs, and the replacement. */
export interface Replacement {
  start: number;
  end: number;
  /** Undefined if the file's indentation does not determine how to indent the new text. */
  bytes: Buffer | undefined;
  /** How white space differs, in words; undefined for an exact match. */
  differences?: string[];
}

/** Exact matches; if there are none, with any line endings; if there are still none, with any white space. */
export function findReplacements(bytes: Buffer, oldText: string, newText: string): Replacement[] {
  const matches = findExact(bytes, Buffer.from(oldText));
  if (matches.length === 0) matches.push(...findAnyEnding(bytes, oldText));
  if (matches.length > 0) {
    return matches.map((match) => ({
      start: match.start,
      end: match.end,
      bytes: Buffer.from(replacementFor(bytes, match, newText)),
    }));
  }
  return findLoose(bytes, oldText, newText).map(({ replacement, ...match }) => ({
    ...match,
    bytes: replacement === undefined ? undefined : Buffer.from(replacement, "latin1"),
  }));
}

/** Either every place is replaced with certainty, or nothing is changed. */
export function replaceIn(
  bytes: Buffer,
  places: readonly Replacement[],
  label: string,
  oldText: string,
): Edited {
  const made = places.map(({ start, end, bytes: replacement }) => {
    if (replacement !== undefined) return { start, end, bytes: replacement };
    const why = "The file's indentation differs in a way that cannot be carried over to the new text.";
    throw invalid(`${label}The text was not found as it is. ${why} ${nearestRegion(bytes, oldText)}`);
  });
  const after = replaced(bytes, made);
  if (after.equals(bytes)) {
    throw invalid(`${label}the file has the new text already: nothing would change.`);
  }
  const lines = lineNumbersAt(
    bytes,
    places.map(({ start }) => start),
  );
  const notes = places.flatMap((place, at) => looseNote(place, lines[at] ?? 1, label));
  return { bytes: after, notes };
}

function looseNote({ differences, bytes }: Replacement, line: number, label: string): string[] {
  if (differences === undefined) return [];
  const kept = bytes?.length === 0 ? "" : " The file's own form was kept.";
  const what = differences.join(", ") || "line breaks";
  return [`${label}The text matched at line ${line} although white space differs (${what}).${kept}`];
}

function replaced(bytes: Buffer, matches: readonly { start: number; end: number; bytes: Buffer }[]): Buffer {
  const parts: Uint8Array[] = [];
  let position = 0;
  for (const match of matches) {
    parts.push(bytes.subarray(position, match.start), match.bytes);
    position = match.end;
  }
  return Buffer.concat([...parts, bytes.subarray(position)]);
}

function findExact(bytes: Buffer, wanted: Buffer): Match[] {
  const matches: Match[] = [];
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + wanted.length)) {
    const end = at + wanted.length;
    // Half of a CRLF is no line ending.
    const splits = (place: number) => bytes[place - 1] === CR && bytes[place] === LF;
    if (!splits(at) && !splits(end)) matches.push({ start: at, end });
  }
  return matches;
}

/** Finds the longest line of the text, then checks for the other lines around it. */
function findAnyEnding(bytes: Buffer, text: string): Match[] {
  const lines = text.split(/\r\n|\n|\r/).map((line) => Buffer.from(line));
  if (lines.length === 1) return [];
  const anchor = lines.reduce((best, line, i) => (line.length > (lines[best]?.length ?? 0) ? i : best), 0);
  const matches: Match[] = [];
  for (const at of positionsOf(bytes, lines[anchor] ?? Buffer.alloc(0))) {
    const match = matchAround(bytes, lines, anchor, at);
    if (match && match.start >= (matches.at(-1)?.end ?? 0)) matches.push(match);
  }
  return matches;
}

/** An empty line matches before every line ending. */
function* positionsOf(bytes: Buffer, line: Buffer): Generator<number> {
  if (line.length > 0) {
    for (let at = bytes.indexOf(line); at >= 0; at = bytes.indexOf(line, at + 1)) yield at;
    return;
  }
  for (let at = 0; at < bytes.length; at++) {
    const isInside = bytes[at] === LF && bytes[at - 1] === CR;
    if ((bytes[at] === LF || bytes[at] === CR) && !isInside) yield at;
  }
}

function matchAround(bytes: Buffer, lines: readonly Buffer[], anchor: number, at: number): Match | undefined {
  const endings: string[] = [];
  let start = at;
  for (const line of lines.slice(0, anchor).reverse()) {
    const ending = endingBefore(bytes, start);
    start -= ending.length + line.length;
    if (ending === "" || start < 0 || !line.equals(bytes.subarray(start, start + line.length)))
      return undefined;
    endings.unshift(ending);
  }
  let end = at + (lines[anchor]?.length ?? 0);
  for (const line of lines.slice(anchor + 1)) {
    const ending = endingAt(bytes, end);
    end += ending.length + line.length;
    if (ending === "" || !line.equals(bytes.subarray(end - line.length, end))) return undefined;
    endings.push(ending);
  }
  return { start, end, endings };
}

function endingAt(bytes: Buffer, at: number): string {
  if (bytes[at] === LF) return "\n";
  if (bytes[at] !== CR) return "";
  return bytes[at + 1] === LF ? "\r\n" : "\r";
}

function endingBefore(bytes: Buffer, at: number): string {
  if (bytes[at - 1] === CR) return "\r";
  if (bytes[at - 1] !== LF) return "";
  return bytes[at - 2] === CR ? "\r\n" : "\n";
}

function replacementFor(bytes: Buffer, match: Match, newText: string): string {
  if (match.endings) {
    const { endings } = match;
    let line = 0;
    return newText.replace(/\r\n|\n|\r/g, () => endings[line++] ?? endings.at(-1) ?? "\n");
  }
  const isOneLine = !bytes.subarray(match.start, match.end).some((byte) => byte === LF || byte === CR);
  if (!isOneLine || !newText.includes("\n")) return newText;
  const ending = endingOfLine(bytes, match);
  return ending === "\n" ? newText : newText.replace(/(?<!\r)\n/g, ending);
}

/** Of the line that holds the match; of the one before when it is the last and has none. */
function endingOfLine(bytes: Buffer, { start, end }: Match): string {
  for (let at = end; at < bytes.length; at++) {
    const ending = endingAt(bytes, at);
    if (ending !== "") return ending;
  }
  for (let at = start; at > 0; at--) {
    const ending = endingBefore(bytes, at);
    if (ending !== "") return ending;
  }
  return "\n";
}

function miscounted(
  bytes: Buffer,
  matches: readonly { start: number }[],
  expected: number,
  label: string,
): Failure {
  const named = lineNumbersAt(
    bytes,
    matches.slice(0, maxLinesNamed).map(({ start }) => start),
  );
  const more = matches.length > named.length ? ` and ${matches.length - named.length} more` : "";
  const times = matches.length === 1 ? "once" : `${matches.length} times`;
  const subject = label.endsWith("aside, ") ? "it" : "oldText";
  return invalid(
    `${label}${subject} occurs ${times}, not ${expected === 1 ? "once" : `${expected} times`}: at ${named.length === 1 ? "line" : "lines"} ${named.join(", ")}${more}. ` +
      `Give more of the text around the place you mean, or set expectedCount to ${matches.length} to replace all.`,
  );
}

function invalid(message: string): Failure {
  return new Failure("INVALID_INPUT", message);
}
