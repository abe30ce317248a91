import { createHmac } from "node:crypto";
import { z } from "zod";
import { Failure } from "../failure/failure.ts";
import { type HookTask, isSame, mentionIn, profileIn, taskText } from "./hook-task.ts";

const written = z.object({
  ...{ number: z.number(), title: z.string(), body: z.string().nullish(), html_url: z.string() },
  author_association: z.string().optional(),
});
const event = z.object({
  action: z.string(),
  issue: written.optional(),
  pull_request: written.optional(),
  comment: z
    .object({ body: z.string(), html_url: z.string(), author_association: z.string().optional() })
    .optional(),
  repository: z.object({ full_name: z.string() }).optional(),
  sender: z.object({ type: z.string() }).optional(),
});
/** Who may give tasks by writing on GitHub; anybody can comment on a public repository. */
const trustedAuthors = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);
const firstActions: Readonly<Record<string, string>> = {
  ...{ issues: "opened", pull_request: "opened", issue_comment: "created" },
};

/** The task in GitHub's event about a new issue, pull request or comment; undefined: nothing to do. */
export function githubTask(kind: string, body: unknown): HookTask | undefined {
  const given = event.safeParse(body);
  if (!given.success || given.data.action !== firstActions[kind]) return undefined;
  const { issue, pull_request: request, comment, repository, sender } = given.data;
  // Programs answer each other without end.
  if (sender?.type === "Bot") return undefined;
  const about = kind === "pull_request" ? request : issue;
  const by = kind === "issue_comment" ? comment : about;
  if (!about || !by || !trustedAuthors.has(by.author_association ?? "")) return undefined;
  const wanted = mentionIn(by.body);
  if (wanted === undefined) return undefined;
  const isRequest = request !== undefined;
  const from = { url: by.html_url, what: `${isRequest ? "pull request" : "issue"} ${about.number}` };
  return {
    ...{ repository: repository?.full_name ?? "", number: about.number, isRequest },
    ...profileIn(wanted),
    text: taskText(wanted, from, about.title, about.body),
  };
}

export function requireGithubSignature(
  body: Buffer,
  given: string | undefined,
  secret: string | undefined,
): void {
  if (!secret)
    throw new Failure(
      "UNAVAILABLE",
      "Webhooks are off: set WIELD_GITHUB_SECRET to the secret of the webhook.",
    );
  if (isSame(given, `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`)) return;
  throw new Failure("PERMISSION_DENIED", "The signature of this webhook is missing or wrong.");
}
