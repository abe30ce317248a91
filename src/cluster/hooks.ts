import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import { z } from "zod";
import { Failure } from "../failure/failure.ts";
import { answerErrors } from "../server/body.ts";
import type { PostgresDatabase } from "../store/postgres-database.ts";
import { audit, people } from "./people.ts";
import { team } from "./team.ts";
import type { TeamSessions } from "./team-sessions.ts";

export interface HookParts {
  database: PostgresDatabase;
  sessions: TeamSessions;
  githubSecret: string | undefined;
}

const event = z.object({
  action: z.string(),
  issue: z
    .object({
      ...{ number: z.number(), title: z.string(), body: z.string().nullish(), html_url: z.string() },
      author_association: z.string().optional(),
    })
    .optional(),
  comment: z
    .object({ body: z.string(), html_url: z.string(), author_association: z.string().optional() })
    .optional(),
  repository: z.object({ full_name: z.string() }).optional(),
});
/** Who may give tasks by writing on GitHub; anybody can comment on a public repository. */
const trustedAuthors = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);
/** What makes a comment or an issue a task. */
const mention = /(?:^|\s)@wield\b[:,]?\s*([\s\S]*)/;
/** The account whose sessions come from webhooks. */
const botName = "github";

/** Requests of other services. Whoever signs them may start a session; what they contain is the task of an agent that asks as always. */
export function hookRoutes({ database, sessions, githubSecret }: HookParts): Hono {
  const app = answerErrors(new Hono(), 5 * 1024 * 1024);
  app.post("/github/:project", async (c) => {
    const body = Buffer.from(await c.req.raw.arrayBuffer());
    requireSignature(body, c.req.header("x-hub-signature-256"), githubSecret);
    const kind = c.req.header("x-github-event") ?? "";
    // The same signed text is the same task, whatever delivery it claims to be.
    const delivery = createHash("sha256").update(kind).update("\0").update(body).digest("hex");
    if (kind === "ping") return c.json({ answer: "pong" });
    const given = event.safeParse(JSON.parse(body.toString("utf8")));
    const task = given.success ? taskIn(kind, given.data) : undefined;
    if (task === undefined) return c.json({ ignored: true }, 202);
    const name = c.req.param("project");
    const project = (await team.projects(database.query)).find((one) => one.name === name);
    if (!project) throw new Failure("FILE_NOT_FOUND", "There is no such project.");
    const repository = given.data?.repository?.full_name.toLowerCase();
    if (repository === undefined || !namesRepository(project.url, repository))
      throw new Failure("PERMISSION_DENIED", "This webhook is of another repository than the project.");
    const [known] = await database.query(
      "SELECT detail FROM audit WHERE action = 'hook.github' AND subject = $1",
      [delivery],
    );
    if (known) return c.json({ session: String(known["detail"]) }, 200);
    const [old] = await database.query("SELECT removed FROM people WHERE name = $1", [botName]);
    if (old?.["removed"]) throw new Failure("PERMISSION_DENIED", "The account of webhooks was removed.");
    const bot = await people.add(database.query, botName, "bot");
    const session = await sessions.start(bot, { project: project.id, message: { text: task }, shared: true });
    await audit(database.query, bot.id, "hook.github", delivery, session);
    return c.json({ session }, 201);
  });
  return app;
}

function taskIn(kind: string, { action, issue, comment }: z.infer<typeof event>): string | undefined {
  if (!issue) return undefined;
  const author = kind === "issue_comment" ? comment?.author_association : issue.author_association;
  if (!trustedAuthors.has(author ?? "")) return undefined;
  const isNew =
    (kind === "issues" && action === "opened") || (kind === "issue_comment" && action === "created");
  const said = kind === "issue_comment" ? comment?.body : issue.body;
  const wanted = isNew ? mention.exec(said ?? "")?.[1]?.trim() : undefined;
  if (wanted === undefined) return undefined;
  return [
    ...[
      wanted || "Work on this issue.",
      "",
      `From ${comment?.html_url ?? issue.html_url}, issue ${issue.number}: ${issue.title}`,
    ],
    ...(issue.body ? ["", issue.body] : []),
  ].join("\n");
}

/** `https://host/owner/name.git`, `git@host:owner/name`. */
function namesRepository(url: string, fullName: string): boolean {
  const path = url.toLowerCase().replace(/\.git$/, "");
  return path.endsWith(`/${fullName}`) || path.endsWith(`:${fullName}`);
}

function requireSignature(body: Buffer, given: string | undefined, secret: string | undefined): void {
  if (!secret)
    throw new Failure(
      "UNAVAILABLE",
      "Webhooks are off: set WIELD_GITHUB_SECRET to the secret of the webhook.",
    );
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const sent = Buffer.from(given ?? "");
  if (sent.length === expected.length && timingSafeEqual(sent, expected)) return;
  throw new Failure("PERMISSION_DENIED", "The signature of this webhook is missing or wrong.");
}
