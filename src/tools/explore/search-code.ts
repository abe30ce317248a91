import { z } from "zod";
import type { FoundPlace } from "../../code/search/places.ts";
import { estimateTokens } from "../../text/tokens.ts";
import { visibleText } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { type Code, codeOptions } from "./code-answers.ts";
import { below } from "./inputs.ts";
import { numberedRanges } from "./numbered-ranges.ts";

/** Places shown with their code, and places told by one line each. */
const withBody = 3;
const withSignature = 8;
/** A place that fits so much less than the best one is not worth its code. */
const worthCode = 0.45;

const output = z.object({
  chunks: z.array(
    z.object({
      file: z.string(),
      startLine: z.number(),
      endLine: z.number(),
      symbol: z.string().optional(),
      signature: z.string().optional(),
      score: z.number(),
      snippet: z.string(),
      lines: z
        .array(z.tuple([z.number(), z.number()]))
        .describe("The lines that the snippet shows, as first and last"),
      members: z.array(z.string()).optional().describe("Of a long type, one line each"),
    }),
  ),
  calls: z
    .array(z.object({ name: z.string(), file: z.string(), startLine: z.number(), endLine: z.number() }))
    .describe("Functions that the first places call, declared elsewhere"),
  notice: z.string().optional(),
});
type Value = z.infer<typeof output>;
type Chunk = Value["chunks"][number];

export const searchCodeTool = (code: Code) =>
  defineTool({
    name: "search_code",
    title: "Search code",
    description:
      "Code for a question in words, an error message or an issue text: the best functions with their code, then other places.",
    category: "Search",
    input: z.object({
      query: z.string().trim().min(1).max(20_000),
      path: below,
      limit: z.int().min(1).max(50).default(20),
    }),
    output,
    budget: 3_000,
    can: ["read"],
    idempotent: true,
    effects: ({ path }) => [{ kind: "read", path }],
    execute: async ({ query, path, limit }, context) => {
      const place = await context.workspace.resolve(path);
      const { found, called, unparsed } = await (await code()).search(
        query,
        { path: place.path, limit },
        codeOptions(context),
      );
      return {
        chunks: found.map(chunkOf),
        calls: called.map(({ name, file, startLine, endLine }) => ({ name, file, startLine, endLine })),
        ...(unparsed > 0 && {
          notice: `${unparsed} of the candidate files are not parsed yet and are cut by lines; ask again for whole functions.`,
        }),
      };
    },
    render: (value, { query }) => {
      const notes = value.notice ? [value.notice] : [];
      if (value.chunks.length === 0)
        return [
          `Nothing found for ${JSON.stringify(query.slice(0, 80))}. Try other words, or grep for an exact text.`,
          ...notes,
        ].join("\n");
      return [
        (budget) => {
          const left = budget - notes.reduce((sum, line) => sum + estimateTokens(line) + 1, 0);
          return [...answerParts(value, left).map(({ text }) => text), ...notes].join("\n");
        },
      ];
    },
    examples: [
      { title: "By what it does", input: { query: "where are expired sessions removed" } },
      { title: "In one directory", input: { query: "retry backoff", path: "src/http" } },
    ],
  });

export function chunkOf(place: FoundPlace): Chunk {
  const { file, startLine, endLine, symbol, signature, score, lines, text, members } = place;
  return {
    file,
    startLine,
    endLine,
    ...(symbol && { symbol }),
    ...(signature && { signature }),
    score: Math.round(score * 100) / 100,
    snippet: visibleText(text),
    lines,
    ...(members && { members }),
  };
}

interface Part {
  file: string;
  text: string;
  hasCode: boolean;
}

/** The best places with their code as long as three quarters of the budget last, others by one line, and what they call. */
export function answerParts({ chunks, calls }: Pick<Value, "chunks" | "calls">, budget: number): Part[] {
  const parts: Part[] = [];
  let left = budget;
  const add = (file: string, text: string, hasCode: boolean, reserve: number): boolean => {
    const cost = estimateTokens(text) + 1;
    if (cost > left - reserve) return false;
    parts.push({ file, text, hasCode });
    left -= cost;
    return true;
  };
  const best = chunks[0]?.score ?? 0;
  const others: Chunk[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const isShown =
      index < withBody &&
      chunk.score >= best * worthCode &&
      [Number.POSITIVE_INFINITY, 24, 10].some((most) =>
        add(chunk.file, withCode(chunk, most), true, budget / 4),
      );
    if (!isShown) others.push(chunk);
  }
  // Declarations tell more in one line than the stretches between them.
  const declared = others.filter(({ symbol }) => symbol);
  const listed = [...declared, ...others.filter(({ symbol }) => !symbol)].slice(0, withSignature);
  for (const chunk of listed) add(chunk.file, asLine(chunk), false, 0);
  const known = new Set(
    chunks.slice(0, withBody + withSignature).map(({ file, symbol }) => `${file} ${symbol}`),
  );
  const further = calls.filter(({ file, name }) => !known.has(`${file} ${name}`));
  if (further.length > 0)
    add("", `calls: ${further.map((one) => `${one.name} ${rangeOf(one)}`).join(", ")}`, false, 0);
  return parts;
}

const rangeOf = ({ file, startLine, endLine }: { file: string; startLine: number; endLine: number }) =>
  `${file}:${startLine}-${endLine}`;

/** Name and range, then the lines with their numbers; `…` where some are left out. */
function withCode(chunk: Chunk, most: number): string {
  return [
    `${rangeOf(chunk)}${chunk.symbol ? ` ${chunk.symbol}` : ""}`,
    ...numberedRanges(chunk.snippet.split("\n"), chunk.lines, {
      most,
      end: chunk.members ? undefined : chunk.endLine,
    }),
    ...(chunk.members ? ["members:", ...chunk.members] : []),
    "",
  ].join("\n");
}

function asLine(chunk: Chunk): string {
  const first = () =>
    chunk.snippet
      .split("\n")
      .map((line) => line.trim())
      .find((line) => /\w/.test(line) && !/^(?:\/\/|\/?\*|#|"""|import\b|from\b|package\b)/.test(line));
  const owner = chunk.symbol?.includes(".")
    ? `${chunk.symbol.slice(0, chunk.symbol.lastIndexOf("."))}: `
    : "";
  return `${rangeOf(chunk)} ${owner}${(chunk.signature ?? first() ?? "").slice(0, 110)}`;
}
