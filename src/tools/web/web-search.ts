import { z } from "zod";
import { fitLines } from "../../text/fit-lines.ts";
import { fenceUntrusted, untrustedFrom } from "../../text/untrusted.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { searchVariables } from "../../web/search/provider.ts";
import type { Web } from "../../web/web.ts";
import { provenanceOutput } from "./web-content.ts";

export const webSearch = (web: () => Web) =>
  defineTool({
    name: "web_search",
    title: "Search the web",
    description:
      "Search the web. Returns titles, URLs and snippets, best first; read a page with web_fetch or browseWeb.",
    category: "Web",
    input: z.object({
      query: z.string().min(1).max(500),
      numResults: z.int().min(1).max(20).default(5),
    }),
    output: z.object({
      results: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string() })),
      provider: z.string(),
      provenance: provenanceOutput,
    }),
    can: ["fetch"],
    idempotent: true,
    effects: () => [{ kind: "fetch", url: web().search().url, method: "GET" }],
    approval: "auto",
    execute: async ({ query, numResults }, { signal }) => {
      const provider = web().search();
      const results = await provider.search(query, numResults, signal);
      const provenance = untrustedFrom(provider.name, JSON.stringify(results));
      return { results, provider: provider.name, provenance };
    },
    render: ({ results, provider }, { query }) => {
      if (results.length === 0) {
        const more =
          provider === "duckduckgo" ? ` A person can set ${searchVariables} for another provider.` : "";
        return `No results for ${JSON.stringify(query)} (${provider}).${more}`;
      }
      const entries = results.map(
        ({ title, url, snippet }, index) =>
          `${index + 1}. ${title}\n   ${url}${snippet ? `\n   ${snippet}` : ""}`,
      );
      const short = results.map(({ title, url }, index) => `${index + 1}. ${title} ${url}`);
      const fenced = (lines: string[]) => fenceUntrusted(lines.join("\n"), `${provider} search`);
      return [
        fenced(entries),
        fenced(short),
        (budget) =>
          fenced([
            fitLines(short, budget - 60, (shown) => `… ${shown} of ${short.length} results; ask for fewer.`),
          ]),
      ];
    },
    examples: [
      { title: "Recent work on a subject", input: { query: "sqlite fts5 trigram tokenizer", numResults: 5 } },
    ],
  });
