import { z } from "zod";
import { createService } from "../service.ts";
import { type SearchProvider, tidyResults } from "./provider.ts";

const answer = z.object({
  results: z.array(z.object({ title: z.string().catch(""), url: z.string(), content: z.string().catch("") })),
});

export function tavilySearch(settings: { key: string; url?: string | undefined }): SearchProvider {
  const service = createService("Tavily", settings.url ?? "https://api.tavily.com", "TAVILY_API_KEY");
  return {
    name: "tavily",
    url: service.url,
    async search(query, count, signal) {
      const { results } = await service.json("search", answer, {
        method: "POST",
        headers: { authorization: `Bearer ${settings.key}`, "content-type": "application/json" },
        body: JSON.stringify({ query, max_results: Math.min(count, 20) }),
        signal,
      });
      return tidyResults(
        results.map(({ title, url, content }) => ({ title, url, snippet: content })),
        count,
      );
    },
  };
}
