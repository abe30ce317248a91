import { z } from "zod";
import type { LogData } from "../agent/log.ts";
import { profileNamed, profileNames, profiles } from "../agent/profiles.ts";
import type { OpenView, QueuedView, SessionSummary, SessionView, StatusView } from "../api/api.ts";
import type { ChatMessage } from "../api/chat.ts";
import { modeTexts, permissionModes } from "../approval/modes.ts";
import { Failure } from "../failure/failure.ts";
import { efforts } from "../model/effort.ts";
import { answerSchema } from "../server/approval-queue.ts";
import type { Feed } from "../server/feed.ts";
import { messageIn, saidFields, somethingSaid } from "../server/said.ts";
import type { PostgresDatabase } from "../store/postgres-database.ts";
import type { Store } from "../store/store.ts";
import { newId } from "../text/ids.ts";
import { type Followers, messagesIn, presentOf } from "./followers.ts";
import { audit, type Person, people, roles } from "./people.ts";
import { whilePermitted } from "./permitted-stream.ts";
import { saveSecret, teamOwner } from "./secrets.ts";
import { patchOf, type Said, type TeamMessage, type TeamSession, team } from "./team.ts";
import { requireRole, type TeamSessions } from "./team-sessions.ts";

export interface ApiParts {
  database: PostgresDatabase;
  store: Store;
  sessions: TeamSessions;
  followers: Followers;
  feedOf(person: Person): Feed;
  /** From here on the person's feed has what is told of the session, whether or not they have come to read it yet. */
  willRead(person: Person, session: string): void;
  counts(): Promise<{ queued: number; active: number }>;
  secretKey: string | undefined;
  version: string;
}

/** One request of a signed-in person. */
export interface ApiRequest {
  person: Person;
  /** The named parts of the path. */
  param(name: string): string;
  query(name: string): string | undefined;
  header(name: string): string | undefined;
  body<T>(schema: z.ZodType<T>): Promise<T>;
  /** Called when the reader of a stream has left. */
  onLeave(left: () => void): void;
}

export type ApiReply =
  | { status?: number; json: unknown }
  | { stream: ReadableStream<Uint8Array> }
  | { file: { name: string; mediaType: string; bytes: Uint8Array } };

/** `reach` says what a person needs to be let in; the tests try each route as somebody who may not. */
export interface ApiRoute {
  method: "get" | "post" | "delete";
  path: string;
  summary: string;
  reach: "everybody" | "reader" | "owner" | "answerer" | "admin";
  body?: z.ZodType;
  run(parts: ApiParts, request: ApiRequest): Promise<ApiReply>;
}

const profile = z.enum(profileNames).optional();
const mode = z.enum(["quick", "medium", "thorough"]).optional();
/** By name only: to an address of their own choice a person could send the team's key. */
const model = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .refine((name) => !/:\/\//.test(name), "Name a model of a provider: provider/model.");
const how = { profile, mode, effort: z.enum(efforts).optional() };
const startBody = z
  .strictObject({
    ...{ ...saidFields, ...how, model: model.optional() },
    project: z.string().max(100).optional(),
    shared: z.boolean().optional(),
  })
  .refine(...somethingSaid);
const sayBody = z.strictObject({ ...saidFields, ...how }).refine(...somethingSaid);
const modeBody = z.strictObject({ mode: z.enum(permissionModes) });
const modelBody = z.strictObject({ model });
const shareBody = z.strictObject({ shared: z.boolean() });
const projectBody = z.strictObject({
  name: z.string().regex(/^[\w.-]{1,100}$/),
  url: z
    .string()
    .min(1)
    .max(2000)
    .regex(/^(?!-)(?!ext::)[^\s]+$/),
  ref: z.string().regex(/^(?!-)[\w./-]{1,200}$/),
});
const personBody = z.strictObject({ name: z.string().min(1).max(100), role: z.enum(roles) });
const keyBody = z.strictObject({
  name: z.string().regex(/^[A-Z][A-Z0-9_]{1,99}$/),
  value: z.string().min(1).max(10_000),
  team: z.boolean().optional(),
});
const json = (value: unknown, status?: number): ApiReply => ({ json: value, ...(status && { status }) });

export const apiRoutes: readonly ApiRoute[] = [
  {
    ...{ method: "get", path: "/status", reach: "everybody", summary: "What the page needs to know first" },
    run: async (parts, { person }) => json(await statusFor(parts, person)),
  },
  {
    ...{
      method: "get",
      path: "/events",
      reach: "reader",
      summary: "Live events; with `session`, those of one session",
    },
    run: async ({ database, sessions, followers, feedOf }, { person, query, header, onLeave }) => {
      const session = query("session");
      const permitted = async () => {
        const known = "SELECT 1 FROM people WHERE id = $1 AND NOT removed";
        if ((await database.query(known, [person.id])).length === 0)
          throw new Failure("PERMISSION_DENIED", "This account was removed.");
        if (session !== undefined) await sessions.visible(person, session);
      };
      await permitted();
      if (session !== undefined) onLeave(followers.follow(session));
      return { stream: whilePermitted(feedOf(person).read(session, header("last-event-id")), permitted) };
    },
  },
  {
    ...{
      method: "get",
      path: "/sessions",
      reach: "everybody",
      summary: "Own and shared sessions, newest first",
    },
    run: async (parts, request) =>
      json(await listSessions(parts, request.person, request.query("query") ?? "")),
  },
  {
    ...{ method: "post", path: "/sessions", reach: "everybody", summary: "Start a session", body: startBody },
    run: async ({ database, sessions }, { person, body }) => {
      const given = await body(startBody);
      const { project, model: by, shared } = given;
      const known = await team.projects(database.query);
      const chosen =
        project === undefined ? known[0] : known.find(({ id, name }) => id === project || name === project);
      if (!chosen)
        throw new Failure("FILE_NOT_FOUND", "There is no such project. Add one with: wield projects add");
      return json(
        {
          session: await sessions.start(person, {
            project: chosen.id,
            message: messageIn(given),
            how: howIn(given),
            model: by,
            shared,
          }),
        },
        201,
      );
    },
  },
  {
    ...{ method: "get", path: "/sessions/:id", reach: "reader", summary: "A session with its messages" },
    run: async (parts, { person, param }) => json(await viewSession(parts, person, param("id"))),
  },
  {
    ...{
      method: "post",
      path: "/sessions/:id/messages",
      reach: "owner",
      summary: "Say something",
      body: sayBody,
    },
    run: async ({ sessions }, { person, param, body }) => {
      const said = await body(sayBody);
      await sessions.say(person, param("id"), messageIn(said), howIn(said));
      return json({}, 202);
    },
  },
  {
    ...{
      method: "get",
      path: "/sessions/:id/queue",
      reach: "reader",
      summary: "Messages that no agent has heard yet",
    },
    run: async ({ database, sessions }, { person, param }) => {
      await sessions.visible(person, param("id"));
      const waiting = (await team.messages(database.query, param("id"))).filter(
        ({ begun, kind }) => begun === null && kind === "say",
      );
      return json(waiting.map(queuedView));
    },
  },
  {
    ...{
      method: "post",
      path: "/sessions/:id/queue",
      reach: "owner",
      summary: "Say something after the run",
      body: sayBody,
    },
    run: async ({ sessions }, { person, param, body }) => {
      const said = await body(sayBody);
      await sessions.say(person, param("id"), messageIn(said), howIn(said));
      return json({}, 202);
    },
  },
  {
    ...{
      method: "post",
      path: "/sessions/:id/queue/:message/take",
      reach: "owner",
      summary: "Take a waiting message back",
    },
    run: async ({ sessions }, { person, param }) =>
      json({ text: await sessions.withdraw(person, param("id"), param("message")) }),
  },
  {
    ...{
      method: "get",
      path: "/sessions/:id/model",
      reach: "reader",
      summary: "The model that was chosen for a session",
    },
    run: async ({ sessions }, { person, param }) =>
      json({ model: (await sessions.visible(person, param("id"))).model }),
  },
  {
    ...{
      method: "post",
      path: "/sessions/:id/model",
      reach: "owner",
      summary: "Choose the model",
      body: modelBody,
    },
    run: async ({ sessions }, { person, param, body }) => {
      await sessions.chooseModel(person, param("id"), (await body(modelBody)).model);
      return json({});
    },
  },
  {
    ...{
      method: "get",
      path: "/sessions/:id/mode",
      reach: "reader",
      summary: "What is asked about in a session",
    },
    run: async ({ store, sessions }, { person, param }) => {
      await sessions.visible(person, param("id"));
      return json({ mode: (await store.sessionStates().get(param("id")))?.["mode"] ?? "ask" });
    },
  },
  {
    ...{
      method: "post",
      path: "/sessions/:id/mode",
      reach: "owner",
      summary: "From the next run on",
      body: modeBody,
    },
    run: async ({ store, sessions }, { person, param, body }) => {
      const chosen = await body(modeBody);
      await sessions.requireOwn(person, param("id"));
      await store.sessionStates().change(param("id"), (known) => ({ ...known, mode: chosen.mode }));
      return json({});
    },
  },
  {
    ...{
      method: "post",
      path: "/sessions/:id/resume",
      reach: "owner",
      summary: "Go on with a run that was ended",
    },
    run: async ({ sessions }, { person, param }) => {
      await sessions.resume(person, param("id"));
      return json({}, 202);
    },
  },
  {
    ...{ method: "post", path: "/sessions/:id/stop", reach: "owner", summary: "Stop the run" },
    run: async ({ sessions }, { person, param }) => {
      await sessions.stop(person, param("id"));
      return json({}, 202);
    },
  },
  {
    ...{
      method: "post",
      path: "/sessions/:id/share",
      reach: "owner",
      summary: "Let others read it",
      body: shareBody,
    },
    run: async ({ sessions }, { person, param, body }) => {
      await sessions.share(person, param("id"), (await body(shareBody)).shared);
      return json({});
    },
  },
  {
    ...{
      method: "get",
      path: "/sessions/:id/result",
      reach: "reader",
      summary: "Its state, base commit and branch",
    },
    run: async ({ sessions }, { person, param }) => {
      const { state, note, base, branch, project, shared } = await sessions.visible(person, param("id"));
      return json({ state, note, base, branch, project, shared });
    },
  },
  {
    ...{
      method: "get",
      path: "/sessions/:id/patch",
      reach: "reader",
      summary: "What it changed, as a patch",
    },
    run: async ({ database, sessions }, { person, param }) => {
      await sessions.visible(person, param("id"));
      const patch = await patchOf(database.query, param("id"));
      if (patch === undefined) throw new Failure("FILE_NOT_FOUND", "This session has changed nothing yet.");
      return { file: { name: `${param("id")}.patch`, mediaType: "text/x-diff", bytes: patch } };
    },
  },
  {
    ...{
      method: "get",
      path: "/sessions/:id/changes",
      reach: "reader",
      summary: "Changes that can be undone here: none",
    },
    run: async ({ sessions }, { person, param }) => {
      await sessions.visible(person, param("id"));
      return json([]);
    },
  },
  {
    ...{
      method: "get",
      path: "/calls/:id/files/:index",
      reach: "reader",
      summary: "A file that a call handed over",
    },
    run: async ({ store, sessions }, { person, param }) => {
      const index = /^\d{1,6}$/.test(param("index")) ? Number(param("index")) : -1;
      const call = await store.call(param("id"));
      const session = call && (await topOf(store, call.session));
      const seen = session && (await sessions.visible(person, session).catch(() => undefined));
      const file = seen && call ? await store.files().read(call.id, index) : undefined;
      if (!file) throw new Failure("FILE_NOT_FOUND", "This file is no longer kept.");
      return { file };
    },
  },
  {
    ...{ method: "get", path: "/approvals", reach: "everybody", summary: "Questions of one's own sessions" },
    run: async ({ sessions }, { person }) => {
      const asks = await sessions.asks(person);
      const views = asks.map(({ view, problem }) => ({
        ...view,
        ...(problem !== undefined && { again: problem }),
      }));
      return json({ asks: views, questions: [], left: [] } satisfies OpenView);
    },
  },
  {
    ...{
      method: "post",
      path: "/approvals/:ask",
      reach: "answerer",
      summary: "Answer a question",
      body: answerSchema,
    },
    run: async ({ sessions }, { person, param, body }) => {
      await sessions.answer(person, param("ask"), await body(answerSchema));
      return json({});
    },
  },
  {
    ...{ method: "get", path: "/models", reach: "everybody", summary: "Models by name" },
    run: async () => json({ names: [] }),
  },
  {
    ...{ method: "get", path: "/files", reach: "everybody", summary: "Paths to mention: none" },
    run: async () => json([]),
  },
  {
    ...{
      method: "get",
      path: "/projects",
      reach: "everybody",
      summary: "The repositories that sessions work on",
    },
    run: async ({ database }) =>
      json((await team.projects(database.query)).map(({ id, name, ref }) => ({ id, name, ref }))),
  },
  {
    ...{ method: "post", path: "/projects", reach: "admin", summary: "Add a repository", body: projectBody },
    run: async ({ database }, { person, body }) => {
      const given = await body(projectBody);
      return json(await addProject(database, person, given), 201);
    },
  },
  {
    ...{ method: "get", path: "/people", reach: "admin", summary: "Everybody with an account" },
    run: async ({ database }) => json(await people.list(database.query)),
  },
  {
    ...{
      method: "post",
      path: "/people",
      reach: "admin",
      summary: "Add a person; the token is shown once",
      body: personBody,
    },
    run: async ({ database }, { person, body }) => {
      const { name, role } = await body(personBody);
      return json(
        await database.transaction(async (sql) => {
          const added = await people.add(sql, name, role);
          await audit(sql, person.id, "person.add", added.id, `${name} ${role}`);
          return { ...added, token: await people.newToken(sql, added.id) };
        }),
        201,
      );
    },
  },
  {
    ...{
      method: "delete",
      path: "/people/:name",
      reach: "admin",
      summary: "Remove a person; their tokens end",
    },
    run: async ({ database }, { person, param }) => {
      await database.transaction(async (sql) => {
        await people.remove(sql, param("name"));
        await audit(sql, person.id, "person.remove", param("name"));
      });
      return json({});
    },
  },
  {
    ...{
      method: "get",
      path: "/keys",
      reach: "everybody",
      summary: "Names of one's own keys and the team's; never values",
    },
    run: async ({ database }, { person }) => {
      const named = "SELECT name, owner = '' AS team FROM secrets WHERE owner IN ('', $1) ORDER BY name";
      return json(await database.query(named, [person.id]));
    },
  },
  {
    ...{
      method: "post",
      path: "/keys",
      reach: "everybody",
      summary: "Save a key; `team`: by an admin",
      body: keyBody,
    },
    run: async ({ database, secretKey }, { person, body }) => {
      const { name, value, team: forTeam = false } = await body(keyBody);
      requireRole(person, "admin", ...(forTeam ? [] : (["member"] as const)));
      const place = { owner: forTeam ? teamOwner : person.id, name };
      await saveSecret(database, place, value, secretKey);
      await audit(database.query, person.id, "key.save", name, forTeam ? "team" : "own");
      return json({});
    },
  },
  {
    ...{ method: "get", path: "/workers", reach: "admin", summary: "Workers, and how much waits" },
    run: async ({ database, counts }) => {
      const alive =
        "SELECT id, host, version, places, running, seen FROM workers WHERE seen > now() - interval '15 s' ORDER BY id";
      return json({ workers: await database.query(alive), ...(await counts()) });
    },
  },
  {
    ...{ method: "get", path: "/audit", reach: "admin", summary: "Who did what, newest first" },
    run: async ({ database }) =>
      json(
        await database.query(
          "SELECT seq, at, person, action, subject, detail FROM audit ORDER BY seq DESC LIMIT 500",
        ),
      ),
  },
];

function queuedView({ id, message: { text, attachments = [] } }: TeamMessage): QueuedView {
  return { id, text, attached: attachments.map(({ name }) => name), held: false };
}

function howIn({ profile: chosen, mode: thoroughness, effort }: z.output<typeof sayBody>): Said["how"] {
  return {
    ...(chosen && { profile: chosen }),
    ...(thoroughness && { mode: thoroughness }),
    ...(effort && { effort }),
  };
}

export async function addProject(
  database: PostgresDatabase,
  person: Pick<Person, "id">,
  { name, url, ref }: { name: string; url: string; ref: string },
): Promise<{ id: string; name: string }> {
  const given = projectBody.safeParse({ name, url, ref });
  if (!given.success) throw new Failure("INVALID_INPUT", z.prettifyError(given.error));
  return database.transaction(async (sql) => {
    const [row] = await sql(
      `INSERT INTO projects (id, name, url, ref) VALUES ($1, $2, $3, $4)
       ON CONFLICT (name) DO UPDATE SET url = excluded.url, ref = excluded.ref RETURNING id`,
      [newId("j"), name, url, ref],
    );
    await audit(sql, person.id, "project.add", name, url.replace(/\/\/[^@/]*@/, "//…@"));
    return { id: String(row?.["id"]), name };
  });
}

async function statusFor({ database, version }: ApiParts, person: Person): Promise<StatusView> {
  const projects = await team.projects(database.query);
  return {
    permissionModes: permissionModes.map((name) => ({ name, ...modeTexts[name] })),
    permissionMode: "ask",
    profiles: profileNames.map((known) => {
      const { name, label, hint } = profiles[known];
      return { name, label, hint };
    }),
    workspace: projects.map(({ name }) => name).join(", ") || "no project yet",
    trusted: false,
    version,
    model: `on a worker, for ${person.name}`,
    modelError: false,
    problems: [],
  };
}

async function listSessions(
  { store, database }: ApiParts,
  person: Person,
  words: string,
): Promise<SessionSummary[]> {
  const rows = await database.query(
    `SELECT session, state, at, profile, note FROM team_sessions WHERE owner = $1 OR shared OR $2 ORDER BY at DESC LIMIT 200`,
    [person.id, person.role === "admin"],
  );
  const found = await Promise.all(
    rows.map(async (row): Promise<SessionSummary | undefined> => {
      const record = await store.session(String(row["session"]));
      const at = (row["at"] as Date).toISOString();
      const title = record?.title ?? "(waiting for a worker)";
      if (!title.toLowerCase().includes(words.toLowerCase())) return undefined;
      return {
        ...{
          id: String(row["session"]),
          agent: profileNamed(record?.agent ?? String(row["profile"] ?? "code")),
          title,
        },
        ...{
          at: record?.at ?? at,
          updated: record?.updated ?? at,
          running: row["state"] !== "idle" && row["note"] === null,
          pinned: record?.pinned ?? false,
        },
      };
    }),
  );
  return found.filter((one) => one !== undefined);
}

async function viewSession(parts: ApiParts, person: Person, id: string): Promise<SessionView> {
  const { store, database, followers, sessions, feedOf, willRead } = parts;
  const row = await sessions.visible(person, id);
  willRead(person, id);
  // Before the log is read: what is told from here on is read again rather than missed.
  const { cursor } = feedOf(person);
  const entries = await store.entries(id);
  const record = await store.session(id);
  const messages = await messagesIn(store, entries);
  const isOver = (entries.at(-1)?.data as LogData | undefined)?.kind === "end";
  const goesOn = row.state !== "idle" && row.note === null;
  const running = goesOn && (!isOver || (await team.nextMessage(database.query, id)) !== undefined);
  const begun = presentOf(messages, entries);
  const at = new Date().toISOString();
  const session: SessionSummary = {
    ...{ id, agent: profileNamed(record?.agent ?? row.profile ?? "code"), title: record?.title ?? "" },
    ...{ at: record?.at ?? at, updated: record?.updated ?? at, running, pinned: record?.pinned ?? false },
  };
  const unfinished = !running && entries.length > 0 && !isOver;
  if (!running) return { session, messages: [...messages, ...noteOf(row)], cursor, unfinished };
  const before = messages.filter((message) => message.id !== begun.id);
  if (isOver || entries.length === 0) return { session, messages: before, chunks: [], cursor, unfinished };
  const course = await followers.courseOf(id, begun, () => feedOf(person).cursor);
  return { session, messages: before, ...course, unfinished };
}

/** Why a session stands still, as a message at its end. */
function noteOf({ note }: TeamSession): ChatMessage[] {
  return note === null
    ? []
    : [{ id: "note", role: "assistant", parts: [{ type: "data-notice", data: note }] }];
}

/** The session that a person speaks with, of one that it delegated to. */
async function topOf(store: Store, session: string): Promise<string> {
  const parent = (await store.sessionStates().get(session))?.["parent"];
  return typeof parent === "string" ? topOf(store, parent) : session;
}
