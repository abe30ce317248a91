import { braveSearch } from "./brave.ts";
import { duckDuckGoSearch } from "./duckduckgo.ts";
import { exaSearch } from "./exa.ts";
import type { SearchProvider } from "./provider.ts";
import { searxngSearch } from "./searxng.ts";
import { tavilySearch } from "./tavily.ts";

/** What the user's settings say. `url` is where a service is reached, when not at its usual place. */
export interface SearchSettings {
  tavily?: { key: string; url?: string };
  exa?: { key: string; url?: string };
  brave?: { key: string; url?: string };
  searxng?: { url: string };
  duckduckgo?: { url: string };
}

/** The first that is configured; without any, the one that needs no key. */
export function chooseSearch(settings: SearchSettings): SearchProvider {
  if (settings.tavily) return tavilySearch(settings.tavily);
  if (settings.exa) return exaSearch(settings.exa);
  if (settings.brave) return braveSearch(settings.brave);
  if (settings.searxng) return searxngSearch(settings.searxng);
  return duckDuckGoSearch(settings.duckduckgo ?? {});
}
