import { createHash } from "node:crypto";
import type { Hono } from "hono";
import { Failure } from "../failure/failure.ts";
import { readBody } from "../server/body.ts";
import type { PostgresDatabase, Sql } from "../store/postgres-database.ts";
import { githubTask, requireGithubSignature } from "./github-hook.ts";
import { type GitlabHook, gitlabTask, requireGitlabToken } from "./gitlab-hook.ts";
import { type HookTask, namesRepository } from "./hook-task.ts";
import { audit, type Person, people } from "./people.ts";
import type { ReplyPlace } from "./reply.ts";
import { team } from "./team.ts";
import { teamApp } from "./team-app.ts";
import type { TeamSessions } from "./team-sessions.ts";

export interface HookParts {
  database: PostgresDatabase;
  sessions: TeamSessions;
  githubSecret: string | undefined;
  gitlab: GitlabHook | undefined;
}

interface Delivery {
  /** The account whose sessions come from there. */
  service: "github" | "gitlab";
  project: string;
  /** Equal for equal texts: the same task, whichever delivery it claims to be. */
  digest: string;
  task: HookTask;
}

/** GitHub signs the body, so anybody can send one: these bound what is kept of it. */
const mostBytes = 5 * 1024 * 1024;
const mostArriving = 32;

/** Requests of other services. A valid signature may start a session; the content is the task of an agent with the usual approvals. */
export function hookRoutes({ database, sessions, githubSecret, gitlab }: HookParts): Hono {
  const app = teamApp();
  let arriving = 0;
  const unsignedBody = async (request: Request) => {
    if (arriving === mostArriving)
      throw new Failure("LIMIT_EXCEEDED", "Too many webhooks arrive at the same time. Deliver it again.");
    arriving++;
    return readBody(request, { bytes: mostBytes }).finally(() => arriving--);
  };
  app.post("/github/:project", async (c) => {
    if (githubSecret === undefined || c.req.header("x-hub-signature-256") === undefined)
      requireGithubSignature(Buffer.alloc(0), undefined, githubSecret);
    const body = await unsignedBody(c.req.raw);
    requireGithubSignature(body, c.req.header("x-hub-signature-256"), githubSecret);
    const kind = c.req.header("x-github-event") ?? "";
    if (kind === "ping") return c.json({ answer: "pong" });
    const task = githubTask(kind, jsonIn(body));
    if (!task) return c.json({ ignored: true }, 202);
    const digest = createHash("sha256").update(kind).update("\0").update(body).digest("hex");
    const given = { service: "github", project: c.req.param("project"), digest, task } as const;
    const { status, answer } = await take({ database, sessions }, given);
    return c.json(answer, status);
  });
  app.post("/gitlab/:project", async (c) => {
    requireGitlabToken(c.req.header("x-gitlab-token"), gitlab);
    const body = await readBody(c.req.raw, { bytes: mostBytes });
    const task = gitlabTask(jsonIn(body), gitlab?.users ?? []);
    if (!task) return c.json({ ignored: true }, 202);
    const digest = createHash("sha256").update(body).digest("hex");
    const given = { service: "gitlab", project: c.req.param("project"), digest, task } as const;
    const { status, answer } = await take({ database, sessions }, given);
    return c.json(answer, status);
  });
  return app;
}

type StartParts = Pick<HookParts, "database" | "sessions">;

/** Starts its session, if it may have one. */
async function take(parts: StartParts, delivery: Delivery) {
  const { project: name, task } = delivery;
  const project = (await team.projects(parts.database.query)).find((one) => one.name === name);
  if (!project) throw new Failure("FILE_NOT_FOUND", "There is no such project.");
  if (!namesRepository(project.url, task.repository))
    throw new Failure("PERMISSION_DENIED", "This webhook belongs to another repository than the project.");
  if (task.hidden !== undefined) {
    await noteHidden(parts.database, delivery, task.hidden);
    return { status: 202, answer: { ignored: true, reason: task.hidden } } as const;
  }
  const { session, isNew } = await startOnce(parts, project.id, delivery);
  return { status: isNew ? 201 : 200, answer: { session } } as const;
}

/** One line, however often it is delivered. */
async function noteHidden(
  database: PostgresDatabase,
  { service, project, digest }: Delivery,
  why: string,
): Promise<void> {
  const bot = await botOf(database, service);
  await database.transaction(async (sql) => {
    await sql("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [digest]);
    const [known] = await sql("SELECT 1 FROM audit WHERE action = 'hook.hidden' AND subject = $1", [digest]);
    if (!known) await audit(sql, bot.id, "hook.hidden", digest, `${project}: ${why}`);
  });
}

async function startOnce(
  { database, sessions }: StartParts,
  project: string,
  { service, digest, task }: Delivery,
): Promise<{ session: string; isNew: boolean }> {
  const action = `hook.${service}`;
  const startedBy = async (sql: Sql) => {
    const [known] = await sql("SELECT detail FROM audit WHERE action = $1 AND subject = $2", [
      action,
      digest,
    ]);
    return known && String(known["detail"]);
  };
  const known = await startedBy(database.query);
  if (known !== undefined) return { session: known, isNew: false };
  const bot = await botOf(database, service);
  try {
    const session = await sessions.start(bot, {
      ...{ project, message: { text: task.text }, shared: true },
      ...(task.profile && { how: { profile: task.profile } }),
      also: async (sql, started) => {
        // Another process may be handling the same delivery.
        await sql("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [digest]);
        if ((await startedBy(sql)) !== undefined)
          throw new Failure("CONFLICT", "This was delivered already.");
        const { number, isRequest } = task;
        await sql("UPDATE team_sessions SET reply = $2 WHERE session = $1", [
          ...[started, JSON.stringify({ service, number, isRequest } satisfies ReplyPlace)],
        ]);
        await audit(sql, bot.id, action, digest, started);
      },
    });
    return { session, isNew: true };
  } catch (error) {
    const other = await startedBy(database.query);
    if (other === undefined) throw error;
    return { session: other, isNew: false };
  }
}

/** The account that sessions of a service belong to. A person of that name is another one. */
async function botOf(database: PostgresDatabase, service: Delivery["service"]): Promise<Person> {
  const [old] = await database.query(
    "SELECT id, name, removed FROM people WHERE name = $1 AND role = 'bot' AND subject IS NULL",
    [service],
  );
  if (old?.["removed"]) throw new Failure("PERMISSION_DENIED", "The account of webhooks was removed.");
  if (old) return { id: String(old["id"]), name: String(old["name"]), role: "bot" };
  return people.bySubject(database, `webhooks of ${service}`, service, "bot");
}

function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new Failure("INVALID_INPUT", "This is not JSON.");
  }
}
