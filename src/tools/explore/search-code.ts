import { z } from "zod";
import type { FoundPlace } from "../../code/search/places.ts";
import type { LineRange } from "../../code/search/shown-lines.ts";
import { limitOf } from "../../code/syntax/parse-limit.ts";
import { qualifiedName } from "../../code/syntax/syntax.ts";
import { codeLines, cutLine, numbered } from "../../text/code-lines.ts";
import { estimateTokens } from "../../text/tokens.ts";
import { visibleText } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { type Code, codeOptions } from "./code-answers.ts";
import { excludeInput, excludes } from "./excluded-files.ts";
import { below } from "./inputs.ts";
import { calledIn } from "./named-callees.ts";

/** Places shown with their code; places named with the line that fits best; places named. */
const withBody = 1;
const withLine = 14;
const withName = 18;
/** Places in a conversation, where all that is told is sent again with each step, and the last ones are not read. */
const inConversation = 11;
/** Files after these are named in one line each, with the function that fits best. */
const mainFiles = 7;
/** The line that fits best is cut here. */
const widestLine = 90;
const widestOfStretch = 60;
/** A line of the code of a clear winner. */
const widestOfCode = 240;
/** A function with this many lines is represented by several of them. */
const longFunction = 100;
/** The best place is shown when it fits so much better than the next one. A long function is not: what is cut is read again. */
const clearlyBest = 1.2;
const shortFunction = 40;
/** A place that fits less well than this share of the best is named without its line. */
const fitsWell = 0.5;
/**
 * Where none of the first places speaks of so much of the question, nothing fits it well; below the second, none is shown with its
 * code. Of 100 questions that have an answer, 4 are said to have none, of 100 that have none, 88 (bench/search-fit.ts).
 */
const share = { fits: 0.35, isShown: 0.5 };
const judgedPlaces = 5;
/** Places that are listed where nothing fits well: a question in many words may be answered by a place that has few of them. */
const nearest = 8;
/** Functions that are told with what they call; a function of so few lines is not worth its name. */
const mostWithCalls = 3;
const mostCalls = 5;
const trivial = 4;
const linesAround = 15;
/** After so much work no further function is looked into. */
const patienceMs = 4_000;
/** With fewer names, stretches that declare nothing are told, too. */
const fewNames = 4;
/** Of the budget, what is kept for the names. */
const shareOfNames = 0.4;

const output = z.object({
  chunks: z.array(
    z.object({
      file: z.string(),
      startLine: z.number(),
      endLine: z.number(),
      symbol: z.string().optional(),
      line: z.number().optional().describe("Where the symbol is declared, below comments and decorators"),
      signature: z.string().optional(),
      score: z.number(),
      share: z.number().describe("How much of the question it speaks of, at most 1"),
      snippet: z.string(),
      lines: z
        .array(z.tuple([z.number(), z.number()]))
        .describe("The lines that the snippet shows, as first and last"),
      bestLines: z
        .array(z.tuple([z.number(), z.string()]))
        .describe("The lines that fit the question best, with their numbers, beyond the first one"),
      members: z.array(z.string()).optional().describe("Of a long type, one line each"),
      calls: z
        .array(z.object({ name: z.string(), length: z.number() }))
        .optional()
        .describe("Of the best functions: what they call, with the number of its lines"),
    }),
  ),
});
type Chunk = z.infer<typeof output>["chunks"][number];

export const searchCodeTool = (code: Code) =>
  defineTool({
    name: "search_code",
    title: "Search code",
    description:
      "Where to look for a question in words, an error message or an issue text: places with their best line, and the code of a clear winner.",
    brief: {
      description: "Functions for a question in words: line name (lines), best line, → calls.",
      input: z.object({ query: z.string() }),
    },
    category: "Search",
    input: z.object({
      query: z.string().trim().min(1).max(20_000),
      path: below,
      exclude: excludeInput,
      limit: z.int().min(1).max(50).default(20),
    }),
    output,
    budget: 1_500,
    can: ["read"],
    idempotent: true,
    effects: ({ path }) => [{ kind: "read", path }],
    execute: async ({ query, path, exclude, limit }, context) => {
      const isExcluded = excludes(exclude);
      const place = await context.workspace.resolve(path);
      const most = context.topic === undefined ? limit : Math.min(limit, inConversation);
      const found = await (await code()).search(
        query,
        { path: place.path, limit: most },
        { ...codeOptions(context), mayRead: (file) => context.mayRead(file) && !isExcluded(file) },
      );
      return { chunks: await withCalls(code, found.map(chunkOf), context) };
    },
    render: ({ chunks }, { query }) =>
      chunks.length === 0
        ? `Nothing found for ${JSON.stringify(query.slice(0, 80))}. Try other words, or grep for an exact text.`
        : [(budget) => (isFitting(chunks) ? listing(chunks, budget) : nearestOf(chunks, query, budget))],
    examples: [
      { title: "By what it does", input: { query: "where are expired sessions removed" } },
      { title: "In one directory", input: { query: "retry backoff", path: "src/http" } },
    ],
  });

const isFitting = (chunks: readonly Chunk[]) =>
  chunks.slice(0, judgedPlaces).some((chunk) => chunk.share >= share.fits);

function listing(chunks: readonly Chunk[], budget: number): string {
  return answerParts(chunks, budget)
    .map(({ text }) => text)
    .join("\n");
}

/** What shares a word or two with the question is no answer, but may be where to go on. */
function nearestOf(chunks: readonly Chunk[], query: string, budget: number): string {
  const head = `Nothing fits ${JSON.stringify(query.slice(0, 80))} well: no place speaks of more than a part of it. Nearest:`;
  return `${head}\n${listing(chunks.slice(0, nearest), budget - estimateTokens(head))}`;
}

export function chunkOf(place: FoundPlace): Chunk {
  const { file, startLine, endLine, symbol, line, signature, score, share, lines } = place;
  const { text, bestLines, members } = place;
  return {
    file,
    startLine,
    endLine,
    ...(symbol && { symbol, line }),
    ...(signature && { signature }),
    score: Math.round(score * 100) / 100,
    share: Math.round(share * 100) / 100,
    snippet: text,
    lines,
    bestLines,
    ...(members && { members }),
  };
}

interface Part {
  file: string;
  text: string;
  hasCode: boolean;
}

/** The best places with their code, as long as it fits, then the names of others, those of one file together. */
export function answerParts(chunks: readonly Chunk[], budget: number): Part[] {
  const parts: Part[] = [];
  let left = budget;
  const add = (part: Part, reserve: number): boolean => {
    const cost = estimateTokens(part.text) + 1;
    if (cost > left - reserve) return false;
    parts.push(part);
    left -= cost;
    return true;
  };
  const [best, second] = chunks;
  const isClear =
    best !== undefined &&
    best.share >= share.isShown &&
    best.score >= (second?.score ?? 0) * clearlyBest &&
    (!best.symbol || best.members !== undefined || best.endLine - best.startLine < shortFunction);
  const listedNames = new Set(chunks.map(({ symbol }) => symbol));
  const others: Chunk[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const isShown =
      index < withBody &&
      isClear &&
      [Number.POSITIVE_INFINITY, 40, 20].some((most) =>
        add(
          { file: chunk.file, text: withCode(chunk, most, listedNames), hasCode: true },
          budget * shareOfNames,
        ),
      );
    if (!isShown) others.push(chunk);
  }
  // Declarations say more in one line than the passages between them.
  const declared = others.filter(({ symbol }) => symbol);
  const stretches = declared.length < fewNames ? others.filter(({ symbol }) => !symbol) : [];
  const listed = [...declared, ...stretches].slice(0, withName);
  const lines = new Map(
    listed.map((chunk, index) => [
      chunk,
      index < withLine && chunk.score >= (best?.score ?? 0) * fitsWell
        ? [
            named(chunk),
            ...linesOf(chunk).map((line) => `  ${line}`),
            ...callsOf(chunk, listedNames).map((calls) => `  ${calls}`),
          ].join("\n")
        : named(chunk),
    ]),
  );
  for (const [at, [file, group]] of [...Map.groupBy(listed, (chunk) => chunk.file)].entries()) {
    const [first] = group;
    const text =
      at < mainFiles
        ? [file, ...group.map((chunk) => ` ${lines.get(chunk)}`)].join("\n")
        : `${file}:${first ? named(first) : ""}`;
    add({ file, text, hasCode: false }, 0);
  }
  return parts;
}

/** The best functions with what they call: the next reading is then chosen by name. */
async function withCalls(code: Code, chunks: readonly Chunk[], context: ToolContext): Promise<Chunk[]> {
  const limit = limitOf(patienceMs);
  const best = chunks.filter(
    ({ symbol, score, endLine, startLine }) =>
      symbol && endLine > startLine && score >= (chunks[0]?.score ?? 0) * fitsWell,
  );
  const told: Chunk[] = [];
  for (const chunk of chunks) {
    if (!best.slice(0, mostWithCalls).includes(chunk) || limit()) {
      told.push(chunk);
      continue;
    }
    const called = (
      await Promise.all(rangesOf(chunk).map((range) => calledIn(code, chunk.file, range, context)))
    ).flat();
    const calls = new Map<string, number>();
    for (const {
      callee: { declaration },
      certain,
    } of called) {
      const length = declaration.endLine - declaration.startLine + 1;
      const name = qualifiedName(declaration);
      if (certain && length > trivial && name !== chunk.symbol) calls.set(name, length);
    }
    told.push({
      ...chunk,
      ...(calls.size > 0 && { calls: [...calls].map(([name, length]) => ({ name, length })) }),
    });
  }
  return told;
}

/** Of a long function, the lines around those that fit best. */
function rangesOf({ startLine, endLine, bestLines }: Chunk): LineRange[] {
  if (endLine - startLine < longFunction) return [[startLine, endLine]];
  return bestLines.map(([line]) => [
    Math.max(startLine, line - linesAround),
    Math.min(endLine, line + linesAround),
  ]);
}

/** Name and range, then the lines, at most so many, with their numbers. */
function withCode(chunk: Chunk, most: number, listed: ReadonlySet<string | undefined>): string {
  const { file, startLine, endLine, symbol, members } = chunk;
  const shown = codeLines(numberedLines(chunk).slice(0, most), {
    first: startLine,
    last: endLine,
    widest: widestOfCode,
  }).map(({ text }) => text);
  return [
    `${file}:${startLine}-${endLine}${symbol ? ` ${symbol}` : ""}`,
    ...(members ? [...shown.slice(0, -1), `${shown.at(-1)}; members:`, ...members] : shown),
    ...callsOf(chunk, listed),
    "",
  ].join("\n");
}

function numberedLines({ snippet, lines }: Chunk) {
  const texts = snippet.split("\n");
  let next = 0;
  return lines.flatMap(([first, last]) => {
    const part = texts.slice(next, next + last - first + 1);
    next += part.length;
    return numbered(part, first);
  });
}

/** `15: text`, without its indentation: the line that fits best, of a long function several. */
function linesOf({ bestLines, startLine, endLine }: Chunk): string[] {
  const isLong = endLine - startLine >= longFunction;
  return (isLong ? bestLines : bestLines.slice(0, 1)).map(
    ([line, text]) => `${line}: ${cutLine(visibleText(text), widestLine)}`,
  );
}

/** `→ name (length), …`: what it calls and what is not listed for itself. */
function callsOf({ calls = [] }: Chunk, listed: ReadonlySet<string | undefined>): string[] {
  const told = calls.filter(({ name }) => !listed.has(name)).slice(0, mostCalls);
  return told.length > 0 ? [`→ ${told.map(({ name, length }) => `${name} (${length})`).join(", ")}`] : [];
}

function named(chunk: Chunk): string {
  const { startLine, endLine, line = startLine, symbol } = chunk;
  // A name invites reading just that; a range, everything between two of them.
  if (symbol) return `${line} ${symbol} (${endLine - line + 1})`;
  const first = numberedLines(chunk).find(
    ({ line }) => /\w/.test(line) && !/^\s*(?:\/\/|\/?\*|#|"""|import\b|from\b|package\b)/.test(line),
  );
  const text = first
    ? `\n  ${first.number}: ${cutLine(visibleText(first.line.trim()), widestOfStretch)}`
    : "";
  return `${startLine}-${endLine}${text}`;
}
