import { z } from "zod";
import type { ProjectView } from "../api/team.ts";
import { Failure } from "../failure/failure.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { problemsIn } from "../server/body.ts";
import type { PostgresDatabase, Sql } from "../store/postgres-database.ts";
import { newId } from "../text/ids.ts";
import { withoutPassword } from "./git-problem.ts";
import { audit, type Person } from "./people.ts";
import type { Repositories } from "./repositories.ts";
import { resultKinds, team } from "./team.ts";

export const projectFields = {
  name: z.string().regex(/^[\w.-]{1,100}$/, "A name has letters, digits and . _ -, at most 100."),
  url: z
    .string()
    .min(1)
    .max(2000)
    .regex(/^(?!-)(?!ext::)[^\s]+$/, "Git address: this is not the address of a git repository."),
  ref: z.string().regex(/^(?!-)[\w./-]{1,200}$/, "Branch: this is not the name of a branch."),
  /** What becomes of changes; not given: as before, at first a branch. */
  result: z.enum(resultKinds).optional(),
};
const project = z.strictObject(projectFields);
export type NewProject = z.output<typeof project>;

interface ProjectsParts {
  database: PostgresDatabase;
  jobs: Pick<Jobs, "errand">;
}

/** The repositories that sessions work on. A worker looks at each new address, because workers have the rights to read it. */
export class Projects {
  readonly #parts: ProjectsParts;

  constructor(parts: ProjectsParts) {
    this.#parts = parts;
  }

  /** A new project only: nobody changes where sessions work because a name is entered twice. */
  add(person: Pick<Person, "id">, given: NewProject): Promise<{ id: string; name: string }> {
    return this.#parts.database.transaction(async (sql) => {
      const [known] = await sql("SELECT 1 FROM projects WHERE name = $1 AND NOT removed", [given.name]);
      if (known)
        throw new Failure(
          "CONFLICT",
          `There is already a project ${given.name}. The list of projects changes its address and branch.`,
        );
      return this.#put(sql, person, given);
    });
  }

  /** A new project, or another address and branch of a known one. */
  put(person: Pick<Person, "id">, given: NewProject): Promise<{ id: string; name: string }> {
    return this.#parts.database.transaction((sql) => this.#put(sql, person, given));
  }

  async change(person: Pick<Person, "id">, id: string, given: Omit<NewProject, "name">): Promise<void> {
    await this.#parts.database.transaction(async (sql) => {
      await this.#put(sql, person, { ...given, name: (await known(sql, id)).name }, "project.change");
    });
  }

  /** Its sessions can still be read; no session starts or continues in it. */
  async remove(person: Pick<Person, "id">, id: string): Promise<void> {
    await this.#parts.database.transaction(async (sql) => {
      const { name } = await known(sql, id);
      const [schedule] = await sql("SELECT name FROM schedules WHERE project = $1 ORDER BY name", [id]);
      if (schedule)
        throw new Failure(
          "CONFLICT",
          `The schedule ${JSON.stringify(schedule["name"])} starts sessions in ${name}. Remove it first.`,
        );
      await sql("UPDATE projects SET removed = true WHERE id = $1", [id]);
      await audit(sql, person.id, "project.remove", name);
    });
  }

  async checkAgain(person: Pick<Person, "id">, id: string): Promise<void> {
    await this.#parts.database.transaction(async (sql) => {
      const { name } = await known(sql, id);
      await this.#order(sql, id);
      await audit(sql, person.id, "project.check", name);
    });
  }

  async #put(
    sql: Sql,
    person: Pick<Person, "id">,
    given: NewProject,
    action = "project.add",
  ): Promise<{ id: string; name: string }> {
    const checked = project.safeParse(given);
    if (!checked.success) throw new Failure("INVALID_INPUT", problemsIn(checked.error));
    const { name, url, ref, result = null } = checked.data;
    const [row] = await sql(
      `INSERT INTO projects (id, name, url, ref, result) VALUES ($1, $2, $3, $4, coalesce($5, 'branch'))
       ON CONFLICT (name) DO UPDATE
         SET url = excluded.url, ref = excluded.ref, result = coalesce($5, projects.result), removed = false
       RETURNING id`,
      [newId("j"), name, url, ref, result],
    );
    const id = String(row?.["id"]);
    await this.#order(sql, id);
    await audit(sql, person.id, action, name, [withoutPassword(url), ref, result].filter(Boolean).join(" "));
    return { id, name };
  }

  async #order(sql: Sql, id: string): Promise<void> {
    await sql("UPDATE projects SET checked = NULL, problem = NULL WHERE id = $1", [id]);
    await this.#parts.jobs.errand(sql, { kind: "project", project: id });
  }
}

async function known(sql: Sql, id: string): Promise<{ name: string }> {
  const found = await team.project(sql, id);
  if (!found) throw new Failure("FILE_NOT_FOUND", "There is no such project.");
  return found;
}

/** As everybody sees it: why it cannot be read is for the admins. */
export function viewOfProject({
  id,
  name,
  ref,
  problem,
}: Awaited<ReturnType<typeof team.projects>>[number]): ProjectView {
  return { id, name, ref, readable: problem === null };
}

/** On a worker: what it finds at the address is shown with the project. */
export async function checkProject(
  database: Pick<PostgresDatabase, "query">,
  repositories: Pick<Repositories, "problemOf">,
  id: string,
): Promise<void> {
  const found = await team.project(database.query, id);
  if (!found) return;
  const problem = (await repositories.problemOf(found)) ?? null;
  // Only for the address that was looked at.
  await database.query(
    "UPDATE projects SET checked = now(), problem = $2 WHERE id = $1 AND url = $3 AND ref = $4",
    [id, problem, found.url, found.ref],
  );
}
