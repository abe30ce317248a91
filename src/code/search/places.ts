import { typeKinds } from "../languages/language.ts";
import { type Declaration, qualifiedName } from "../syntax/syntax.ts";
import type { PreparedChunk, PreparedFile } from "./prepared-chunks.ts";
import { bestLines, isComment, type LineRange, shownLines } from "./shown-lines.ts";

/** A place in the code that fits a question: a whole declaration, or a stretch of a file that is none. */
export interface FoundPlace {
  file: string;
  startLine: number;
  endLine: number;
  symbol?: string;
  /** Where it is declared, below comments and decorators. */
  line?: number;
  kind?: string;
  signature?: string;
  score: number;
  /** How much of the question it speaks of, at most 1. */
  share: number;
  /** The lines that `text` shows, where it does not show all. */
  lines: LineRange[];
  text: string;
  /** The lines that fit the question best, the best first, beyond the line that declares it. */
  bestLines: [number: number, text: string][];
  /** Of a type too long to show: its members, one line each. */
  members?: string[];
}

export interface ScoredChunk {
  file: string;
  content: PreparedFile;
  chunk: PreparedChunk;
  score: number;
}

interface Place extends Pick<ScoredChunk, "file" | "content" | "score"> {
  chunk: PreparedChunk;
  startLine: number;
  endLine: number;
}

/** Lines shown of each of the first places, around the best matches where there are more; of the others, the first lines. */
const bodyLines = [40];
const otherLines = 14;
/** What the second, third … place of a file counts: other files are to be seen, too. */
const ofSameFile = [1, 0.75, 0.6, 0.5, 0.4, 0.3];
const mostMembers = 30;
const mostBestLines = 3;

/** The best places of scored chunks (best first): chunks of one declaration are one place, and no text comes twice. */
export function bestPlaces(
  found: readonly ScoredChunk[],
  limit: number,
  weightOf: (line: string) => number,
  shareOf: (text: string) => number,
): FoundPlace[] {
  const places = new Map<string, Place>();
  const fromFile = new Map<string, number>();
  for (const { file, content, chunk, score } of found) {
    const count = fromFile.get(file) ?? 0;
    if (!chunk.isCode || count >= ofSameFile.length) continue;
    const key = `${file}\0${chunk.declaration === undefined ? `:${chunk.startLine}` : chunk.declaration}`;
    if (places.has(key)) continue;
    places.set(key, { file, content, chunk, score, ...extentOf(content, chunk) });
    fromFile.set(file, count + 1);
    if (places.size >= limit * 6) break;
  }
  return inTurns(withoutCopies(places.values()), limit).map((place, index) => {
    const most = bodyLines[index] ?? otherLines;
    return {
      ...shown(place, most, index < bodyLines.length ? weightOf : undefined),
      bestLines: bestLinesOf(place, weightOf),
      share: shareOf(
        `${place.file}\n${place.content.lines.slice(place.startLine - 1, place.endLine).join("\n")}`,
      ),
    };
  });
}

/** All of the declaration that a chunk is part of, with the comment above it. */
function extentOf({ chunks }: PreparedFile, { declaration, symbol, startLine, endLine }: PreparedChunk) {
  if (declaration === undefined || !symbol) return { startLine, endLine };
  const first = chunks.find((chunk) => chunk.declaration === declaration);
  return {
    startLine: Math.min(first?.startLine ?? startLine, symbol.startLine),
    endLine: Math.max(symbol.endLine, endLine),
  };
}

/** Copied files and generated variants say the same more than once. */
function* withoutCopies(places: Iterable<Place>): Iterable<Place> {
  const seen = new Set<string>();
  for (const place of places) {
    const key = place.content.lines
      .slice(place.chunk.startLine - 1, place.chunk.endLine)
      .join("")
      .replace(/[\s\d]+/g, "")
      .slice(0, 4_000);
    if (seen.has(key)) continue;
    seen.add(key);
    yield place;
  }
}

/** By score; each place of a file makes the next one of it count less. */
function inTurns(places: Iterable<Place>, limit: number): Place[] {
  const waiting = [...places];
  const chosen: Place[] = [];
  const fromFile = new Map<string, number>();
  while (chosen.length < limit && waiting.length > 0) {
    let best = 0;
    let most = Number.NEGATIVE_INFINITY;
    for (const [index, { file, score }] of waiting.entries()) {
      const counted = score * (ofSameFile[fromFile.get(file) ?? 0] ?? 0);
      if (counted > most) [best, most] = [index, counted];
    }
    for (const place of waiting.splice(best, 1)) {
      chosen.push(place);
      fromFile.set(place.file, (fromFile.get(place.file) ?? 0) + 1);
    }
  }
  return chosen;
}

/** Of what is not shown, the lines that tell most, not next to each other. */
function bestLinesOf(
  { content, chunk, startLine, endLine }: Place,
  weightOf: (line: string) => number,
): [number, string][] {
  const found: { line: number; text: string; weight: number }[] = [];
  for (let at = Math.max(startLine, chunk.symbol?.line ?? 0); at < endLine; at++) {
    const text = content.lines[at] ?? "";
    const weight = isComment(text) ? 0 : weightOf(text);
    if (weight > 0) found.push({ line: at + 1, text: text.trim(), weight });
  }
  const chosen: typeof found = [];
  for (const one of found.sort((x, y) => y.weight - x.weight || x.line - y.line)) {
    if (chosen.length === mostBestLines) break;
    if (chosen.every(({ line }) => Math.abs(line - one.line) > 5)) chosen.push(one);
  }
  const [best] = chosen;
  return chosen
    .sort((x, y) => (x === best ? -1 : y === best ? 1 : x.line - y.line))
    .map(({ line, text }) => [line, text]);
}

function shown(
  place: Place,
  most: number,
  weightOf: ((line: string) => number) | undefined,
): Omit<FoundPlace, "bestLines" | "share"> {
  const { file, content, chunk, score, startLine, endLine } = place;
  const { symbol } = chunk;
  const members = endLine - startLine >= most && most >= 40 ? membersOf(content, chunk) : [];
  // A long type: its head and the list of its members instead of a stretch out of its middle.
  const [first] = members;
  const head = first ? Math.min(endLine, firstChunkEnd(content, chunk), first.startLine - 1) : endLine;
  const end = Math.max(startLine, head);
  const lines = symbol
    ? shownLines(content.lines, [startLine, end], most, weightOf)
    : bestLines(content.lines, [startLine, end], otherLines, weightOf);
  return {
    file,
    startLine,
    endLine,
    ...(symbol && {
      ...{ symbol: qualifiedName(symbol), kind: symbol.kind, signature: symbol.signature },
      line: symbol.line,
    }),
    score,
    lines,
    text: lines.flatMap(([from, to]) => content.lines.slice(from - 1, to)).join("\n"),
    ...(first && { members: memberLines(members) }),
  };
}

function firstChunkEnd({ chunks }: PreparedFile, { declaration, endLine }: PreparedChunk): number {
  return chunks.find((chunk) => chunk.declaration === declaration)?.endLine ?? endLine;
}

function membersOf(
  { declarations }: PreparedFile,
  { declaration, symbol }: PreparedChunk,
): readonly Declaration[] {
  if (declaration === undefined || !symbol || !typeKinds.has(symbol.kind)) return [];
  return declarations.filter((one) => one.parent === declaration && one.kind !== "field");
}

function memberLines(members: readonly Declaration[]): string[] {
  const rest = members.length - mostMembers;
  return [
    ...members
      .slice(0, mostMembers)
      .map(({ line, endLine, signature }) => `${line}-${endLine} ${signature.slice(0, 110)}`),
    ...(rest > 0 ? [`… ${rest} more members`] : []),
  ];
}
