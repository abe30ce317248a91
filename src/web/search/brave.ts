import { z } from "zod";
import { createService } from "../service.ts";
import { type SearchProvider, tidyResults } from "./provider.ts";

const answer = z.object({
  // Left out altogether when nothing was found.
  web: z
    .object({
      results: z.array(
        z.object({ title: z.string().catch(""), url: z.string(), description: z.string().catch("") }),
      ),
    })
    .optional(),
});

export function braveSearch(settings: { key: string; url?: string | undefined }): SearchProvider {
  const service = createService(
    "Brave Search",
    settings.url ?? "https://api.search.brave.com",
    "BRAVE_API_KEY",
  );
  return {
    name: "brave",
    url: service.url,
    async search(query, count, signal) {
      const parameters = new URLSearchParams({ q: query, count: String(Math.min(count, 20)) });
      const { web } = await service.json(`res/v1/web/search?${parameters}`, answer, {
        headers: { "x-subscription-token": settings.key },
        signal,
      });
      return tidyResults(
        (web?.results ?? []).map(({ title, url, description }) => ({ title, url, snippet: description })),
        count,
      );
    },
  };
}
