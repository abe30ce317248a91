import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";
import { isText } from "./lines.ts";

const contextLines = 3;
const maxBytes = 2_000_000;
const maxDiffCharacters = 256_000;
/** Beyond either bound the two sides have little in common, and a diff says nothing. */
const bounds = { maxEditLength: 10_000, timeout: 1_000 };

/**
 * A unified diff of two contents, null being no file. Empty when they are equal, when one is no text, and when they
 * are too large or too different to compare.
 */
export function unifiedDiff(
  path: string,
  before: Uint8Array | null,
  after: Uint8Array | null,
  from = path,
): string {
  const sides = [before, after].map((side) => side ?? new Uint8Array());
  if (sides.some((side) => side.length > maxBytes || !isText(side))) return "";
  const [old = "", now = ""] = sides.map((side) => Buffer.from(side).toString());
  if (old === now) return "";
  const names = [
    before === null ? "/dev/null" : `a/${from}`,
    after === null ? "/dev/null" : `b/${path}`,
  ] as const;
  const patch = structuredPatch(...names, old, now, undefined, undefined, {
    context: contextLines,
    ...bounds,
  });
  const text = patch ? formatPatch(patch, FILE_HEADERS_ONLY) : "";
  return text.length > maxDiffCharacters ? "" : text;
}
