import { z } from "zod";
import type { FoundChunk } from "../code/search.ts";
import { estimateTokens } from "../text/tokens.ts";
import { visibleText } from "../text/visible.ts";
import { defineTool } from "../tool/define-tool.ts";
import { type Code, codeOptions } from "./code-answers.ts";
import { pathInput } from "./path-input.ts";

const snippetLines = 14;

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
      const found = await (await code()).search(query, { path: place.path, limit }, codeOptions(context));
      return { chunks: found.map(chunkOf) };
    },
    render: ({ chunks }, { query }) => {
      if (chunks.length === 0)
        return `Nothing found for ${JSON.stringify(query.slice(0, 80))}. Try other words, or grep for an exact text.`;
      return [(budget) => ladder(chunks, budget)];
    },
    examples: [
      { title: "By what it does", input: { query: "where are expired sessions removed" } },
      { title: "In one directory", input: { query: "retry backoff", path: "src/http" } },
    ],
  });

function chunkOf({ file, startLine, endLine, symbol, signature, score, text }: FoundChunk): Chunk {
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

/** The best with code as long as four fifths of the budget last, the next as signatures, the rest as places. */
function ladder(chunks: readonly Chunk[], budget: number): string {
  const parts: string[] = [];
  let left = budget;
  const fits = (text: string, reserve: number) => {
    const cost = estimateTokens(text) + 1;
    if (cost > left - reserve) return false;
    parts.push(text);
    left -= cost;
    return true;
  };
  let at = 0;
  while (at < chunks.length && fits(withCode(chunks[at] as Chunk), budget / 5)) at++;
  while (at < chunks.length && fits(asSignature(chunks[at] as Chunk), budget / 20)) at++;
  const rest = new Set(chunks.slice(at).map(({ file, startLine }) => `${file}:${startLine}`));
  for (const place of rest) if (!fits(place, 0)) break;
  return parts.join("\n");
}

const place = ({ file, startLine, endLine, symbol }: Chunk) =>
  `${file}:${startLine}-${endLine}${symbol ? ` ${symbol}` : ""}`;

function withCode(chunk: Chunk): string {
  const lines = chunk.snippet.split("\n").map((line) => line.slice(0, 160));
  const hidden = chunk.endLine - chunk.startLine + 1 - lines.length;
  return [place(chunk), ...lines, ...(hidden > 0 ? [`… ${hidden} more lines`] : [])].join("\n");
}

const asSignature = (chunk: Chunk) =>
  `${chunk.file}:${chunk.startLine}-${chunk.endLine} ${chunk.signature ?? chunk.snippet.trimStart().split("\n")[0]?.slice(0, 100) ?? ""}`;
