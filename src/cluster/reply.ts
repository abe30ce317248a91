import { z } from "zod";
import { textIn } from "../agent/conversation.ts";
import type { LogData } from "../agent/log.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Sql } from "../store/postgres-database.ts";
import { type CodeHosts, codeHost, type HostKind } from "./code-host.ts";
import { callingNobody, ownMark } from "./outgoing-text.ts";
import { holdsSecret, type SecretsParts } from "./session-secrets.ts";

/** Where a task came from: its answer goes there as a comment. */
export interface ReplyPlace {
  service: HostKind;
  /** Of the issue or the request. */
  number: number;
  isRequest: boolean;
}

interface ReplyParts extends SecretsParts {
  hosts: CodeHosts;
}

/** Longer comments are refused by GitHub. */
const mostChars = 60_000;
const comments = z.array(z.object({ body: z.string().nullish() }));

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
  const { database, store, hosts } = parts;
  const [row] = await database.query(
    "SELECT t.reply, t.note, t.branch, t.pull_request, t.at, p.url FROM team_sessions t JOIN projects p ON p.id = t.project WHERE t.session = $1",
    [session],
  );
  const place = row?.["reply"] ? (JSON.parse(String(row["reply"])) as ReplyPlace) : undefined;
  const list = place && commentsOf(place, String(row?.["url"]), hosts);
  if (!row || !list) return;
  const log = (await store.entries(session)).map(({ data }) => data as LogData);
  const last = log.findLast((entry) => entry.kind === "step");
  const words = last ? (last.cited ?? textIn(last.messages)) : "";
  const mark = `${ownMark}${id} -->`;
  const said = [
    ...(words ? [callingNobody(words).slice(0, mostChars)] : []),
    ...(row["note"] ? [callingNobody(String(row["note"]))] : []),
    ...(row["branch"] ? [`The changes are on the branch \`${row["branch"]}\`.`] : []),
    ...(row["pull_request"] ? [`They can be reviewed and merged here: ${row["pull_request"]}`] : []),
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

/** Undefined: its answer cannot be written there. */
function commentsOf({ service, number, isRequest }: ReplyPlace, url: string, hosts: CodeHosts) {
  const host = codeHost(service, url, hosts);
  if (!host) return undefined;
  const isGithub = service === "github";
  const path = isGithub
    ? `issues/${number}/comments`
    : `${isRequest ? "merge_requests" : "issues"}/${number}/notes`;
  return {
    newest: (since: string) => {
      const query = new URLSearchParams({ per_page: "100", ...(isGithub ? { since } : { sort: "desc" }) });
      return host.get(`${path}?${query}`, comments);
    },
    add: (body: string) => host.send("POST", path, { body }, z.unknown()),
  };
}
