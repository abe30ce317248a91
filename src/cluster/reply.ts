import { z } from "zod";
import { textIn } from "../agent/conversation.ts";
import type { LogData } from "../agent/log.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Sql } from "../store/postgres-database.ts";
import { localOrigin } from "../text/local-origin.ts";
import { parseRemote } from "../tools/git/forge.ts";
import { createService } from "../web/service.ts";
import { ownMark } from "./hook-task.ts";
import { holdsSecret, type SecretsParts } from "./session-secrets.ts";

/** Where a task came from: its answer goes there as a comment. */
export interface ReplyPlace {
  service: "github" | "gitlab";
  /** Of the issue or the request. */
  number: number;
  isRequest: boolean;
}

interface ReplyParts extends SecretsParts {
  tokens: ReplyTokens;
}

export interface ReplyTokens {
  github: string | undefined;
  gitlab: string | undefined;
}

/** Longer comments are refused by GitHub. */
const mostChars = 60_000;
const comments = z.array(z.object({ body: z.string().nullish() }));

/** An `@`, however it is written, that would call somebody. */
const mention = /(?<![A-Za-z0-9])(?:@|&#0*64;|&#x0*40;|&commat;)(?=\w)/gi;

/** In the transaction that ends the run. */
export async function orderReply(sql: Sql, jobs: Pick<Jobs, "errand">, session: string): Promise<void> {
  const [row] = await sql("SELECT reply FROM team_sessions WHERE session = $1", [session]);
  if (row?.["reply"]) await jobs.errand(sql, { kind: "reply", session });
}

/**
 * Writes what the session answered under the issue or request that it came from. Rejects when the service did not take it: it is tried
 * again later, and `id`, which the comment names, keeps it from being written twice.
 */
export async function reply(parts: ReplyParts, session: string, id: string): Promise<void> {
  const { database, store, tokens } = parts;
  const [row] = await database.query(
    "SELECT t.reply, t.note, t.branch, t.at, p.url FROM team_sessions t JOIN projects p ON p.id = t.project WHERE t.session = $1",
    [session],
  );
  const place = row?.["reply"] ? (JSON.parse(String(row["reply"])) as ReplyPlace) : undefined;
  const token = place && tokens[place.service];
  const list = place && token ? commentsOf(place, String(row?.["url"]), token) : undefined;
  if (!row || !list) return;
  const log = (await store.entries(session)).map(({ data }) => data as LogData);
  const last = log.findLast((entry) => entry.kind === "step");
  const words = last ? (last.cited ?? textIn(last.messages)) : "";
  const mark = `${ownMark}${id} -->`;
  const said = [
    ...(words ? [callingNobody(words).slice(0, mostChars)] : []),
    ...(row["note"] ? [callingNobody(String(row["note"]))] : []),
    ...(row["branch"] ? [`The changes are on the branch \`${row["branch"]}\`.`] : []),
  ].join("\n\n");
  const isSecret = await holdsSecret(parts, session);
  const shown = isSecret(said)
    ? `The answer is in the session \`${session}\` of Wield. It is not shown here because it contains a secret.`
    : said;
  const body = `${shown}\n\n${mark}`;
  const since = row["at"] instanceof Date ? row["at"].toISOString() : "";
  if ((await list.newest(since)).some((one) => one.body?.includes(mark))) return;
  await list.add(body);
}

/** A comment that mentions somebody would notify them, and one that mentions Wield would be a task. */
function callingNobody(text: string): string {
  return text.replaceAll(mention, "$&\u200b");
}

/** Undefined: the project is not on such a service, or the token would travel unencrypted. */
function commentsOf({ service, number, isRequest }: ReplyPlace, url: string, token: string) {
  const at = parseRemote(url);
  if (!at) return undefined;
  const origin = /^https?:/.test(url) ? new URL(url).origin : `https://${at.host}`;
  const isPublic = at.host === "github.com";
  const [api, path, headers, order] =
    service === "github"
      ? ([
          isPublic ? "https://api.github.com" : `${origin}/api/v3`,
          `repos/${at.repository}/issues/${number}/comments`,
          { authorization: `Bearer ${token}`, "x-github-api-version": "2022-11-28" },
          "since",
        ] as const)
      : ([
          `${origin}/api/v4`,
          `projects/${encodeURIComponent(at.repository)}/${isRequest ? "merge_requests" : "issues"}/${number}/notes`,
          { "private-token": token },
          "sort",
        ] as const);
  if (!api.startsWith("https:") && !localOrigin(api)) return undefined;
  const target = createService(service === "github" ? "GitHub" : "GitLab", api);
  const signal = AbortSignal.timeout(30_000);
  return {
    newest: (since: string) => {
      const query = new URLSearchParams({ per_page: "100", [order]: order === "since" ? since : "desc" });
      return target.json(`${path}?${query}`, comments, { headers, signal });
    },
    add: (body: string) =>
      target.json(path, z.unknown(), {
        ...{ method: "POST", signal },
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ body }),
      }),
  };
}
