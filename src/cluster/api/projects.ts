import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import type { PostgresDatabase } from "../../store/postgres-database.ts";
import { newId } from "../../text/ids.ts";
import { audit, type Person } from "../people.ts";
import { team } from "../team.ts";
import { type ApiRoute, json } from "./route.ts";

const projectBody = z.strictObject({
  name: z.string().regex(/^[\w.-]{1,100}$/),
  url: z
    .string()
    .min(1)
    .max(2000)
    .regex(/^(?!-)(?!ext::)[^\s]+$/),
  ref: z.string().regex(/^(?!-)[\w./-]{1,200}$/),
});

export const projectRoutes: readonly ApiRoute[] = [
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
];

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
