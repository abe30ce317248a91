import { z } from "zod";
import { knownKeys } from "../../app/keys.ts";
import { audit, requireAllRights, requireScope } from "../people.ts";
import { listSecrets, removeSecret, saveSecret, teamOwner } from "../secrets.ts";
import { requireRole } from "../team-sessions.ts";
import { type ApiRoute, json } from "./route.ts";

const keyBody = z.strictObject({
  name: z.string().regex(/^[A-Z][A-Z0-9_]{1,99}$/),
  value: z.string().min(1).max(10_000),
  team: z.boolean().optional(),
});

/** The keys that sessions use: the team's, and one's own before those. A value goes in and never out. */
export const keyRoutes: readonly ApiRoute[] = [
  {
    ...{
      method: "get",
      path: "/keys",
      reach: "everybody",
      summary: "Names of one's own keys and the team's; never values",
    },
    run: async ({ database }, { person }) => json(await listSecrets(database.query, person.id)),
  },
  {
    ...{ method: "get", path: "/keys/known", reach: "everybody", summary: "What can be given a key" },
    run: async () => json(knownKeys()),
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
      if (forTeam) requireScope(person, "admin");
      else requireAllRights(person);
      const place = { owner: forTeam ? teamOwner : person.id, name };
      await database.transaction(async (sql) => {
        await saveSecret(sql, place, { text: value, by: person.id }, secretKey);
        await audit(sql, person.id, "key.save", name, forTeam ? "team" : "own");
      });
      return json({});
    },
  },
  {
    ...{ method: "delete", path: "/keys/:key", reach: "everybody", summary: "Remove a key of one's own" },
    run: async ({ database }, { person, param }) => {
      requireAllRights(person);
      await database.transaction(async (sql) => {
        await removeSecret(sql, { owner: person.id, name: param("key") });
        await audit(sql, person.id, "key.remove", param("key"), "own");
      });
      return json({});
    },
  },
  {
    ...{ method: "delete", path: "/team/keys/:key", reach: "admin", summary: "Remove a key of the team" },
    run: async ({ database }, { person, param }) => {
      await database.transaction(async (sql) => {
        await removeSecret(sql, { owner: teamOwner, name: param("key") });
        await audit(sql, person.id, "key.remove", param("key"), "team");
      });
      return json({});
    },
  },
];
