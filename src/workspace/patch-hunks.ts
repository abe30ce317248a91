import { Failure } from "../failure/failure.ts";
import { findPlaces, type Place } from "./find-text.ts";
import { endingNear, lineNumbersAt, linesOf } from "./line-table.ts";
import { nearestRegion } from "./nearest-region.ts";
import { spliced } from "./splice.ts";
import { type EditedFile, splicesOf } from "./text-edit.ts";
import type { TextFile } from "./text-file.ts";

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

/** Applies hunks one after the other. Each place must be certain; lines match as in other edits. */
export async function applyHunks<F extends TextFile>(
  file: F,
  hunks: readonly Hunk[],
): Promise<EditedFile<F>> {
  let current = file;
  const notes: string[] = [];
  let from = 0;
  let shift = 0;
  for (const hunk of hunks) {
    const place = placeOf(current.text, hunk, from, shift);
    const made = splicesOf(current.text, [place], `${hunk.name}: `, textOf(hunk.old));
    from = place.start + (place.text?.length ?? 0);
    shift += hunk.new.length - hunk.old.length;
    current = await spliced(current, made.splices);
    notes.push(...made.notes);
  }
  return { file: current, notes };
}

function placeOf(text: string, hunk: Hunk, from: number, shift: number): Place {
  const after = anchored(text, hunk, from);
  if (hunk.old.length === 0) return insertion(text, hunk, after, shift);
  const all = candidates(text, hunk);
  const behind = all.filter(({ start }) => start >= after);
  const found = behind.length > 0 || hunk.anchors.length > 0 ? behind : all;
  const wanted = hunk.atEnd ? found.filter(({ end }) => text.slice(end).trim() === "") : found;
  const [first] = wanted;
  if (!first) {
    throw invalid(`${hunk.name} was not found. ${nearestRegion(text, textOf(hunk.old), "the patch")}`);
  }
  if (wanted.length === 1) return first;
  const lines = lineNumbersAt(
    text,
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
function candidates(text: string, hunk: Hunk): Place[] {
  const oldText = textOf(hunk.old);
  const newText = textOf(hunk.new);
  const lines = { wholeLines: true };
  const whole = hunk.oldWithoutEnding
    ? []
    : findPlaces(text, oldText, hunk.newWithoutEnding ? newText.slice(0, -1) : newText, lines);
  // A blank line without its line break is nothing, which is everywhere.
  if (whole.length > 0 || oldText === "\n") return whole;
  const kept = hunk.oldWithoutEnding && !hunk.newWithoutEnding ? newText : newText.slice(0, -1);
  return findPlaces(text, oldText.slice(0, -1), kept, lines).filter(({ end }) => end === text.length);
}

function startsLine(text: string, at: number): boolean {
  return at === 0 || text[at - 1] === "\n" || (text[at - 1] === "\r" && text[at] !== "\n");
}

/** The end of the innermost anchor line; the hunk is after it. */
function anchored(text: string, hunk: Hunk, from: number): number {
  let at = from;
  for (const anchor of hunk.anchors) {
    const found = lineWith(text, anchor, at) ?? lineWith(text, anchor, 0);
    if (found === undefined) {
      throw invalid(
        `${hunk.name}: the line @@ ${anchor} is not in the file. ${nearestRegion(text, anchor, "the patch")}`,
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
function insertion(text: string, hunk: Hunk, after: number, shift: number): Place {
  const at =
    hunk.line !== undefined
      ? (linesOf(text)[hunk.line + shift - 1]?.start ?? text.length)
      : hunk.anchors.length > 0
        ? after
        : text.length;
  const needsBreak = at > 0 && !startsLine(text, at);
  const added = (needsBreak ? "\n" : "") + textOf(hunk.new);
  const kept = hunk.newWithoutEnding || (needsBreak && at === text.length) ? added.slice(0, -1) : added;
  return { start: at, end: at, text: kept.replaceAll("\n", endingNear(text, at) ?? "\n") };
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

function invalid(message: string): Failure {
  return new Failure("INVALID_INPUT", message);
}
