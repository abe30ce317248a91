import { z } from "zod";
import { type BrowserSettings, usualBrowsers } from "./browser/launch.ts";
import { type GitHubSettings, gitHubSettings } from "./research/github.ts";
import { type SearchSettings, searchSettings } from "./search/search.ts";

/** What a user may set. Only the user: a folder that could set these could send queries and tokens elsewhere. */
export const webSettings = z.strictObject({
  search: searchSettings.prefault({}),
  research: gitHubSettings.optional(),
  browser: z
    .strictObject({ executable: z.string().min(1).optional().describe("Path of a Chromium or Chrome") })
    .prefault({}),
});

export interface WebParts {
  search: SearchSettings;
  research: GitHubSettings | undefined;
  browser: BrowserSettings;
}

/** Settings joined with the keys that the environment holds under their usual names; settings come first. */
export function webParts(
  { search, research, browser }: z.output<typeof webSettings>,
  env: Readonly<Record<string, string | undefined>>,
): WebParts {
  const keyed = (name: string) => (env[name] ? { key: env[name] } : undefined);
  const token = env["GITHUB_TOKEN"] ?? env["GH_TOKEN"];
  return {
    search: {
      tavily: search.tavily ?? keyed("TAVILY_API_KEY"),
      exa: search.exa ?? keyed("EXA_API_KEY"),
      brave: search.brave ?? keyed("BRAVE_API_KEY"),
      searxng: search.searxng ?? (env["SEARXNG_URL"] ? { url: env["SEARXNG_URL"] } : undefined),
      duckduckgo: search.duckduckgo,
    },
    // A token of the environment is for GitHub itself, not for whatever server the settings name.
    research: research && { ...research, token: research.token ?? (research.apiUrl ? undefined : token) },
    browser: {
      executables: browser.executable ? [browser.executable] : usualBrowsers,
      idleMs: 5 * 60_000,
      stepMs: 45_000,
    },
  };
}
