import type { z } from "zod";
import { localOrigin } from "../text/local-origin.ts";
import { parseRemote } from "../tools/git/forge.ts";
import { createService } from "../web/service.ts";
import type { WebRequest } from "../web/transport.ts";

export type HostKind = "github" | "gitlab";

/** What only workers have: tokens, and the addresses of a team's own services. */
export interface CodeHosts {
  tokens: Readonly<Record<HostKind, string | undefined>>;
  apis: Readonly<Record<HostKind, string | undefined>>;
}

/** The API of the service that a project's repository is on. */
export interface CodeHost {
  kind: HostKind;
  /** `owner/name`; on GitLab with all groups. */
  repository: string;
  /** The answer; a refusal is a failure that says why. Paths are below the repository's own. */
  get<S extends z.ZodType>(path: string, shape: S): Promise<z.output<S>>;
  send<S extends z.ZodType>(
    method: "POST" | "PATCH" | "PUT",
    path: string,
    body: object,
    shape: S,
  ): Promise<z.output<S>>;
}

const answerMs = 30_000;
const publicServices = {
  github: { host: "github.com", api: "https://api.github.com" },
  gitlab: { host: "gitlab.com", api: "https://gitlab.com/api/v4" },
} as const;

export function hostsFrom(env: Readonly<Record<string, string | undefined>>): CodeHosts {
  return {
    tokens: { github: env["WIELD_GITHUB_REPLY_TOKEN"], gitlab: env["WIELD_GITLAB_REPLY_TOKEN"] },
    apis: { github: env["WIELD_GITHUB_API_URL"], gitlab: env["WIELD_GITLAB_API_URL"] },
  };
}

/** Whether it is on a server at all: which of those are a team's own GitHub or GitLab only workers know. */
export function mayHaveRequests(url: string): boolean {
  return parseRemote(url) !== undefined;
}

/** By its address: a public service, or the one whose API the workers were given. */
export function kindOf(url: string, { apis }: Pick<CodeHosts, "apis">): HostKind | undefined {
  const host = parseRemote(url)?.host;
  return (["github", "gitlab"] as const).find(
    (kind) => host !== undefined && apiOf(kind, host, apis) !== undefined,
  );
}

/** The token goes nowhere else: whoever may set the address of a project does not choose who gets it. */
function apiOf(kind: HostKind, host: string, apis: CodeHosts["apis"]): string | undefined {
  const { host: publicHost, api } = publicServices[kind];
  if (isOn(host, apis[kind])) return apis[kind];
  return host === publicHost ? api : undefined;
}

/** Undefined: there is no token, the project is not on such a service, or the token would travel unencrypted. */
export function codeHost(kind: HostKind, url: string, { tokens, apis }: CodeHosts): CodeHost | undefined {
  const token = tokens[kind];
  const at = parseRemote(url);
  if (!at || !token) return undefined;
  const api = apiOf(kind, at.host, apis);
  if (api === undefined || (!api.startsWith("https:") && !localOrigin(api))) return undefined;
  const [name, base, headers] =
    kind === "github"
      ? (["GitHub", `repos/${at.repository}/`, githubHeaders(token)] as const)
      : (["GitLab", `projects/${encodeURIComponent(at.repository)}/`, { "private-token": token }] as const);
  const service = createService(name, api);
  const ask = <S extends z.ZodType>(path: string, shape: S, request: Omit<WebRequest, "url">) =>
    service.json(`${base}${path}`, shape, {
      ...request,
      headers: { ...headers, ...request.headers },
      signal: AbortSignal.timeout(answerMs),
    });
  return {
    ...{ kind, repository: at.repository },
    get: (path, shape) => ask(path, shape, {}),
    send: (method, path, body, shape) =>
      ask(path, shape, {
        method,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
  };
}

function githubHeaders(token: string): Record<string, string> {
  return {
    accept: "application/vnd.github+json",
    authorization: `Bearer ${token}`,
    "x-github-api-version": "2022-11-28",
  };
}

function isOn(host: string, api: string | undefined): boolean {
  const name = api === undefined ? undefined : URL.parse(api)?.hostname;
  return name === host || name === `api.${host}`;
}
