import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { createService } from "../service.ts";
import { type SearchProvider, tidyResults } from "./provider.ts";

const answer = z.object({
  results: z.array(z.object({ title: z.string().catch(""), url: z.string(), content: z.string().catch("") })),
  /** Pairs of engine and trouble, such as `["google", "CAPTCHA"]`. */
  unresponsive_engines: z.array(z.array(z.string())).catch([]),
});

export function searxngSearch(settings: { url: string }): SearchProvider {
  const service = createService("SearXNG", settings.url);
  return {
    name: "searxng",
    url: service.url,
    async search(query, count, signal) {
      const parameters = new URLSearchParams({ q: query, format: "json" });
      const path = `search?${parameters}`;
      const found = await service.json(path, answer, { signal }).catch((thrown) => {
        if (thrown instanceof Failure && thrown.code === "UNAVAILABLE") throw formatNotEnabled();
        throw thrown;
      });
      if (found.results.length === 0 && found.unresponsive_engines.length > 0) {
        const troubles = found.unresponsive_engines.map((pair) => pair.join(": ")).join("; ");
        throw new Failure(
          "LIMIT_EXCEEDED",
          `None of SearXNG's engines answered (${troubles}). That is not the same as no results. Try again later.`,
        );
      }
      return tidyResults(
        found.results.map(({ title, url, content }) => ({ title, url, snippet: content })),
        count,
      );
    },
  };
}

function formatNotEnabled(): Failure {
  return new Failure(
    "UNAVAILABLE",
    "SearXNG refuses to answer in JSON. Add 'json' to search.formats in its settings.yml and restart it.",
  );
}
