import { type ApiRoute, json } from "./route.ts";

export const operationRoutes: readonly ApiRoute[] = [
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
