import { z } from "zod";
import type { Discovery } from "../../discovery/discovery.ts";
import { cardOf, type ToolCard } from "../../discovery/tool-card.ts";
import { fitLines } from "../../text/fit-lines.ts";
import { estimateTokens } from "../../text/tokens.ts";
import { defineTool } from "../../tool/define-tool.ts";

const output = z.object({
  query: z.string(),
  results: z.array(
    z.object({
      name: z.string(),
      category: z.string(),
      description: z.string(),
      parameters: z.string(),
      usage: z.string(),
      relatedSkill: z.string().nullable(),
    }),
  ),
  allCategories: z.array(z.string()).optional().describe("Only when nothing was found"),
  message: z.string().optional(),
});

export type ToolFinder = Pick<Discovery, "discover" | "search" | "categories">;

/**
 * `describesFound`: whoever searches gets the schemas of what was found besides, so the text need not repeat them; `inFull`:
 * it does all the same; `readsSkills`: whether whoever searches has the tool that reads the skills of what was found.
 */
export const searchTools = (
  discovery: ToolFinder,
  {
    describesFound = false,
    inFull = !describesFound,
    readsSkills = () => true,
  }: { describesFound?: boolean; inFull?: boolean | undefined; readsSkills?: () => boolean } = {},
) =>
  defineTool({
    name: "searchTools",
    title: "Search tools",
    description:
      "Find tools that are not described here, by what you want to do, a sentence for each capability. Returns their parameters.",
    brief: {
      description: "Finds more tools (git log, tree, …) by what they do.",
      input: z.object({ query: z.string() }),
    },
    category: "Discovery",
    reveals: "nothing",
    input: z.object({
      query: z.string().min(1).max(2000),
      limit: z.int().min(1).max(20).default(5),
      category: z.string().optional(),
    }),
    output,
    idempotent: true,
    // Five built-in tools in full; only larger schemas and longer lists are shortened.
    budget: 900,
    execute: async ({ query, limit, category }) => {
      const note = withoutTool(query);
      if (describesFound && note !== undefined && isShort(query))
        return { query, results: [], message: note };
      const found = discovery.discover(query, { limit, ...(category !== undefined && { category }) });
      if (found.length > 0) {
        const cards = found.map(cardOf);
        const results = readsSkills() ? cards : cards.map((card) => ({ ...card, relatedSkill: null }));
        return { query, results, ...(note !== undefined && { message: note }) };
      }
      const known = describesFound ? discovery.search(query, { limit: 3 }).map(({ name }) => name) : [];
      if (known.length > 0 || note !== undefined) {
        const described = known.length > 0 ? `Already described to you: ${known.join(", ")}.` : "";
        const message = [note ?? "No other tool fits.", described].filter((text) => text !== "").join(" ");
        return { query, results: [], message };
      }
      return {
        query,
        results: [],
        allCategories: discovery.categories(),
        message: "No matching tools found. Try searching by category.",
      };
    },
    render: ({ results, allCategories = [], message = "" }) =>
      results.length > 0
        ? [
            ...(inFull ? [] : [listed(results, message)]),
            (budget) => [inLadder(results, budget), ...(message ? [message] : [])].join("\n"),
          ]
        : [
            (budget) =>
              fitLines(
                [message, ...allCategories.map((c) => `- ${c}`)],
                budget,
                (shown) => `… ${allCategories.length + 1 - shown} more categories`,
              ),
          ],
    examples: [
      { title: "One capability", input: { query: "browser" } },
      { title: "Two at once", input: { query: "Run Python code. Get the weather.", limit: 6 } },
    ],
  });

/** What models search for that needs no separate tool. */
const besides: readonly { words: RegExp; say: string }[] = [
  {
    words: /\b(lint(er|ing)?|type[ -]?check(er|ing|s)?|type errors?|diagnostics?)\b/i,
    say: "Type errors and lint: the project's checkers run by themselves after each change and tell what is new. For everything, run_code with the project's own command (npx tsc --noEmit, npx eslint ., ruff check .).",
  },
];

/** It asks for one thing only. */
const isShort = (query: string) => query.trim().split(/\s+/).length <= 9;

function withoutTool(query: string): string | undefined {
  return besides.find(({ words }) => words.test(query))?.say;
}

/** A line each: the schemas come with the tools themselves. */
function listed(results: readonly ToolCard[], message: string): string {
  return [
    ...results.map((card) => `${inLine(card)}${card.relatedSkill === null ? "" : ` (${card.relatedSkill})`}`),
    "They are described with your tools from now on: call them.",
    ...(message ? [message] : []),
  ].join("\n");
}

/** In full while they fit, then a line each, then how many were left out. */
function inLadder(results: readonly ToolCard[], budget: number): string {
  const lines = results.map(inLine);
  const rest = (from: number) => lines.slice(from).reduce((sum, line) => sum + estimateTokens(line) + 1, 0);
  const parts: string[] = [];
  let spent = 0;
  let full = true;
  for (const [at, card] of results.entries()) {
    const whole = wholeCard(card);
    full &&= spent + estimateTokens(whole) + 1 + rest(at + 1) <= budget;
    const part = full ? whole : (lines[at] ?? "");
    spent += estimateTokens(part) + 1;
    parts.push(part);
  }
  const narrower = (shown: number) =>
    `… ${results.length - shown} more: search with fewer words or a smaller limit`;
  return spent <= budget ? parts.join("\n") : fitLines(parts, budget, narrower);
}

function wholeCard({ name, category, description, parameters, usage, relatedSkill }: ToolCard): string {
  return [
    `${name} (${category}): ${description}`,
    ...(parameters === "none" ? [] : parameters.split("\n").map((line) => `  ${line}`)),
    `  e.g. ${usage}`,
    ...(relatedSkill === null ? [] : [`  ${relatedSkill}`]),
  ].join("\n");
}

function inLine({ name, description }: ToolCard): string {
  const first = description.split(/(?<=[.!?])\s/)[0] ?? "";
  return `${name}: ${first.length > 100 ? `${first.slice(0, 99)}…` : first}`;
}
