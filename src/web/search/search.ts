import type { SearchSettings } from "../web-settings.ts";
import { braveSearch } from "./brave.ts";
import { duckDuckGoSearch } from "./duckduckgo.ts";
import { exaSearch } from "./exa.ts";
import type { SearchProvider } from "./provider.ts";
import { searxngSearch } from "./searxng.ts";
import { tavilySearch } from "./tavily.ts";

/** The first that is configured; without any, the one that needs no key. */
export function chooseSearch(settings: SearchSettings): SearchProvider {
  if (settings.tavily) return tavilySearch(settings.tavily);
  if (settings.exa) return exaSearch(settings.exa);
  if (settings.brave) return braveSearch(settings.brave);
  if (settings.searxng) return searxngSearch(settings.searxng);
  return duckDuckGoSearch(settings.duckduckgo ?? {});
}
