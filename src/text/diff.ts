import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";
import { decodeText } from "./text-file.ts";

export interface TextDiff {
  /** Unified, with three lines of context; empty when the sides are equal or too different to compare in time. */
  diff: string;
  added: number;
  removed: number;
}

/** Beyond these bounds the two sides have little in common, and a diff says nothing. The first takes half a second of work. */
const maxEditLength = 2_500;
const maxMs = 5_000;
const maxBytes = 2_000_000;
const maxDiffCharacters = 256_000;

export interface DiffOptions {
  /** The old path, when it is another one. */
  from?: string | undefined;
  /** Less time than usual, when many files are to be compared. */
  leftMs?: number;
}

/** A diff that always comes back soon; null is a side without a file. */
export function diffTexts(
  path: string,
  before: string | null,
  after: string | null,
  { from = path, leftMs = maxMs }: DiffOptions = {},
): TextDiff {
  const old = before ?? "";
  const now = after ?? "";
  if (old === now) return { diff: "", added: 0, removed: 0 };
  const oldName = before === null ? "/dev/null" : `a/${from}`;
  const newName = after === null ? "/dev/null" : `b/${path}`;
  const options = { context: 3, maxEditLength, timeout: Math.min(leftMs, maxMs) };
  const patch =
    leftMs > 0 ? structuredPatch(oldName, newName, old, now, undefined, undefined, options) : undefined;
  if (!patch) return { diff: "", added: countLines(now), removed: countLines(old) };
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const text = formatPatch(patch, FILE_HEADERS_ONLY);
  return {
    diff: text.length > maxDiffCharacters ? "" : text,
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  };
}

/** The same for contents; empty also where one is no text or too large. */
export function diffBytes(
  path: string,
  before: Uint8Array | null,
  after: Uint8Array | null,
  options: DiffOptions = {},
): string {
  const [old, now] = [before, after].map((side) => {
    if (side === null) return null;
    return side.length > maxBytes ? undefined : decodeText(side);
  });
  return old === undefined || now === undefined ? "" : diffTexts(path, old, now, options).diff;
}

/** Added and removed lines of a unified diff. */
export function diffTotals(diff: string): { added: number; removed: number } {
  const body = diff.split("\n").filter((line) => !line.startsWith("+++") && !line.startsWith("---"));
  return {
    added: body.filter((line) => line.startsWith("+")).length,
    removed: body.filter((line) => line.startsWith("-")).length,
  };
}

function countLines(text: string): number {
  return text === "" ? 0 : text.split("\n").length;
}
