import { z } from "zod";
import { permissionModes } from "../../approval/modes.ts";
import { model } from "./message-body.ts";
import { type ApiRoute, json } from "./route.ts";

const modeBody = z.strictObject({ mode: z.enum(permissionModes) });
const modelBody = z.strictObject({ model });
const shareBody = z.strictObject({ shared: z.boolean() });

/** How a session continues, and who may read it. */
export const sessionControlRoutes: readonly ApiRoute[] = [
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
    run: async ({ sessions }, { person, param, body }) => {
      await sessions.chooseMode(person, param("id"), (await body(modeBody)).mode);
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
    ...{ method: "post", path: "/sessions/:id/pull-request", reach: "owner" },
    summary:
      "Open a pull request for its changes; `pullRequest` of its result is the address when there is one",
    run: async ({ sessions }, { person, param }) => {
      await sessions.wantPullRequest(person, param("id"));
      return json({}, 202);
    },
  },
];
