import type { PersonMessage } from "../agent/attachments.ts";
import { chatPrefix } from "../agent/log.ts";
import type { PermissionModeName } from "../api/api.ts";
import type { AskAnswer, AskingChat, AskView, QuestionAnswer, QuestionView } from "../api/approvals.ts";
import { Failure } from "../failure/failure.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { requireFitting } from "../server/question-queue.ts";
import { decodeText, type PostgresDatabase, type Row, type Sql } from "../store/postgres-database.ts";
import { changeState } from "../store/postgres-store.ts";
import { newId } from "../text/ids.ts";
import type { Channel } from "./channel.ts";
import { mayHaveRequests } from "./code-host.ts";
import { actsAsAdmin, audit, type Person, people, requireScope } from "./people.ts";
import { requireWithinLimit } from "./spending.ts";
import { type ResultKind, type SentMessage, type TeamSession, team } from "./team.ts";

export interface TeamSessionsParts {
  database: PostgresDatabase;
  jobs: Pick<Jobs, "wake" | "errand">;
  channel: Pick<Channel, "tell">;
}

export interface StartOptions {
  project: string;
  message: PersonMessage;
  how?: SentMessage["how"];
  model?: string | undefined;
  shared?: boolean | undefined;
  /** The permission mode; default: that of the workers' settings. */
  permissions?: PermissionModeName | undefined;
  /** What becomes of its changes; default: as the project says. */
  result?: ResultKind | undefined;
  /** Done in the same transaction. */
  also?: (sql: Sql, session: string) => Promise<void>;
}

/** An open question of a session, as its owner sees it. */
export interface TeamAsk {
  view: AskView;
  session: string;
  /** Why the last answer could not be used. */
  problem: string | undefined;
}

/**
 * What people can do with sessions. Each method writes its row and wakes the session in one transaction. For a person
 * who may not see it, a session does not exist.
 */
export class TeamSessions {
  readonly #parts: TeamSessionsParts;
  /** When an admin's reading of a private session was found in the audit log. */
  readonly #readings = new Map<string, number>();

  constructor(parts: TeamSessionsParts) {
    this.#parts = parts;
  }

  async start(person: Person, options: StartOptions): Promise<string> {
    const { project, message, how = {}, model, shared, permissions, result, also } = options;
    requireRole(person, ...mayStart);
    if (permissions !== undefined) requireMode(person, permissions);
    const id = newId(chatPrefix.slice(0, -1));
    await this.#do(id, async (sql) => {
      const known = await team.project(sql, project);
      if (!known) throw new Failure("FILE_NOT_FOUND", `There is no project ${JSON.stringify(project)}.`);
      await sql(
        `INSERT INTO team_sessions (session, owner, project, profile, model, shared, result, state)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 'queued')`,
        [id, person.id, known.id, how.profile ?? null, model ?? null, shared ?? false, result ?? null],
      );
      if (permissions !== undefined)
        await sql("INSERT INTO session_states (session, state) VALUES ($1, $2)", [
          ...[id, JSON.stringify({ mode: permissions })],
        ]);
      await this.#addMessage(sql, person, id, { kind: "say", message, how });
      await also?.(sql, id);
      // Last: a start that is refused uses up no number of the audit log.
      await audit(sql, person.id, "session.start", id, [known.name, permissions].filter(Boolean).join(", "));
    });
    return id;
  }

  async say(person: Person, id: string, message: PersonMessage, how: SentMessage["how"] = {}): Promise<void> {
    await this.#do(id, async (sql) => {
      await this.#own(sql, person, id);
      await requireItsMode(sql, person, id);
      await this.#addMessage(sql, person, id, { kind: "say", message, how });
      await audit(sql, person.id, "session.say", id);
    });
  }

  /** Goes on with a run that was stopped or failed; a session that could not begin is tried again. */
  async resume(person: Person, id: string): Promise<void> {
    await this.#do(id, async (sql) => {
      await this.#own(sql, person, id);
      await requireItsMode(sql, person, id);
      if (await team.nextMessage(sql, id)) await this.#queue(sql, person.id, id);
      else await this.#addMessage(sql, person, id, { kind: "resume", message: { text: "" }, how: {} });
      await audit(sql, person.id, "session.resume", id);
    });
  }

  /** Tries those again that could not begin in a project which can be used now. */
  async beginIn(project: string): Promise<void> {
    const stuck = await this.#parts.database.query(
      `SELECT t.session FROM team_sessions t WHERE t.project = $1 AND t.state = 'waiting' AND t.note IS NOT NULL
         AND t.base IS NULL AND EXISTS (SELECT 1 FROM messages m WHERE m.session = t.session)`,
      [project],
    );
    for (const { session } of stuck) await this.#do(String(session), (sql) => requeue(sql, String(session)));
  }

  /** Takes a message back that no agent has begun to hear. */
  async withdraw(person: Person, id: string, message: string): Promise<string> {
    return this.#parts.database.transaction(async (sql) => {
      await this.#own(sql, person, id);
      const waiting = (await team.messages(sql, id)).find((one) => one.id === message && one.begun === null);
      const taken = "DELETE FROM messages WHERE id = $1 AND session = $2 AND begun IS NULL RETURNING id";
      if (!waiting || (await sql(taken, [message, id])).length === 0)
        throw new Failure("CONFLICT", "This message is no longer waiting.");
      await audit(sql, person.id, "session.withdraw", id, message);
      return waiting.message.text;
    });
  }

  async stop(person: Person, id: string): Promise<void> {
    await this.#do(
      id,
      async (sql) => {
        const row = await this.#visible(sql, person, id);
        if (row.owner !== person.id) {
          requireRole(person, "admin");
          requireScope(person, "admin");
        }
        await sql("UPDATE team_sessions SET stop = true WHERE session = $1 AND state <> 'idle'", [id]);
        await audit(sql, person.id, "session.stop", id);
      },
      "stop",
    );
  }

  /** Of somebody who was removed. */
  async stopAllOf(person: Person, owner: string): Promise<void> {
    const active = "SELECT session FROM team_sessions WHERE owner = $1 AND state <> 'idle' AND NOT stop";
    for (const { session } of await this.#parts.database.query(active, [owner]))
      await this.stop(person, String(session));
  }

  async share(person: Person, id: string, shared: boolean): Promise<void> {
    await this.#parts.database.transaction(async (sql) => {
      await this.#own(sql, person, id);
      await sql("UPDATE team_sessions SET shared = $2 WHERE session = $1", [id, shared]);
      await audit(sql, person.id, shared ? "session.share" : "session.unshare", id);
    });
    void this.#parts.channel.tell({ t: "shared", session: id });
  }

  /** A pull request for what it changes; for what it has changed already, at once. */
  async wantPullRequest(person: Person, id: string): Promise<void> {
    await this.#parts.database.transaction(async (sql) => {
      const { state, branch, project } = await this.#own(sql, person, id);
      const [at] = await sql("SELECT url FROM projects WHERE id = $1", [project]);
      if (!mayHaveRequests(String(at?.["url"])))
        throw new Failure(
          "INVALID_INPUT",
          "The repository of this session is not on GitHub or GitLab, so it has no pull requests. Its changes are on the branch and in the patch.",
        );
      await sql("UPDATE team_sessions SET result = 'pull-request' WHERE session = $1", [id]);
      if (state === "idle" && branch !== null)
        await this.#parts.jobs.errand(sql, { kind: "pull-request", session: id });
      await audit(sql, person.id, "session.pull-request", id);
    });
  }

  async chooseModel(person: Person, id: string, model: string): Promise<void> {
    await this.#parts.database.transaction(async (sql) => {
      await this.#own(sql, person, id);
      await sql("UPDATE team_sessions SET model = $2 WHERE session = $1", [id, model]);
      await audit(sql, person.id, "session.model", id, model);
    });
  }

  /** From the next run on. */
  async chooseMode(person: Person, id: string, mode: PermissionModeName): Promise<void> {
    await this.#parts.database.transaction(async (sql) => {
      await this.#own(sql, person, id);
      requireMode(person, mode);
      await changeState(sql, id, (known) => ({ ...known, mode }));
      await audit(sql, person.id, "session.mode", id, mode);
    });
  }

  /**
   * The questions that this person may answer: those of their own sessions, and those of bots' sessions, which go to all members
   * where the session is shared, and to the admins.
   */
  async asks(person: Person): Promise<TeamAsk[]> {
    if (person.role === "bot" || person.role === "viewer") return [];
    const rows = await this.#parts.database.query(
      `SELECT a.id, a.session, a.body, a.problem, ${askingChat} FROM asks a ${withSession("a")}
       WHERE ${mayAnswer} AND NOT a.closed AND a.answer IS NULL ORDER BY a.at, a.id`,
      [person.id, actsAsAdmin(person)],
    );
    await this.#noteAsking(person, rows);
    return rows.map((row) => {
      const body = JSON.parse(String(row["body"])) as Omit<AskView, "id" | "stepId">;
      const session = String(row["session"]);
      const view: AskView = { ...body, chat: chatOf(row), id: String(row["id"]), stepId: session };
      return { view, session, problem: row["problem"] === null ? undefined : String(row["problem"]) };
    });
  }

  /** What agents want to know; shown to the same people. */
  async questions(person: Person): Promise<QuestionView[]> {
    if (person.role === "bot" || person.role === "viewer") return [];
    const rows = await this.#parts.database.query(
      `SELECT q.id, q.session, q.body, ${askingChat} FROM questions q ${withSession("q")}
       WHERE ${mayAnswer} AND NOT q.closed AND q.answer IS NULL ORDER BY q.at, q.id`,
      [person.id, actsAsAdmin(person)],
    );
    await this.#noteAsking(person, rows);
    return rows.map((row) => ({
      ...(JSON.parse(String(row["body"])) as QuestionView),
      ...{ id: String(row["id"]), chat: chatOf(row) },
    }));
  }

  /** Its answer, who gave it and the wake-up are one transaction; the worker that has the session, or gets it, uses it once. */
  async answer(person: Person, askId: string, answer: AskAnswer): Promise<void> {
    await this.#answer(person, "asks", askId, async (sql, id) => {
      await sql("UPDATE asks SET answer = $2, answered_by = $3, problem = NULL WHERE id = $1", [
        ...[askId, JSON.stringify({ ...answer, remember: undefined }), person.id],
      ]);
      const [row] = await sql("SELECT body FROM asks WHERE id = $1", [askId]);
      const detail = `${describeAsk(JSON.parse(String(row?.["body"])) as AskView)} in ${id}`;
      await audit(sql, person.id, answer.approved ? "ask.approve" : "ask.deny", askId, detail);
    });
  }

  /** One that does not fit the form is refused. */
  async answerQuestion(person: Person, question: string, answer: QuestionAnswer): Promise<void> {
    await this.#answer(person, "questions", question, async (sql, id) => {
      const [row] = await sql("SELECT body FROM questions WHERE id = $1", [question]);
      if (answer.action === "accept")
        requireFitting(JSON.parse(String(row?.["body"])) as QuestionView, answer.content);
      await sql("UPDATE questions SET answer = $2, answered_by = $3 WHERE id = $1", [
        ...[question, JSON.stringify(answer), person.id],
      ]);
      await audit(
        sql,
        person.id,
        answer.action === "accept" ? "question.answer" : "question.decline",
        question,
        id,
      );
    });
  }

  /** Only the first answer of somebody who may give one counts. */
  async #answer(
    person: Person,
    table: "asks" | "questions",
    ask: string,
    work: (sql: Sql, session: string) => Promise<void>,
  ): Promise<void> {
    requireRole(person, "admin", "member");
    const [found] = await this.#parts.database.query(`SELECT session FROM ${table} WHERE id = $1`, [ask]);
    if (!found) throw noAsk();
    const id = String(found["session"]);
    await this.#do(
      id,
      async (sql) => {
        const [open] = await sql(
          `SELECT 1 FROM ${table} a JOIN team_sessions s ON s.session = a.session
           WHERE ${mayAnswer} AND a.id = $3 AND NOT a.closed AND a.answer IS NULL FOR UPDATE OF a`,
          [person.id, actsAsAdmin(person), ask],
        );
        if (!open) throw await this.#notTheirs(sql, person, { table, ask, session: id });
        await work(sql, id);
      },
      "answer",
    );
  }

  /** Somebody who may read the session is told that it waits for its owner; for others there is no request. */
  async #notTheirs(
    sql: Sql,
    person: Person,
    { table, ask, session }: { table: "asks" | "questions"; ask: string; session: string },
  ): Promise<Failure> {
    const seen = await this.#visible(sql, person, session).catch(() => undefined);
    const [pending] = await sql(`SELECT 1 FROM ${table} WHERE id = $1 AND NOT closed AND answer IS NULL`, [
      ask,
    ]);
    if (!seen || !pending || seen.owner === person.id) return noAsk();
    const { name } = await people.byId(sql, seen.owner);
    return new Failure(
      "PERMISSION_DENIED",
      `This request waits for ${name}, who started the session: only they can answer it.`,
    );
  }

  /** The session, if this person may read it. An admin who reads what is private to somebody else is recorded. */
  async visible(person: Person, id: string): Promise<TeamSession> {
    const { query } = this.#parts.database;
    const row = await this.#visible(query, person, id);
    if (row.owner !== person.id && !row.shared) await this.#noteReading(query, person, id);
    return row;
  }

  /** A request shows what its session does: for an admin who answers for a private one of a bot, that is reading it. */
  async #noteAsking(person: Person, rows: readonly Row[]): Promise<void> {
    const read = rows.filter((row) => row["private"] === true).map(({ session }) => String(session));
    for (const id of new Set(read)) await this.#noteReading(this.#parts.database.query, person, id);
  }

  /** Once an hour for each admin and session. */
  async #noteReading(sql: Sql, person: Person, id: string): Promise<void> {
    const key = `${person.id} ${id}`;
    if (performance.now() - (this.#readings.get(key) ?? Number.NEGATIVE_INFINITY) < hourMs) return;
    // The requests of one page come at the same time.
    this.#readings.set(key, performance.now());
    try {
      await this.#noteFirstReading(sql, person, id);
    } catch (error) {
      this.#readings.delete(key);
      throw error;
    }
  }

  async #noteFirstReading(sql: Sql, person: Person, id: string): Promise<void> {
    const [known] = await sql(
      `SELECT 1 FROM audit WHERE subject = $1 AND person = $2 AND action = 'session.read'
       AND at > now() - interval '1 hour'`,
      [id, person.id],
    );
    if (!known) await audit(sql, person.id, "session.read", id);
  }

  async #visible(sql: Sql, person: Person, id: string): Promise<TeamSession> {
    const row = await team.session(sql, id);
    if (row && (row.owner === person.id || row.shared || actsAsAdmin(person))) return row;
    throw new Failure("FILE_NOT_FOUND", "This session does not exist.");
  }

  async #own(sql: Sql, person: Person, id: string): Promise<TeamSession> {
    const row = await this.#visible(sql, person, id);
    if (row.owner === person.id && person.role !== "viewer") return row;
    throw new Failure("PERMISSION_DENIED", "Only the person who started a session can write to it.");
  }

  async #addMessage(sql: Sql, person: Person, session: string, body: SentMessage): Promise<void> {
    await this.#queue(sql, person.id, session);
    await sql("INSERT INTO messages (id, session, body, by_person) VALUES ($1, $2, $3, $4)", [
      ...[newId("m"), session, JSON.stringify(body), person.id],
    ]);
  }

  async #queue(sql: Sql, person: string, session: string): Promise<void> {
    await requireWithinLimit(sql, person);
    await requeue(sql, session);
  }

  /** Fairness without a scheduler: the next session of a person with many running ones gets a lower priority. */
  async #do(id: string, work: (sql: Sql) => Promise<void>, hint?: "stop" | "answer"): Promise<void> {
    const { database, jobs, channel } = this.#parts;
    await database.transaction(async (sql) => {
      await work(sql);
      const [row] = await sql(
        `SELECT owner, (SELECT count(*) FROM team_sessions o WHERE o.owner = s.owner AND o.state IN ('queued', 'running')) AS busy
         FROM team_sessions s WHERE session = $1`,
        [id],
      );
      if (!row) throw new Failure("FILE_NOT_FOUND", "This session does not exist.");
      await jobs.wake(sql, id, {
        person: String(row["owner"]),
        priority: 1000 - Math.min(1000, Number(row["busy"])),
      });
    });
    if (hint) void channel.tell({ t: hint, session: id });
    void channel.tell({ t: "wake" });
    void channel.tell({ t: "session", session: id });
  }
}

/** Its owner ($1). Nobody sits behind a bot: others answer for it, where it is shared all members, else the admins ($2). */
const mayAnswer = `(s.owner = $1 OR
  (EXISTS (SELECT 1 FROM people p WHERE p.id = s.owner AND p.role = 'bot') AND (s.shared OR $2)))`;

const askingChat =
  "NOT s.shared AND s.owner <> $1 AS private, p.name AS owner, j.name AS project, m.title AS marked, t.title";
const withSession = (asking: string) => `JOIN team_sessions s ON s.session = ${asking}.session
  JOIN people p ON p.id = s.owner JOIN projects j ON j.id = s.project
  LEFT JOIN sessions t ON t.id = s.session LEFT JOIN session_marks m ON m.session = s.session`;

/** Whose session asks, and what it works on: somebody who answers for a bot did not start it. */
function chatOf({ session, owner, project, marked, title }: Row): AskingChat {
  const shown = marked ?? title;
  return {
    ...{ id: String(session), owner: String(owner), project: String(project) },
    title: shown === null ? "" : decodeText(shown),
  };
}

async function requeue(sql: Sql, session: string): Promise<void> {
  await sql(
    "UPDATE team_sessions SET state = 'queued', note = NULL WHERE session = $1 AND state IN ('idle', 'waiting')",
    [session],
  );
}

const hourMs = 60 * 60 * 1000;

/** The tool and the files or the address that it is for. */
function describeAsk({ tool, args, files }: AskView): string {
  const [first, ...more] = files.map(({ path }) => path);
  const about = first ?? args["path"] ?? args["url"];
  return [
    tool,
    ...(typeof about === "string" ? [about] : []),
    ...(more.length > 0 ? [`and ${more.length} more`] : []),
  ].join(" ");
}

function noAsk(): Failure {
  return new Failure(
    "CONFLICT",
    "This request is no longer pending: it was answered elsewhere, withdrawn, or asked again.",
  );
}

/** Roles that start sessions. */
export const mayStart = ["admin", "member", "bot"] as const;

export function requireRole({ role }: Person, ...allowed: Person["role"][]): void {
  if (allowed.includes(role)) return;
  throw new Failure("PERMISSION_DENIED", `This needs the role ${allowed.join(" or ")}; yours is ${role}.`);
}

/** What is said in a session that asks less is approved in advance, as the choice of its mode is. */
async function requireItsMode(sql: Sql, person: Person, session: string): Promise<void> {
  const [row] = await sql("SELECT state FROM session_states WHERE session = $1", [session]);
  const mode = row && (JSON.parse(String(row["state"])) as { mode?: PermissionModeName }).mode;
  if (mode === undefined || asksAsUsual(mode) || mayApprove(person)) return;
  throw new Failure(
    "PERMISSION_DENIED",
    `This session has the permission mode ${mode}, which asks less, so writing to it needs the right to approve. Choose the mode ask first.`,
  );
}

/** A mode that asks less is an approval in advance: it needs the right to approve. */
function requireMode(person: Person, mode: PermissionModeName): void {
  if (asksAsUsual(mode)) return;
  requireRole(person, "admin", "member");
  requireScope(person, "approve");
}

function asksAsUsual(mode: PermissionModeName): boolean {
  return mode === "ask" || mode === "plan";
}

function mayApprove({ role, scopes }: Person): boolean {
  return (role === "admin" || role === "member") && (scopes === undefined || scopes.includes("approve"));
}
