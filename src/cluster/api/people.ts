import { z } from "zod";
import { audit, people, roles } from "../people.ts";
import { tokens } from "../tokens.ts";
import { type ApiRoute, json } from "./route.ts";

const personBody = z.strictObject({ name: z.string().min(1).max(100), role: z.enum(roles) });
const roleBody = z.strictObject({ role: z.enum(roles) });

/** Who is in the team, and as what. */
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
          await audit(sql, person.id, "person.add", added.id, role);
          const { token } = await tokens.addBy(sql, person, added, { label: "Invitation" });
          return { ...added, token };
        }),
        201,
      );
    },
  },
  {
    ...{ method: "post", path: "/people/:name", reach: "admin", summary: "Change a role", body: roleBody },
    run: async ({ database }, { person, param, body }) => {
      const { role } = await body(roleBody);
      await database.transaction(async (sql) => {
        const { id } = await people.changeRole(sql, param("name"), role);
        await audit(sql, person.id, "person.role", id, role);
      });
      return json({});
    },
  },
  {
    ...{
      method: "delete",
      path: "/people/:name",
      reach: "admin",
      summary: "Remove a person; their tokens and keys end, their sessions stop",
    },
    run: async ({ database, sessions }, { person, param }) => {
      const removed = await database.transaction(async (sql) => {
        const { id } = await people.remove(sql, param("name"));
        await audit(sql, person.id, "person.remove", id);
        return id;
      });
      await sessions.stopAllOf(person, removed);
      return json({});
    },
  },
];
