import type { QueuedView } from "../../api/sessions.ts";
import { Failure } from "../../failure/failure.ts";
import { messageIn } from "../../server/message-body.ts";
import type { Store } from "../../store/store.ts";
import { projectFor } from "../projects.ts";
import { patchOf, type TeamMessage, team } from "../team.ts";
import { mayStart, requireRole } from "../team-sessions.ts";
import { agentOptionsIn, messageBody, startBody } from "./message-body.ts";
import { type ApiRoute, json } from "./route.ts";
import { listSessions, resultOf, viewSession } from "./session-view.ts";

/** A message goes to the queue of the session; a worker takes it from there. */
const say: ApiRoute["run"] = async ({ sessions }, { person, param, body }) => {
  const said = await body(messageBody);
  await sessions.say(person, param("id"), messageIn(said), agentOptionsIn(said));
  return json({}, 202);
};

export const sessionRoutes: readonly ApiRoute[] = [
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
      const { project, model: by, shared, mode, result } = given;
      requireRole(person, ...mayStart);
      const chosen = await projectFor(database.query, project);
      return json(
        {
          session: await sessions.start(person, {
            project: chosen.id,
            message: messageIn(given),
            how: agentOptionsIn(given),
            model: by,
            shared,
            permissions: mode,
            result,
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
      body: messageBody,
    },
    run: say,
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
      body: messageBody,
    },
    run: say,
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
      path: "/sessions/:id/result",
      reach: "reader",
      summary: "Its state, base commit, branch and pull request, and who sees it",
    },
    run: async ({ database, sessions }, { person, param }) => {
      const row = await sessions.visible(person, param("id"));
      return json(await resultOf(database.query, person, row));
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
      return { file: { name: `${param("id")}.patch`, bytes: patch } };
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
];

function queuedView({ id, message: { text, attachments = [] } }: TeamMessage): QueuedView {
  return { id, text, attached: attachments.map(({ name }) => name), held: false };
}

/** The session that a person speaks with, of one that it delegated to. */
async function topOf(store: Store, session: string): Promise<string> {
  const parent = (await store.sessionStates().get(session))?.["parent"];
  return typeof parent === "string" ? topOf(store, parent) : session;
}
