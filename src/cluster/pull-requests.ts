import { z } from "zod";
import { textIn } from "../agent/conversation.ts";
import type { LogData } from "../agent/log.ts";
import { Failure } from "../failure/failure.ts";
import { decodeText } from "../store/postgres-database.ts";
import type { Store } from "../store/store.ts";
import { sha256 } from "../text/digest.ts";
import { type CodeHost, type CodeHosts, codeHost, kindOf } from "./code-host.ts";
import { callingNobody, ownMark } from "./outgoing-text.ts";
import { holdsSecret, type SecretsParts } from "./session-secrets.ts";
import { patchOf } from "./team.ts";

export interface PullRequestParts extends SecretsParts {
  hosts: CodeHosts;
}

interface OpenRequest {
  number: number;
  url: string;
  body: string;
}

interface NewRequest {
  head: string;
  base: string;
  title: string;
  body: string;
}

/** Longer ones are refused by GitHub. */
const mostChars = 60_000;
const mostTitleChars = 200;

/**
 * Opens a pull request for the branch of a session, or brings the text of an open one up to date unless somebody has edited it. Returns its
 * address; undefined: none is wanted, or this worker must not go on. A service has at most one open request of a branch, so two workers that
 * do this at once open one.
 */
export async function openPullRequest(
  parts: PullRequestParts,
  session: string,
  mayGoOn: () => Promise<boolean> = async () => true,
): Promise<string | undefined> {
  const [row] = await parts.database.query(
    `SELECT t.branch, p.url, p.ref, s.title, coalesce(t.result, p.result) AS result
     FROM team_sessions t JOIN projects p ON p.id = t.project LEFT JOIN sessions s ON s.id = t.session WHERE t.session = $1`,
    [session],
  );
  if (row?.["result"] !== "pull-request" || row["branch"] === null) return undefined;
  // What was undone leaves nothing to merge.
  if ((await patchOf(parts.database.query, session))?.length === 0) return undefined;
  const [url, base, head] = [String(row["url"]), String(row["ref"]), String(row["branch"])];
  const requests = requestsOf(requireHost(url, parts.hosts));
  const isSecret = await holdsSecret(parts, session);
  const title = callingNobody(row["title"] === null ? "" : decodeText(row["title"]));
  const answer = callingNobody(await lastAnswer(parts.store, session)).slice(0, mostChars);
  const text = [
    isSecret(answer) ? "The answer of the session is not shown here because it contains a secret." : answer,
    `Session \`${session}\` of Wield.`,
  ];
  const body = withMark(text.filter(Boolean).join("\n\n"));
  const known = await requests.find(head);
  if (!(await mayGoOn())) return undefined;
  if (known) {
    if (known.body !== body && isUnedited(known.body)) await requests.update(known.number, body);
    return known.url;
  }
  const shown = title === "" || isSecret(title) ? `Session ${session} of Wield` : title;
  const request = { head, base, title: shown.slice(0, mostTitleChars), body };
  try {
    return (await requests.create(request)).url;
  } catch (error) {
    // Another worker may have been faster, or the answer to an earlier try was lost.
    const other = await requests.find(head).catch(() => undefined);
    if (other) return other.url;
    throw error;
  }
}

/** Later than the end of the run, which could not do it or was not asked to. Rejects when it must be tried again. */
export async function addPullRequest(parts: PullRequestParts, session: string): Promise<void> {
  const { query } = parts.database;
  try {
    const url = await openPullRequest(parts, session);
    if (url === undefined) return;
    await query(
      `UPDATE team_sessions SET pull_request = $2, note = CASE WHEN starts_with(note, $3) THEN NULL ELSE note END
       WHERE session = $1`,
      [session, url, noRequest],
    );
  } catch (error) {
    await query(
      `UPDATE team_sessions SET note = $2
       WHERE session = $1 AND state = 'idle' AND (note IS NULL OR starts_with(note, $3))`,
      [session, requestProblem(error), noRequest],
    );
    throw error;
  }
}

/** Why there is none although one is wanted, for the note of the session. */
export function requestProblem(error: unknown): string {
  return `${noRequest} ${error instanceof Failure ? error.message : "It is tried again."}`;
}

/** Begins the note of a session whose pull request could not be opened yet. */
const noRequest = "The changes are pushed, but there is no pull request yet.";

async function lastAnswer(store: Store, session: string): Promise<string> {
  const log = (await store.entries(session)).map(({ data }) => data as LogData);
  const last = log.findLast((entry) => entry.kind === "step");
  return last ? (last.cited ?? textIn(last.messages)) : "";
}

function requireHost(url: string, hosts: CodeHosts): CodeHost {
  const kind = kindOf(url, hosts);
  if (!kind)
    throw new Failure(
      "UNAVAILABLE",
      "The project is neither on github.com nor on gitlab.com. For a service of your own set WIELD_GITHUB_API_URL or WIELD_GITLAB_API_URL on the workers.",
    );
  const host = codeHost(kind, url, hosts);
  if (host) return host;
  const name = kind === "github" ? "WIELD_GITHUB_REPLY_TOKEN" : "WIELD_GITLAB_REPLY_TOKEN";
  throw new Failure(
    "UNAVAILABLE",
    `The workers have no token for it, or would send it unencrypted. Set ${name} on the workers, and an https address.`,
  );
}

/** The mark names the text that it was written with: a text that somebody edited no longer fits. */
function withMark(text: string): string {
  return `${text}\n\n${ownMark}${sha256(text).slice(0, 32)} -->`;
}

function isUnedited(body: string): boolean {
  const at = body.lastIndexOf(`\n\n${ownMark}`);
  return at >= 0 && withMark(body.slice(0, at)) === body.trimEnd();
}

const githubRequest = z
  .object({ number: z.number(), html_url: z.string(), body: z.string().nullish() })
  .transform(({ number, html_url, body }): OpenRequest => ({ number, url: html_url, body: plain(body) }));
const gitlabRequest = z
  .object({ iid: z.number(), web_url: z.string(), description: z.string().nullish() })
  .transform(
    ({ iid, web_url, description }): OpenRequest => ({
      ...{ number: iid, url: web_url, body: plain(description) },
    }),
  );

/** Services end lines in their own way. */
function plain(text: string | null | undefined): string {
  return (text ?? "").replaceAll("\r\n", "\n");
}

function requestsOf(host: CodeHost) {
  const isGithub = host.kind === "github";
  const owner = host.repository.split("/")[0] ?? "";
  const shape = isGithub ? githubRequest : gitlabRequest;
  const place = isGithub ? "pulls" : "merge_requests";
  return {
    find: async (head: string): Promise<OpenRequest | undefined> => {
      const query = isGithub
        ? { state: "open", head: `${owner}:${head}` }
        : { state: "opened", source_branch: head };
      return (await host.get(`${place}?${new URLSearchParams(query)}`, z.array(shape)))[0];
    },
    create: ({ head, base, title, body }: NewRequest): Promise<OpenRequest> =>
      host.send(
        "POST",
        place,
        isGithub
          ? { title, head, base, body }
          : { title, source_branch: head, target_branch: base, description: body },
        shape,
      ),
    update: (number: number, body: string): Promise<OpenRequest> =>
      host.send(
        isGithub ? "PATCH" : "PUT",
        `${place}/${number}`,
        isGithub ? { body } : { description: body },
        shape,
      ),
  };
}
