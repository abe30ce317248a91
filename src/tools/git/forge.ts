import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { withoutPassword } from "../../text/without-password.ts";
import { createService, type Service } from "../../web/service.ts";
import { type GitContext, type GitOptions, git } from "./run-git.ts";

/** A repository on GitHub or GitLab, and the person's way in. */
export interface Forge {
  kind: "GitHub" | "GitLab";
  /** `owner/name`; on GitLab with all groups. */
  repository: string;
  /** Where pull requests are listed and made. */
  url: string;
  create(request: NewRequest, signal: AbortSignal): Promise<PullRequest>;
  list(signal: AbortSignal): Promise<PullRequest[]>;
  view(number: number, signal: AbortSignal): Promise<PullRequest>;
  defaultBranch(signal: AbortSignal): Promise<string>;
}

export interface NewRequest {
  title: string;
  body: string;
  head: string;
  base: string;
  draft: boolean;
}

export const pullRequest = z.object({
  number: z.number(),
  title: z.string(),
  state: z.string(),
  author: z.string(),
  head: z.string(),
  base: z.string(),
  url: z.string(),
  body: z.string(),
});
export type PullRequest = z.infer<typeof pullRequest>;

/** Where a remote of the repository lies. The address comes from the repository, so no token goes anywhere but to hosts that the person named. */
export async function forgeOf(remote: string, context: GitContext, options: GitOptions): Promise<Forge> {
  const address = (await git(["remote", "get-url", "--push", remote], context, options)).trim();
  const place = parseRemote(address);
  const env = options.forge();
  const github = env["GH_HOST"] ?? "github.com";
  const gitlab = env["GITLAB_HOST"] ?? "gitlab.com";
  if (place?.host === github || place?.host === "github.com") {
    const own = place.host === github ? env["GITHUB_API_URL"] : undefined;
    const api =
      own ?? (place.host === "github.com" ? "https://api.github.com" : `https://${place.host}/api/v3`);
    const ask = ["gh", "auth", "token", "--hostname", place.host];
    const token = env["GH_TOKEN"] ?? env["GITHUB_TOKEN"] ?? (await tokenFrom(ask, context, options));
    return githubForge(
      createService("GitHub", api),
      place.repository,
      requireToken(token, "GH_TOKEN", "gh auth login"),
    );
  }
  if (place?.host === gitlab || place?.host === "gitlab.com") {
    const own = place.host === gitlab ? env["GITLAB_API_URL"] : undefined;
    const api = own ?? `https://${place.host}/api/v4`;
    const ask = ["glab", "config", "get", "token", "--host", place.host];
    const token = env["GITLAB_TOKEN"] ?? (await tokenFrom(ask, context, options));
    return gitlabForge(
      createService("GitLab", api),
      place.repository,
      requireToken(token, "GITLAB_TOKEN", "glab auth login"),
    );
  }
  const message = `The remote ${remote} (${withoutPassword(address)}) is on no host that is set up for pull requests. For a server of your own set GH_HOST or GITLAB_HOST.`;
  throw new Failure("UNAVAILABLE", message);
}

/** `https://host/owner/name.git`, `ssh://git@host/owner/name`, `git@host:owner/name`. */
export function parseRemote(address: string): { host: string; repository: string } | undefined {
  const short = /^(?:[\w.-]+@)?([\w.-]+):(?!\/)(.+)$/.exec(address);
  const url =
    /^(?:https?|ssh|git):\/\//.test(address) && URL.canParse(address) ? new URL(address) : undefined;
  const host = (url?.hostname ?? short?.[1])?.toLowerCase();
  const path = (url?.pathname ?? short?.[2])?.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "");
  if (!host || !path || !/^[\w.-]+(?:\/[\w.-]+)+$/.test(path) || path.split("/").includes(".."))
    return undefined;
  return { host, repository: path };
}

async function tokenFrom(
  [file = "", ...args]: readonly string[],
  { run, workspace }: GitContext,
  options: GitOptions,
): Promise<string | undefined> {
  const outcome = await run({ file, args, cwd: workspace.root, env: options.env(), timeoutMs: 10_000 }).catch(
    () => undefined,
  );
  return outcome?.exitCode === 0 ? outcome.stdout.text.trim() || undefined : undefined;
}

function requireToken(token: string | undefined, variable: string, login: string): string {
  if (token !== undefined) return token;
  const message = `There is no login for pull requests. A person can set one up with: ${login}, or with the variable ${variable}.`;
  throw new Failure("UNAVAILABLE", message);
}

const githubPull = z
  .object({
    number: z.number(),
    title: z.string(),
    state: z.string(),
    draft: z.boolean().nullish(),
    merged_at: z.string().nullish(),
    user: z.object({ login: z.string() }).nullish(),
    head: z.object({ ref: z.string() }),
    base: z.object({ ref: z.string() }),
    html_url: z.string(),
    body: z.string().nullish(),
  })
  .transform(({ user, head, base, html_url, body, draft, merged_at, ...rest }) => ({
    ...rest,
    state: merged_at ? "merged" : draft ? "draft" : rest.state,
    author: user?.login ?? "",
    head: head.ref,
    base: base.ref,
    url: html_url,
    body: body ?? "",
  }));

function githubForge(service: Service, repository: string, token: string): Forge {
  const headers = {
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
    authorization: `Bearer ${token}`,
  };
  const pulls = `repos/${repository}/pulls`;
  return {
    kind: "GitHub",
    repository,
    url: new URL(pulls, service.url).href,
    create: (request, signal) =>
      service.json(pulls, githubPull, {
        ...{ method: "POST", signal },
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(request),
      }),
    list: (signal) =>
      service.json(`${pulls}?state=open&per_page=50`, z.array(githubPull), { headers, signal }),
    view: (number, signal) => service.json(`${pulls}/${number}`, githubPull, { headers, signal }),
    defaultBranch: async (signal) => {
      const shape = z.object({ default_branch: z.string() });
      return (await service.json(`repos/${repository}`, shape, { headers, signal })).default_branch;
    },
  };
}

const gitlabRequest = z
  .object({
    iid: z.number(),
    title: z.string(),
    state: z.string(),
    author: z.object({ username: z.string() }).nullish(),
    source_branch: z.string(),
    target_branch: z.string(),
    web_url: z.string(),
    description: z.string().nullish(),
  })
  .transform(({ iid, title, state, author, source_branch, target_branch, web_url, description }) => ({
    ...{ number: iid, title, state },
    author: author?.username ?? "",
    head: source_branch,
    base: target_branch,
    url: web_url,
    body: description ?? "",
  }));

function gitlabForge(service: Service, repository: string, token: string): Forge {
  const headers = { "private-token": token };
  const project = `projects/${encodeURIComponent(repository)}`;
  const requests = `${project}/merge_requests`;
  return {
    kind: "GitLab",
    repository,
    url: new URL(requests, service.url).href,
    create: ({ title, body, head, base, draft }, signal) =>
      service.json(requests, gitlabRequest, {
        ...{ method: "POST", signal },
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({
          source_branch: head,
          target_branch: base,
          title: draft ? `Draft: ${title}` : title,
          description: body,
        }),
      }),
    list: (signal) =>
      service.json(`${requests}?state=opened&per_page=50`, z.array(gitlabRequest), { headers, signal }),
    view: (number, signal) => service.json(`${requests}/${number}`, gitlabRequest, { headers, signal }),
    defaultBranch: async (signal) => {
      const shape = z.object({ default_branch: z.string() });
      return (await service.json(project, shape, { headers, signal })).default_branch;
    },
  };
}
