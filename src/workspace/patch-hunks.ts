import { Failure } from "../failure/failure.ts";
import { lineNumbersAt, nearestRegion } from "./nearest-region.ts";
import { type Edited, findReplacements, type Replacement, replaceIn } from "./text-edit.ts";

/** Lines to replace, with what the patch says about their position. */
export interface Hunk {
  /** For failures. */
  name: string;
  old: string[];
  new: string[];
  /** The line at which a diff says it begins. */
  line?: number;
  /** Lines above the place, outermost first. */
  anchors: string[];
  /** It is at the end of the file. */
  atEnd?: boolean;
  oldWithoutEnding?: boolean;
  newWithoutEnding?: boolean;
}

/** Applies hunks one after the other. Each place must be certain; white space may differ as in other edits. */
export function applyHunks(bytes: Buffer, hunks: readonly Hunk[]): Edited {
  let current = bytes;
  const notes: string[] = [];
  let from = 0;
  let shift = 0;
  for (const hunk of hunks) {
    const place = placeOf(current, hunk, from, shift);
    const edited = replaceIn(current, [place], `${hunk.name}: `, textOf(hunk.old));
    from = place.start + (place.bytes?.length ?? 0);
    shift += hunk.new.length - hunk.old.length;
    current = edited.bytes;
    notes.push(...edited.notes);
  }
  return { bytes: current, notes };
}

function placeOf(bytes: Buffer, hunk: Hunk, from: number, shift: number): Replacement {
  const after = anchored(bytes, hunk, from);
  if (hunk.old.length === 0) return insertion(bytes, hunk, after, shift);
  const all = candidates(bytes, hunk);
  const behind = all.filter(({ start }) => start >= after);
  const found = behind.length > 0 || hunk.anchors.length > 0 ? behind : all;
  const wanted = hunk.atEnd ? found.filter(({ end }) => bytes.subarray(end).toString().trim() === "") : found;
  const [first] = wanted;
  if (!first) {
    throw invalid(`${hunk.name} was not found. ${nearestRegion(bytes, textOf(hunk.old), "the patch")}`);
  }
  if (wanted.length === 1) return first;
  const lines = lineNumbersAt(
    bytes,
    wanted.map(({ start }) => start),
  );
  if (hunk.line === undefined) {
    // An anchor limits the search to the lines after it.
    if (hunk.anchors.length > 0) return first;
    const message = `${hunk.name} fits at lines ${lines.join(", ")}. Add lines of context, or a line @@ with the function or class above the place.`;
    throw invalid(message);
  }
  const expected = hunk.line + shift;
  const distances = lines.map((line) => Math.abs(line - expected));
  const nearest = Math.min(...distances);
  const best = wanted.filter((_, at) => distances[at] === nearest);
  if (best.length === 1 && best[0]) return best[0];
  throw invalid(`${hunk.name} fits as well at line ${lines.join(" as at line ")}. Add lines of context.`);
}

/** Places of the whole lines; at the end of a file the last one may lack its line break. */
function candidates(bytes: Buffer, hunk: Hunk): Replacement[] {
  const oldText = textOf(hunk.old);
  const newText = textOf(hunk.new);
  const whole = hunk.oldWithoutEnding
    ? []
    : findReplacements(bytes, oldText, hunk.newWithoutEnding ? newText.slice(0, -1) : newText);
  const atLineStart = whole.filter(({ start }) => startsLine(bytes, start));
  if (atLineStart.length > 0) return atLineStart;
  const last = findReplacements(
    bytes,
    oldText.slice(0, -1),
    hunk.oldWithoutEnding && !hunk.newWithoutEnding ? newText : newText.slice(0, -1),
  );
  return last.filter(({ start, end }) => end === bytes.length && startsLine(bytes, start));
}

function startsLine(bytes: Buffer, at: number): boolean {
  return at === 0 || bytes[at - 1] === 10 || (bytes[at - 1] === 13 && bytes[at] !== 10);
}

/** The end of the innermost anchor line; the hunk is after it. */
function anchored(bytes: Buffer, hunk: Hunk, from: number): number {
  let at = from;
  for (const anchor of hunk.anchors) {
    const text = bytes.toString("latin1");
    const wanted = Buffer.from(anchor).toString("latin1");
    const found = lineWith(text, wanted, at) ?? lineWith(text, wanted, 0);
    if (found === undefined) {
      throw invalid(
        `${hunk.name}: the line @@ ${anchor} is not in the file. ${nearestRegion(bytes, anchor, "the patch")}`,
      );
    }
    at = found;
  }
  return at;
}

/** The end of the first line that holds the text, white space at its ends aside: a whole line before a part of one. */
function lineWith(text: string, wanted: string, from: number): number | undefined {
  let part: number | undefined;
  for (let start = from; start < text.length; ) {
    const end = text.indexOf("\n", start) + 1 || text.length;
    const line = text.slice(start, end);
    if (line.trim() === wanted) return end;
    if (part === undefined && line.includes(wanted)) part = end;
    start = end;
  }
  return part;
}

/** Lines that are only added: behind the anchor, at the line that the diff names, or at the end. */
function insertion(bytes: Buffer, hunk: Hunk, after: number, shift: number): Replacement {
  const at =
    hunk.line !== undefined
      ? startOfLine(bytes, hunk.line + shift)
      : hunk.anchors.length > 0
        ? after
        : bytes.length;
  const needsBreak = at > 0 && !startsLine(bytes, at);
  const ending = bytes.includes("\r\n") ? "\r\n" : "\n";
  const text = (needsBreak ? "\n" : "") + textOf(hunk.new);
  const kept = hunk.newWithoutEnding || (needsBreak && at === bytes.length) ? text.slice(0, -1) : text;
  return { start: at, end: at, bytes: Buffer.from(kept.replaceAll("\n", ending)) };
}

function startOfLine(bytes: Buffer, line: number): number {
  let at = 0;
  for (let number = 1; number < line && at < bytes.length; number++)
    at = bytes.indexOf(10, at) + 1 || bytes.length;
  return at;
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

function invalid(message: string): Failure {
  return new Failure("INVALID_INPUT", message);
}
