import { z } from "zod";
import { Failure } from "../failure/failure.ts";
import { type HookTask, isSame, mentionIn, profileIn, taskText } from "./hook-task.ts";

export interface GitlabHook {
  /** The secret token of the webhook. */
  token: string;
  /** User names of those who may give tasks: GitLab does not say who is a member. */
  users: readonly string[];
}

/** Whatever is there counts, in any form: a mark that is not understood must not make something public. */
const marks = { confidential: z.unknown().optional(), internal: z.unknown().optional() };
const written = z.object({
  ...{ iid: z.number(), title: z.string(), description: z.string().nullish() },
  ...marks,
});
const event = z.object({
  object_kind: z.string(),
  event_type: z.unknown().optional(),
  user: z.object({ username: z.string() }),
  project: z.object({ path_with_namespace: z.string() }),
  object_attributes: z.object({
    ...{ action: z.string().optional(), url: z.string(), note: z.string().optional() },
    ...{ iid: z.number().optional(), title: z.string().optional(), description: z.string().nullish() },
    ...marks,
  }),
  issue: written.optional(),
  merge_request: written.optional(),
});

/** The task in GitLab's event about a new issue, merge request or comment; undefined: nothing to do. */
export function gitlabTask(body: unknown, users: readonly string[]): HookTask | undefined {
  const given = event.safeParse(body);
  if (!given.success || !users.includes(given.data.user.username)) return undefined;
  const { object_kind: kind, object_attributes: about, project, issue, merge_request: request } = given.data;
  const isComment = kind === "note" && (about.action ?? "create") === "create";
  const isNew = (kind === "issue" || kind === "merge_request") && about.action === "open";
  const subject = isComment ? (request ?? issue) : isNew ? written.safeParse(about).data : undefined;
  const wanted = mentionIn(isComment ? about.note : about.description);
  if (!subject || wanted === undefined) return undefined;
  const isRequest = isComment ? request !== undefined : kind === "merge_request";
  const from = { url: about.url, what: `${isRequest ? "merge request" : "issue"} ${subject.iid}` };
  const isHidden =
    [about, issue, request].some(isMarked) || /^confidential/i.test(String(given.data.event_type));
  return {
    ...{ repository: project.path_with_namespace, number: subject.iid, isRequest },
    ...profileIn(wanted),
    ...(isHidden && { hidden: `confidential or internal: ${from.what}` }),
    text: taskText(wanted, from, subject.title, subject.description),
  };
}

function isMarked(one: { confidential?: unknown; internal?: unknown } | undefined): boolean {
  return [one?.confidential, one?.internal].some((mark) => (mark ?? false) !== false);
}

/** GitLab signs nothing: it sends the token along. */
export function requireGitlabToken(given: string | undefined, hook: GitlabHook | undefined): void {
  if (!hook)
    throw new Failure(
      "UNAVAILABLE",
      "Webhooks are off: set WIELD_GITLAB_TOKEN to the secret token of the webhook.",
    );
  if (isSame(given, hook.token)) return;
  throw new Failure("PERMISSION_DENIED", "The token of this webhook is missing or wrong.");
}
