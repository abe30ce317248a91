import { z } from "zod";
import { audit, people } from "../people.ts";
import { setLimit, teamLimit } from "../spending.ts";
import { teamView, workersIn } from "../team-view.ts";
import { type ApiRoute, json } from "./route.ts";

const limitBody = z.strictObject({
  person: z.string().min(1).max(100).optional(),
  usd: z.number().nonnegative().max(10_000_000).nullable(),
});

/** For administrators: the state of the team, and its cost limits. */
export const operationRoutes: readonly ApiRoute[] = [
  {
    ...{ method: "get", path: "/team", reach: "admin", summary: "Workers, queue, sessions, people and cost" },
    run: async ({ database, counts }, { person }) =>
      json(await teamView(database.query, person.id, await counts())),
  },
  {
    ...{ method: "get", path: "/workers", reach: "admin", summary: "Workers, and how much waits" },
    run: async ({ database, counts }) =>
      json({ workers: await workersIn(database.query), ...(await counts()) }),
  },
  {
    ...{ method: "post", path: "/limits", reach: "admin", body: limitBody },
    summary: "What the team or, with `person`, one of it may cost in a month; null: no limit",
    run: async ({ database }, { person, body }) => {
      const { person: name, usd } = await body(limitBody);
      await database.transaction(async (sql) => {
        const owner = name === undefined ? teamLimit : (await people.named(sql, name)).id;
        await setLimit(sql, owner, usd);
        await audit(sql, person.id, "limit.set", name ?? "team", usd === null ? "none" : `$${usd}`);
      });
      return json({});
    },
  },
];
