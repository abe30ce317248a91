import { z } from "zod";
import { braveSearch } from "./brave.ts";
import { duckDuckGoSearch } from "./duckduckgo.ts";
import { exaSearch } from "./exa.ts";
import type { SearchProvider } from "./provider.ts";
import { searxngSearch } from "./searxng.ts";
import { tavilySearch } from "./tavily.ts";

const service = z.strictObject({
  key: z.string().min(1),
  url: z.url().optional().describe("Where it is reached, when not at its usual place"),
});

export const searchSettings = z
  .strictObject({
    tavily: service.optional(),
    exa: service.optional(),
    brave: service.optional(),
    searxng: z.strictObject({ url: z.url() }).optional(),
    duckduckgo: z.strictObject({ url: z.url() }).optional(),
  })
  .describe("Search providers; the first of them that is set is used, DuckDuckGo without any");
export type SearchSettings = z.output<typeof searchSettings>;

/** The first that is configured; without any, the one that needs no key. */
export function chooseSearch(settings: SearchSettings): SearchProvider {
  if (settings.tavily) return tavilySearch(settings.tavily);
  if (settings.exa) return exaSearch(settings.exa);
  if (settings.brave) return braveSearch(settings.brave);
  if (settings.searxng) return searxngSearch(settings.searxng);
  return duckDuckGoSearch(settings.duckduckgo ?? {});
}
