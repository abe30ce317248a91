import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";
import { isText } from "./lines.ts";

const contextLines = 3;
const maxBytes = 2_000_000;
const maxDiffCharacters = 256_000;
/** Beyond these bounds the two sides have little in common, and a diff says nothing. */
const maxEditLength = 4_000;
const maxMs = 500;

interface DiffOptions {
  /** The old path, when it is another one. */
  from?: string | undefined;
  /** Less time than usual, when many files are to be compared. */
  leftMs?: number;
}

/**
 * A unified diff of two contents, null being no file. Empty when they are equal, when one is no text, and when they
 * are too large or too different to compare.
 */
export function unifiedDiff(
  path: string,
  before: Uint8Array | null,
  after: Uint8Array | null,
  { from = path, leftMs = maxMs }: DiffOptions = {},
): string {
  const sides = [before, after].map((side) => side ?? new Uint8Array());
  if (leftMs <= 0 || sides.some((side) => side.length > maxBytes || !isText(side))) return "";
  const [old = "", now = ""] = sides.map((side) => Buffer.from(side).toString());
  if (old === now) return "";
  const oldName = before === null ? "/dev/null" : `a/${from}`;
  const newName = after === null ? "/dev/null" : `b/${path}`;
  const bounds = { maxEditLength, timeout: Math.min(leftMs, maxMs) };
  const patch = structuredPatch(oldName, newName, old, now, undefined, undefined, {
    context: contextLines,
    ...bounds,
  });
  const text = patch ? formatPatch(patch, FILE_HEADERS_ONLY) : "";
  return text.length > maxDiffCharacters ? "" : text;
}
