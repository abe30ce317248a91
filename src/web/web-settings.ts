import { z } from "zod";
import { type BrowserSettings, knownBrowsers } from "./browser/launch.ts";

const service = z.lazy(() =>
  z.strictObject({
    key: z.string().min(1),
    url: z.url().optional().describe("The address, if not the usual one"),
  }),
);

const searchSettings = z.lazy(() =>
  z
    .strictObject({
      tavily: service.optional(),
      exa: service.optional(),
      brave: service.optional(),
      searxng: z.strictObject({ url: z.url() }).optional(),
      duckduckgo: z.strictObject({ url: z.url() }).optional(),
    })
    .describe("Search providers; the first of them that is set is used, DuckDuckGo without any"),
);
export type SearchSettings = z.output<typeof searchSettings>;

const gitHubSettings = z.lazy(() =>
  z
    .strictObject({
      repository: z
        .string()
        .regex(/^(?!\.{1,2}\/)[\w.-]+\/(?!\.{1,2}$)[\w.-]+$/)
        .describe("owner/name"),
      ref: z.string().min(1).optional().describe("Branch, tag or commit; default: the default branch"),
      token: z.string().min(1).optional(),
      apiUrl: z
        .url()
        .optional()
        .describe("API of a GitHub Enterprise server; default https://api.github.com"),
    })
    .describe("The repository whose ideas/ folder holds research"),
);
export type GitHubSettings = z.output<typeof gitHubSettings>;

/** Settings of the user only: a folder that could set these could send queries and tokens elsewhere. */
export const webSettings = z.lazy(() =>
  z.strictObject({
    search: searchSettings.prefault({}),
    research: gitHubSettings.optional(),
    browser: z
      .strictObject({ executable: z.string().min(1).optional().describe("Path of a Chromium or Chrome") })
      .prefault({}),
  }),
);

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
      executables: browser.executable ? [browser.executable] : knownBrowsers,
      idleMs: 5 * 60_000,
      stepMs: 45_000,
    },
  };
}
