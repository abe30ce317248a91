import { diffArrays } from "diff";
import { nearestNames } from "../text/nearest.ts";
import { exactLine } from "../text/visible.ts";
import { splitAtBreaks } from "./line-table.ts";

const maxWords = 12;
const maxHitsPerWord = 500;
const maxFileWords = 200_000;
const maxCandidates = 40;
const maxLinesCompared = 60;
const maxLinesShown = 12;
const maxLineCharacters = 200;
/** Below this share of common letter pairs, two texts count as unrelated. */
const leastSimilarity = 0.3;

/**
 * Describes the most similar place for a text that was not found: where it is, how it reads, and where the two first
 * differ.
 */
export function nearestRegion(file: string, text: string, name = "oldText"): string {
  const lines = splitAtBreaks(file);
  const wanted = splitAtBreaks(text.replace(/^(?:[ \t]*(?:\r\n|\n|\r))+/, "").trimEnd());
  const start = bestStart(file, lines, wanted);
  if (start === undefined)
    return "Nothing in the file resembles it. Read the file again and copy the text from there.";
  const count = Math.min(wanted.length, lines.length - start);
  const difference = firstDifference(lines.slice(start, start + count + 3), wanted);
  const differs = Math.min(start + difference.there, lines.length - 1);
  const first = wanted.length <= maxLinesShown ? start : Math.max(start, differs - 2);
  const last = Math.min(Math.max(start + count - 1, differs), first + maxLinesShown - 1);
  const shown = lines.slice(first, last + 1).map((line, at) => `${first + at + 1}\t${shortened(line)}`);
  const range = count === 1 ? `line ${start + 1}` : `lines ${start + 1}-${start + count}`;
  const [there, given] = bothFromDifference(lines[differs] ?? "", wanted[difference.given] ?? "");
  const isSpacing = withoutSpacing(lines.slice(start, start + count + 3).join("")).includes(
    withoutSpacing(text),
  );
  return [
    `The nearest text is at ${range}.${isSpacing ? " It differs only in white space." : ""} It reads:`,
    ...shown,
    `Line ${differs + 1} exactly: ${there}`,
    difference.given < wanted.length ? `In ${name}: ${given}` : `In ${name} there is no such line.`,
  ].join("\n");
}

/** Each word of the text votes for the line at which the text would have to begin; the best few are compared line by line. */
function bestStart(file: string, lines: readonly string[], wanted: readonly string[]): number | undefined {
  const corrected = correctedLines(file, wanted);
  const votes = new Map<number, number>();
  for (const word of longestWords(corrected)) {
    const offsets = corrected.flatMap((line, at) => (line.includes(word) ? [at] : [])).slice(0, 5);
    const places: number[] = [];
    for (let at = 0; at < lines.length && places.length < maxHitsPerWord; at++)
      if (lines[at]?.includes(word)) places.push(at);
    const weight = word.length / (1 + Math.log2(places.length));
    const starts = new Set(places.flatMap((place) => offsets.map((offset) => Math.max(0, place - offset))));
    for (const start of starts) votes.set(start, (votes.get(start) ?? 0) + weight);
  }
  const candidates = [...votes].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, maxCandidates);
  let best: { start: number; score: number } | undefined;
  for (const [start] of candidates) {
    const there = lines.slice(start, start + Math.min(wanted.length, maxLinesCompared));
    const score = Math.max(similarity(wanted, there), 0.9 * similarity(corrected, there));
    if (score >= leastSimilarity && score > (best?.score ?? 0)) best = { start, score };
  }
  return best?.start;
}

/** Replaces words that the file does not contain by the most similar ones that it does. */
function correctedLines(file: string, wanted: readonly string[]): string[] {
  const missing = longestWords(wanted).filter((word) => !file.includes(word));
  if (missing.length === 0) return [...wanted];
  const known = new Set<string>();
  for (const [word] of file.matchAll(/[\p{L}\p{N}_$]{2,}/gu)) {
    known.add(word);
    if (known.size === maxFileWords) break;
  }
  const nearest = new Map(missing.map((word) => [word, nearestNames(word, known, 1)[0]]));
  return wanted.map((line) => line.replace(/[\p{L}\p{N}_$]{2,}/gu, (word) => nearest.get(word) ?? word));
}

function longestWords(lines: readonly string[]): string[] {
  const words = new Set(lines.join("\n").match(/[\p{L}\p{N}_$]{2,}/gu));
  return [...words].sort((a, b) => b.length - a.length).slice(0, maxWords);
}

/** The similarity of the wanted lines to the existing ones, 0 to 1. */
function similarity(wanted: readonly string[], there: readonly string[]): number {
  const full = wanted.slice(0, maxLinesCompared).map((line, at) => [line, there[at] ?? ""] as const);
  const scores = full.filter(([line]) => line.trim() !== "").map(([a, b]) => commonPairs(a, b));
  return scores.reduce((sum, score) => sum + score, 0) / Math.max(scores.length, 1);
}

function commonPairs(wanted: string, there: string): number {
  const [a, b] = [wanted, there].map((line) => line.replace(/\s+/g, " ").trim().slice(0, 1000)) as [
    string,
    string,
  ];
  if (a === b) return 1;
  if (a.length < 2) return b.includes(a) ? 0.9 : 0;
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < b.length; at++) pairs.add(b.slice(at, at + 2));
  let common = 0;
  for (let at = 0; at + 1 < a.length; at++) if (pairs.has(a.slice(at, at + 2))) common++;
  return (0.95 * common) / (a.length - 1);
}

/** The first lines that differ beyond white space or, if none do, the first that differ at all. */
function firstDifference(
  there: readonly string[],
  wanted: readonly string[],
): { there: number; given: number } {
  const same = there.findIndex((line, at) => at < wanted.length && line !== wanted[at]);
  let [a, b] = [0, 0];
  for (const { added, removed, count } of diffArrays(wanted.map(squeezed), there.map(squeezed))) {
    if (added || removed) return b < wanted.length ? { there: a, given: b } : { there: same, given: same };
    a += count;
    b += count;
  }
  return same < 0 ? { there: 0, given: 0 } : { there: same, given: same };
}

/** Both lines with white space made visible; long ones start shortly before the difference. */
function bothFromDifference(there: string, given: string): [string, string] {
  let at = 0;
  while (at < there.length && there[at] === given[at]) at++;
  const from = at > 80 ? at - 40 : 0;
  const part = (line: string) =>
    `${from > 0 ? "…" : ""}${exactLine(line.slice(from, from + 160))}${line.length > from + 160 ? "…" : ""}`;
  return [part(there), part(given)];
}

function squeezed(line: string): string {
  return line.replace(/\s+/g, " ").trim();
}

function shortened(line: string): string {
  return line.length > maxLineCharacters ? `${line.slice(0, maxLineCharacters)}…` : line;
}

function withoutSpacing(text: string): string {
  return text.replace(/\s+/g, "");
}
