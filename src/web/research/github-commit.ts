import { z } from "zod";
import type { GitHubSettings } from "../web-settings.ts";
import { createGitHub, encodedPath, type GitHubApi, GitHubError, gitHubApi } from "./github.ts";

export interface CommitRequest {
  message: string;
  /** Paths in the repository and their contents. Existing files with other content are not replaced. */
  files: readonly { path: string; bytes: Uint8Array }[];
}

export interface Commit {
  sha: string;
  /** For people. */
  url: string;
  /** False if all files already existed and nothing was committed. */
  isNew: boolean;
}

/** How often it is tried again when somebody else commits at the same moment. */
const attempts = 4;

/**
 * Adds files to the configured branch in one commit, through the Git data API: all or none. The branch is never
 * force-pushed; if it has moved, the commit is made again on top of its new head.
 */
export async function commitToGitHub(
  settings: GitHubSettings,
  { files, message }: CommitRequest,
  signal?: AbortSignal,
): Promise<Commit> {
  const { repository, token } = settings;
  if (token === undefined)
    throw new GitHubError(
      401,
      `Writing to ${repository} needs a token that may write its contents: set GITHUB_TOKEN, or "token" beside the repository in the settings.`,
    );
  const api = gitHubApi(settings);
  const branch = settings.ref ?? (await defaultBranch(api, repository, signal));
  for (let attempt = 1; ; attempt++) {
    const parent = await headOf(api, repository, branch, signal);
    const missing = await notYetThere({ ...settings, ref: parent }, files, signal);
    if (missing.length === 0) return { ...(await commitAt(api, parent, signal)), isNew: false };
    const { tree: base } = await commitAt(api, parent, signal);
    const tree = await newTree(api, base, missing, signal);
    const body = { message, tree, parents: [parent] };
    const made = parse(commitShape, await api.request("/git/commits", { method: "POST", body, signal }));
    try {
      const moved = { sha: made.sha, force: false };
      await api.request(`/git/refs/heads/${encodedPath(branch)}`, { method: "PATCH", body: moved, signal });
      return { sha: made.sha, url: made.html_url, isNew: true };
    } catch (error) {
      if (!isMoved(error)) throw error;
      if (attempt === attempts)
        throw new GitHubError(
          error.status,
          `Other commits to ${branch} of ${repository} came first in all ${attempts} attempts, so nothing was committed. Try again.`,
        );
    }
  }
}

/** GitHub's response for a branch that moved: 422 "Update is not a fast forward", or 409. */
function isMoved(error: unknown): error is GitHubError {
  return (
    error instanceof GitHubError &&
    (error.status === 409 || (error.status === 422 && /fast.?forward|reference/i.test(error.message)))
  );
}

const commitShape = z.object({ sha: z.string(), html_url: z.string().catch("") });

async function defaultBranch(api: GitHubApi, repository: string, signal?: AbortSignal): Promise<string> {
  const body = await api.request("", { signal }).catch((error: unknown) => {
    throw notThere(error, `There is no repository ${repository}, or the token does not reach it.`);
  });
  return parse(z.object({ default_branch: z.string() }), body).default_branch;
}

async function headOf(
  api: GitHubApi,
  repository: string,
  branch: string,
  signal?: AbortSignal,
): Promise<string> {
  const body = await api
    .request(`/git/ref/heads/${encodedPath(branch)}`, { signal })
    .catch((error: unknown) => {
      if (error instanceof GitHubError && error.status === 409)
        throw new GitHubError(
          409,
          `${repository} is empty. Make a first commit there, such as a README, and try again.`,
        );
      throw notThere(error, `There is no branch ${branch} in ${repository}, or the token does not reach it.`);
    });
  return parse(z.object({ object: z.object({ sha: z.string() }) }), body).object.sha;
}

async function commitAt(api: GitHubApi, sha: string, signal?: AbortSignal) {
  const shape = commitShape.extend({ tree: z.object({ sha: z.string() }) });
  const { tree, html_url: url } = parse(shape, await api.request(`/git/commits/${sha}`, { signal }));
  return { sha, url, tree: tree.sha };
}

/** The files that are not in the repository yet; one that is there with other content is a conflict. */
async function notYetThere(
  settings: GitHubSettings,
  files: CommitRequest["files"],
  signal?: AbortSignal,
): Promise<CommitRequest["files"]> {
  const github = createGitHub(settings);
  const states = await Promise.all(
    files.map(async (file) => {
      const found = await github.contents(file.path, signal).catch((error: unknown) => {
        if (error instanceof GitHubError && error.status === 404) return undefined;
        throw error;
      });
      if (!found) return { file, isThere: false };
      const bytes = found.bytes ?? Buffer.alloc(0);
      if (found.type === "file" && Buffer.compare(bytes, file.bytes) === 0) return { file, isThere: true };
      throw new GitHubError(
        409,
        `${file.path} is in ${settings.repository} already, with other content. Nothing was committed.`,
      );
    }),
  );
  return states.flatMap(({ file, isThere }) => (isThere ? [] : [file]));
}

async function newTree(api: GitHubApi, base: string, files: CommitRequest["files"], signal?: AbortSignal) {
  const shape = z.object({ sha: z.string() });
  const tree = await Promise.all(
    files.map(async ({ path, bytes }) => {
      const body = { content: Buffer.from(bytes).toString("base64"), encoding: "base64" };
      const { sha } = parse(shape, await api.request("/git/blobs", { method: "POST", body, signal }));
      return { path, mode: "100644", type: "blob", sha };
    }),
  );
  const body = { base_tree: base, tree };
  return parse(shape, await api.request("/git/trees", { method: "POST", body, signal })).sha;
}

function notThere(error: unknown, message: string): unknown {
  return error instanceof GitHubError && error.status === 404 ? new GitHubError(404, message) : error;
}

function parse<S extends z.ZodType>(shape: S, body: Buffer): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString("utf8"));
  } catch {
    throw new GitHubError(200, "GitHub returned a response that is not JSON");
  }
  const parsed = shape.safeParse(value);
  if (!parsed.success) throw new GitHubError(200, "GitHub returned an unexpected response");
  return parsed.data;
}
