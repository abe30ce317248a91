import { z } from "zod";
import { profileNames } from "../../agent/profiles.ts";
import { requireRole } from "../team-sessions.ts";
import { addWebhook, removeWebhook, webhookEvents } from "../webhooks.ts";
import { type ApiRoute, json } from "./route.ts";

const scheduleBody = z.strictObject({
  name: z.string().trim().min(1).max(100),
  project: z.string().min(1).max(100),
  cron: z.string().trim().min(1).max(200),
  zone: z.string().trim().min(1).max(100).default("UTC"),
  profile: z.enum(profileNames).optional(),
  prompt: z.string().trim().min(1).max(100_000),
});
const scheduleChange = scheduleBody.extend({ zone: scheduleBody.shape.zone.unwrap() }).partial();
const webhookBody = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).max(2000),
  events: z.array(z.enum(webhookEvents)).min(1).max(webhookEvents.length),
});

/** Sessions that start on a schedule, and services that are notified of sessions. */
export const automationRoutes: readonly ApiRoute[] = [
  {
    ...{
      method: "get",
      path: "/schedules",
      reach: "everybody",
      summary: "One's own schedules; for an admin, all",
    },
    run: async ({ schedules }, { person }) => json(await schedules.list(person)),
  },
  {
    ...{ method: "post", path: "/schedules", reach: "everybody", body: scheduleBody },
    summary: "Start a session at the times of a cron line",
    run: async ({ schedules }, { person, body }) => {
      requireRole(person, "admin", "member");
      return json(await schedules.add(person, await body(scheduleBody)), 201);
    },
  },
  {
    ...{ method: "post", path: "/schedules/:schedule", reach: "owner", body: scheduleChange },
    summary: "Change a schedule; what is left out stays",
    run: async ({ schedules }, { person, param, body }) =>
      json(await schedules.change(person, param("schedule"), await body(scheduleChange))),
  },
  {
    ...{ method: "post", path: "/schedules/:schedule/run", reach: "owner", summary: "Start its session now" },
    run: async ({ schedules }, { person, param }) => {
      await schedules.runNow(person, param("schedule"));
      return json({}, 202);
    },
  },
  {
    ...{ method: "delete", path: "/schedules/:schedule", reach: "owner", summary: "Remove a schedule" },
    run: async ({ schedules }, { person, param }) => {
      await schedules.remove(person, param("schedule"));
      return json({});
    },
  },
  {
    ...{ method: "get", path: "/webhooks", reach: "admin", summary: "Services that hear of sessions" },
    run: async ({ database }) =>
      json(await database.query("SELECT id, url, events, last_at, last_answer FROM webhooks ORDER BY at")),
  },
  {
    ...{ method: "post", path: "/webhooks", reach: "admin", body: webhookBody },
    summary: "Tell a service of events; the secret that deliveries are signed with is shown once",
    run: async ({ database, secretKey }, { person, body }) =>
      json(await addWebhook(database, person, await body(webhookBody), secretKey), 201),
  },
  {
    ...{
      method: "delete",
      path: "/webhooks/:webhook",
      reach: "admin",
      summary: "Remove an outgoing webhook",
    },
    run: async ({ database }, { person, param }) => {
      await removeWebhook(database, person, param("webhook"));
      return json({});
    },
  },
];
