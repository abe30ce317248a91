import { z } from "zod";
import { audit, people, requireScope, roles, scopes } from "../people.ts";
import { saveSecret, teamOwner } from "../secrets.ts";
import { requireRole } from "../team-sessions.ts";
import { type ApiRoute, json } from "./route.ts";

const personBody = z.strictObject({ name: z.string().min(1).max(100), role: z.enum(roles) });
const tokenBody = z.strictObject({
  scopes: z.array(z.enum(scopes)).min(1).max(scopes.length),
  days: z.number().int().min(1).max(365).optional(),
});
const keyBody = z.strictObject({
  name: z.string().regex(/^[A-Z][A-Z0-9_]{1,99}$/),
  value: z.string().min(1).max(10_000),
  team: z.boolean().optional(),
});

/** People and the keys that their sessions use. */
export const peopleRoutes: readonly ApiRoute[] = [
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
          const added = await people.addNew(sql, name, role);
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
    ...{ method: "post", path: "/tokens", reach: "everybody", body: tokenBody },
    summary: "A further token of one's own with fewer scopes; shown once",
    run: async ({ database }, { person, body }) => {
      const { scopes: only, days } = await body(tokenBody);
      // A token cannot make one with more permissions than its own; one with scopes cannot make one that lasts longer.
      for (const scope of only) requireScope(person, scope);
      const latest = person.scopes ? person.expires : undefined;
      return json(
        await database.transaction(async (sql) => {
          await audit(sql, person.id, "token.add", person.id, only.join(", "));
          return { token: await people.newToken(sql, person.id, days, only, latest) };
        }),
        201,
      );
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
];
