import { z } from "zod";
import { createService, messageIn } from "../service.ts";
import type { WebResponse } from "../transport.ts";
import type { GitHubSettings } from "../web-settings.ts";

/** Reads files of one repository through the contents API. */
export interface GitHub {
  /** Where it is asked. */
  readonly url: string;
  /** What stands at a path, with its content where GitHub sends it along (files up to 1 MB). */
  contents(path: string, signal?: AbortSignal): Promise<Contents>;
  /** The bytes of a file of up to 100 MB, when `contents` came without them. */
  raw(path: string, maxBytes: number, signal?: AbortSignal): Promise<Buffer>;
}

export interface Contents {
  type: "file" | "dir" | "symlink" | "submodule";
  size: number | undefined;
  /** Undefined for everything but files, and for files over 1 MB. */
  bytes: Buffer | undefined;
  /** What a directory holds. */
  entries: { name: string; path: string; type: string; size: number }[];
}

/** GitHub refused a request. The message says why and what to do; `status` is for programs. */
export class GitHubError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = "GitHubError";
    this.status = status;
  }
}

/** Requests to the API of one repository; a refusal is a `GitHubError`. */
export interface GitHubApi {
  readonly url: string;
  /** `path` is relative to the repository. */
  request(path: string, options: GitHubRequest): Promise<Buffer>;
}

export interface GitHubRequest {
  method?: "GET" | "POST" | "PATCH";
  accept?: string;
  /** Sent as JSON. */
  body?: unknown;
  maxBytes?: number;
  signal?: AbortSignal | undefined;
}

export function gitHubApi(settings: GitHubSettings): GitHubApi {
  const service = createService("GitHub", settings.apiUrl ?? "https://api.github.com");
  return {
    url: service.url,
    async request(path, { method = "GET", accept = "application/vnd.github+json", body, maxBytes, signal }) {
      const response = await service.request(`repos/${settings.repository}${path}`, {
        method,
        headers: {
          accept,
          "x-github-api-version": "2022-11-28",
          ...(settings.token && { authorization: `Bearer ${settings.token}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(maxBytes !== undefined && { maxBytes }),
        ...(signal && { signal }),
      });
      if (response.status < 200 || response.status > 299) throw refusal(response, settings);
      return response.bytes;
    },
  };
}

/** A path as a part of an address. */
export function encodedPath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

export function createGitHub(settings: GitHubSettings): GitHub {
  const api = gitHubApi(settings);
  const get = (path: string, accept: string, maxBytes: number, signal?: AbortSignal) => {
    const query = settings.ref ? `?${new URLSearchParams({ ref: settings.ref })}` : "";
    return api.request(`/contents/${encodedPath(path)}${query}`, { accept, maxBytes, signal });
  };
  return {
    url: api.url,
    async contents(path, signal) {
      // The object form answers for directories in the same shape as for files.
      const body = await get(path, "application/vnd.github.object+json", 4_000_000, signal);
      const { type, size, content, encoding, entries } = parse(body);
      return {
        type,
        size,
        bytes: type === "file" && encoding === "base64" ? Buffer.from(content, "base64") : undefined,
        // A listing calls a submodule a file, for old clients; only its address gives it away.
        entries: entries.map(({ submodule_git_url, ...entry }) =>
          submodule_git_url ? { ...entry, type: "submodule" } : entry,
        ),
      };
    },
    raw: (path, maxBytes, signal) => get(path, "application/vnd.github.raw+json", maxBytes, signal),
  };
}

const answer = z.object({
  type: z.enum(["file", "dir", "symlink", "submodule"]),
  size: z.number().optional(),
  content: z.string().catch(""),
  encoding: z.string().catch("none"),
  entries: z
    .array(
      z.object({
        name: z.string(),
        path: z.string(),
        type: z.string(),
        size: z.number(),
        submodule_git_url: z.string().nullish(),
      }),
    )
    .default([]),
});

function parse(body: Buffer): z.output<typeof answer> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString("utf8"));
  } catch {
    throw new GitHubError(200, "GitHub returned a response that is not JSON");
  }
  // Servers that do not know the object form list a directory as an array.
  const parsed = answer.safeParse(Array.isArray(value) ? { type: "dir", entries: value } : value);
  if (!parsed.success) throw new GitHubError(200, "GitHub returned an unexpected response");
  return parsed.data;
}

function refusal(response: WebResponse, settings: GitHubSettings): GitHubError {
  const { status, headers } = response;
  const said = messageIn(response) || `status ${status}`;
  const reset = limitReset(response);
  if (reset) {
    const advice = settings.token ? "" : " Without a token only 60 requests an hour are allowed: set one.";
    return new GitHubError(status, `GitHub's rate limit is reached until ${reset.toISOString()}.${advice}`);
  }
  if (status === 401)
    return new GitHubError(status, `GitHub does not accept the token (${said}). Check it in the settings`);
  if (status === 403 && headers["x-ratelimit-remaining"] !== "0")
    return new GitHubError(
      status,
      `GitHub forbids it (${said}). Does the token reach ${settings.repository}?`,
    );
  return new GitHubError(status, said);
}

/** When to try again, if a rate limit was the reason. GitHub uses status 403 or 429 for it. */
function limitReset({ status, headers }: WebResponse): Date | undefined {
  if (status !== 403 && status !== 429) return undefined;
  if (headers["retry-after"]) return new Date(Date.now() + Number(headers["retry-after"]) * 1000);
  if (headers["x-ratelimit-remaining"] === "0") return new Date(Number(headers["x-ratelimit-reset"]) * 1000);
  // GitHub asks for a minute's pause when it names no time.
  return status === 429 ? new Date(Date.now() + 60_000) : undefined;
}
