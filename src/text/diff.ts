import { diffArrays, FILE_HEADERS_ONLY, formatPatch, type StructuredPatch, structuredPatch } from "diff";
import { readBothTexts } from "./encoding.ts";

export interface TextDiff {
  /** Unified, with three lines of context; empty when the sides are equal, too large to show, or there was no time. */
  diff: string;
  /** Lines, also where the diff is left out. */
  added: number;
  removed: number;
}

/** Beyond this the two sides have little in common. The first takes half a second of work. */
const maxEditLength = 2_500;
const maxMs = 5_000;
const maxBytes = 2_000_000;
const maxDiffCharacters = 256_000;
const context = 3;

export interface DiffOptions {
  /** The old path, when it is another one. */
  from?: string | undefined;
  /** Less time than usual, when many files are to be compared. */
  leftMs?: number;
  /** Longer diffs are left out. */
  maxCharacters?: number;
}

/** A diff that always comes back soon; null is a side without a file. */
export function diffTexts(
  path: string,
  before: string | null,
  after: string | null,
  { from = path, leftMs = maxMs, maxCharacters = maxDiffCharacters }: DiffOptions = {},
): TextDiff {
  const old = before ?? "";
  const now = after ?? "";
  if (old === now) return { diff: "", added: 0, removed: 0 };
  const sides = [linesIn(old), linesIn(now)] as const;
  if (leftMs <= 0) return { diff: "", added: sides[1].length, removed: sides[0].length };
  const oldName = before === null ? "/dev/null" : `a/${from}`;
  const newName = after === null ? "/dev/null" : `b/${path}`;
  const timeout = Math.min(leftMs, maxMs);
  const options = { context, maxEditLength, timeout };
  const small = hasMoreThan(maxEditLength, ...sides)
    ? undefined
    : structuredPatch(oldName, newName, old, now, undefined, undefined, options);
  const patch = small ?? patchOfMany(oldName, newName, ...sides, timeout);
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const text = formatPatch(patch, FILE_HEADERS_ONLY);
  return {
    diff: text.length > maxCharacters ? "" : text,
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  };
}

/** Whether more lines than this are on one side only, so that the sides are at least that far apart. */
function hasMoreThan(most: number, old: readonly string[], now: readonly string[]): boolean {
  if (old.length + now.length <= most) return false;
  const [inOld, inNow] = [new Set(old), new Set(now)];
  const only = old.filter((line) => !inNow.has(line)).length + now.filter((line) => !inOld.has(line)).length;
  return only > most;
}

/**
 * A patch of sides that are far apart. A line that only one side has cannot be matched: without them the comparison is as
 * good as before, and short. Where even that takes too long, only what the sides begin and end with is the same.
 */
function patchOfMany(
  oldFileName: string,
  newFileName: string,
  old: readonly string[],
  now: readonly string[],
  timeout: number,
): StructuredPatch {
  const pairs = pairsOf(old, now, timeout);
  const lines: { text: string; isSame: boolean; at: readonly [number, number] }[] = [];
  let [i, j] = [0, 0];
  for (const [nextI, nextJ] of [...pairs, [old.length, now.length] as const]) {
    for (; i < nextI; i++) lines.push({ text: `-${old[i]}`, isSame: false, at: [i, j] });
    for (; j < nextJ; j++) lines.push({ text: `+${now[j]}`, isSame: false, at: [i, j] });
    if (i < old.length && j < now.length) lines.push({ text: ` ${old[i]}`, isSame: true, at: [i++, j++] });
  }
  const hunks: StructuredPatch["hunks"] = [];
  for (let from = lines.findIndex(({ isSame }) => !isSame); from !== -1; ) {
    let end = from;
    let quiet = 0;
    for (let at = from; at < lines.length && quiet <= 2 * context; at++) {
      quiet = lines[at]?.isSame ? quiet + 1 : 0;
      if (quiet === 0) end = at + 1;
    }
    const start = Math.max(0, from - context);
    const shown = lines.slice(start, end + context);
    const [oldStart, newStart] = shown[0]?.at ?? [0, 0];
    const count = (sign: string) => shown.filter(({ text }) => text[0] === sign || text[0] === " ").length;
    hunks.push({
      ...{ oldStart: oldStart + 1, newStart: newStart + 1, oldLines: count("-"), newLines: count("+") },
      lines: shown.flatMap(({ text }) =>
        text.endsWith("\n") ? text.slice(0, -1) : [text, "\\ No newline at end of file"],
      ),
    });
    const next = lines.slice(end).findIndex(({ isSame }) => !isSame);
    from = next === -1 ? -1 : end + next;
  }
  return { oldFileName, newFileName, oldHeader: undefined, newHeader: undefined, hunks };
}

/** The places of lines that both sides have, in order. */
function pairsOf(
  old: readonly string[],
  now: readonly string[],
  timeout: number,
): (readonly [number, number])[] {
  const [inOld, inNow] = [new Set(old), new Set(now)];
  const ofOld = [...old.keys()].filter((at) => inNow.has(old[at] ?? ""));
  const ofNow = [...now.keys()].filter((at) => inOld.has(now[at] ?? ""));
  const changes = diffArrays(
    ofOld.map((at) => old[at]),
    ofNow.map((at) => now[at]),
    { maxEditLength, timeout },
  );
  if (!changes) return sameEnds(old, now);
  const pairs: (readonly [number, number])[] = [];
  let [i, j] = [0, 0];
  for (const { added, removed, count = 0 } of changes) {
    if (!added && !removed)
      for (let n = 0; n < count; n++) pairs.push([ofOld[i + n] ?? 0, ofNow[j + n] ?? 0]);
    if (!added) i += count;
    if (!removed) j += count;
  }
  return pairs;
}

function sameEnds(old: readonly string[], now: readonly string[]): (readonly [number, number])[] {
  const least = Math.min(old.length, now.length);
  let head = 0;
  while (head < least && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < least - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const atEnd = (n: number) => [old.length - tail + n, now.length - tail + n] as const;
  return [
    ...Array.from({ length: head }, (_, at) => [at, at] as const),
    ...Array.from({ length: tail }, (_, n) => atEnd(n)),
  ];
}

/** The same for contents; nothing at all where one is no text or too large. */
export async function compareBytes(
  path: string,
  before: Buffer | null,
  after: Buffer | null,
  options: DiffOptions = {},
): Promise<TextDiff> {
  const isLarge = [before, after].some((side) => side !== null && side.length > maxBytes);
  const [old, now] = isLarge ? [] : await readBothTexts(before, after);
  if (old === undefined || now === undefined) return { diff: "", added: 0, removed: 0 };
  return diffTexts(path, old, now, options);
}

export async function diffBytes(...given: Parameters<typeof compareBytes>): Promise<string> {
  return (await compareBytes(...given)).diff;
}

/** Added and removed lines of a change: those of its diff, unless that was left out. */
export function lineTotals({
  diff,
  added,
  removed,
}: {
  diff: string;
  added?: number | undefined;
  removed?: number | undefined;
}): { added: number; removed: number } {
  const inDiff = diffTotals(diff);
  return { added: added ?? inDiff.added, removed: removed ?? inDiff.removed };
}

/** Added and removed lines of the unified diff of one file. */
export function diffTotals(diff: string): { added: number; removed: number } {
  const body = diff.slice(Math.max(0, diff.search(/^@@ /m))).split("\n");
  return {
    added: body.filter((line) => line.startsWith("+")).length,
    removed: body.filter((line) => line.startsWith("-")).length,
  };
}

/** With their ends. */
function linesIn(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}
