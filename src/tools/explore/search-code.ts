import { z } from "zod";
import type { FoundChunk } from "../../code/search/search.ts";
import { estimateTokens } from "../../text/tokens.ts";
import { visibleText } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import { type Code, codeOptions, notice } from "./code-answers.ts";

const snippetLines = 14;
/** The first ones are most likely meant; of the others, enough lines to see what they are. */
const fullSnippets = 3;
const shortLines = 5;

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
    }),
  ),
  notice: z.string().optional(),
});
type Chunk = z.infer<typeof output>["chunks"][number];

export const searchCodeTool = (code: Code) =>
  defineTool({
    name: "search_code",
    title: "Search code",
    description:
      "Find the code that a question is about, ranked: words, names, an error message or a whole issue text. Returns the best places with their code, further ones as signatures. Start here when you do not know any exact name.",
    category: "Search",
    input: z.object({
      query: z
        .string()
        .trim()
        .min(1)
        .max(20_000)
        .describe("Words or names that describe the code, for example: retry with backoff on 429"),
      path: pathInput("Only below this directory").default("."),
      limit: z.int().min(1).max(50).default(20),
    }),
    output,
    budget: 2_000,
    can: ["read"],
    idempotent: true,
    effects: ({ path }) => [{ kind: "read", path }],
    execute: async ({ query, path, limit }, context) => {
      const place = await context.workspace.resolve(path);
      const { found, coverage } = await (await code()).search(
        query,
        { path: place.path, limit },
        codeOptions(context),
      );
      const note = notice(coverage, "answered by the words of all files, those not parsed yet cut by lines");
      return { chunks: found.map(chunkOf), ...(note && { notice: note }) };
    },
    render: ({ chunks, notice: note }, { query }) => {
      const notes = note ? [note] : [];
      if (chunks.length === 0)
        return [
          `Nothing found for ${JSON.stringify(query.slice(0, 80))}. Try other words, or grep for an exact text.`,
          ...notes,
        ].join("\n");
      return [
        (budget) => {
          const left = budget - notes.reduce((sum, line) => sum + estimateTokens(line) + 1, 0);
          return [...ladder(chunks, left).map(({ text }) => text), ...notes].join("\n");
        },
      ];
    },
    examples: [
      { title: "By what it does", input: { query: "where are expired sessions removed" } },
      { title: "In one directory", input: { query: "retry backoff", path: "src/http" } },
    ],
  });

export function chunkOf({ file, startLine, endLine, symbol, signature, score, text }: FoundChunk): Chunk {
  return {
    file,
    startLine,
    endLine,
    ...(symbol && { symbol }),
    ...(signature && { signature }),
    score: Math.round(score * 100) / 100,
    snippet: visibleText(text.split("\n").slice(0, snippetLines).join("\n")),
  };
}

interface Part {
  file: string;
  text: string;
  hasCode: boolean;
}

/** The best with code as long as seven eighths of the budget last, the next as signatures, the rest as places. */
export function ladder(chunks: readonly Chunk[], budget: number): Part[] {
  const parts: Part[] = [];
  let left = budget;
  let at = 0;
  const each = (print: (chunk: Chunk, at: number) => string, reserve: number, hasCode = false) => {
    for (; at < chunks.length; at++) {
      const chunk = chunks[at] as Chunk;
      const text = print(chunk, at);
      const cost = estimateTokens(text) + 1;
      if (cost > left - reserve) return;
      parts.push({ file: chunk.file, text, hasCode });
      left -= cost;
    }
  };
  each((chunk, i) => withCode(chunk, i < fullSnippets ? snippetLines : shortLines), budget / 8, true);
  each(asSignature, budget / 20);
  each(({ file, startLine }) => `${file}:${startLine}`, 0);
  return parts;
}

const place = ({ file, startLine, endLine, symbol }: Chunk) =>
  `${file}:${startLine}-${endLine}${symbol ? ` ${symbol}` : ""}`;

function withCode(chunk: Chunk, most: number): string {
  const lines = chunk.snippet
    .split("\n")
    .slice(0, most)
    .map((line) => line.slice(0, 160));
  const hidden = chunk.endLine - chunk.startLine + 1 - lines.length;
  return [place(chunk), ...lines, ...(hidden > 0 ? [`… ${hidden} more lines`] : [])].join("\n");
}

const asSignature = (chunk: Chunk) =>
  `${chunk.file}:${chunk.startLine}-${chunk.endLine} ${chunk.signature ?? chunk.snippet.trimStart().split("\n")[0]?.slice(0, 100) ?? ""}`;
