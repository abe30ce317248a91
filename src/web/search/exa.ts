import { z } from "zod";
import { createService } from "../service.ts";
import { type SearchProvider, tidyResults } from "./provider.ts";

const answer = z.object({
  results: z.array(
    z.object({
      title: z.string().nullish(),
      url: z.string(),
      text: z.string().nullish(),
      highlights: z.array(z.string()).nullish(),
    }),
  ),
});

export function exaSearch(settings: { key: string; url?: string | undefined }): SearchProvider {
  const service = createService("Exa", settings.url ?? "https://api.exa.ai", "EXA_API_KEY");
  return {
    name: "exa",
    url: service.url,
    async search(query, count, signal) {
      const { results } = await service.json("search", answer, {
        method: "POST",
        headers: { "x-api-key": settings.key, "content-type": "application/json" },
        body: JSON.stringify({ query, numResults: count, contents: { text: { maxCharacters: 400 } } }),
        signal,
      });
      return tidyResults(
        results.map(({ title, url, text, highlights }) => ({
          title: title ?? "",
          url,
          snippet: highlights?.join(" … ") || (text ?? ""),
        })),
        count,
      );
    },
  };
}
