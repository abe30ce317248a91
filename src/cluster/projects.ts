import { z } from "zod";
import type { ProjectView } from "../api/team.ts";
import { Failure } from "../failure/failure.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { problemsIn } from "../server/body.ts";
import type { PostgresDatabase, Sql } from "../store/postgres-database.ts";
import { newId } from "../text/ids.ts";
import { withoutPassword } from "./git-problem.ts";
import { nameRule, nameRuleText } from "./name.ts";
import { audit, type Person } from "./people.ts";
import type { Repositories } from "./repositories.ts";
import { resultKinds, team } from "./team.ts";

export const projectFields = {
  name: z.string().regex(nameRule, nameRuleText),
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
type ProjectChange = { [field in "url" | "ref" | "result"]?: NewProject[field] | undefined };

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
          `There is already a project ${given.name}. To change it, use the list of projects, or: wield projects change ${given.name}`,
        );
      return this.#put(sql, person, given);
    });
  }

  /** What is not given stays. */
  async change(person: Pick<Person, "id">, project: string, given: ProjectChange): Promise<void> {
    await this.#parts.database.transaction(async (sql) => {
      const { name, url, ref } = await known(sql, project);
      const changed = { name, url: given.url ?? url, ref: given.ref ?? ref, result: given.result };
      await this.#put(sql, person, changed, "project.change");
    });
  }

  /** Its sessions can still be read; no session starts or continues in it. */
  async remove(person: Pick<Person, "id">, project: string): Promise<void> {
    await this.#parts.database.transaction(async (sql) => {
      const { id, name } = await known(sql, project);
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

  async checkAgain(person: Pick<Person, "id">, project: string): Promise<void> {
    await this.#parts.database.transaction(async (sql) => {
      const { id, name } = await known(sql, project);
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

type KnownProject = Awaited<ReturnType<typeof team.projects>>[number];

/** By its id or its name. */
async function known(sql: Sql, project: string): Promise<KnownProject> {
  const all = await team.projects(sql);
  const found = all.find(({ id }) => id === project) ?? all.find(({ name }) => name === project);
  if (found) return found;
  const others =
    all.length > 0
      ? `There are: ${all.map(({ name }) => name).join(", ")}.`
      : "An admin can add one on the page Team.";
  throw new Failure("FILE_NOT_FOUND", `There is no project ${JSON.stringify(project)}. ${others}`);
}

/** What a new session or schedule works on: the project of that id or name, or the only one. */
export async function projectFor(sql: Sql, project: string | undefined): Promise<KnownProject> {
  const found = project === undefined ? await onlyProject(sql) : await known(sql, project);
  if (found.problem === null) return found;
  throw new Failure(
    "CONFLICT",
    `No worker can read the project ${found.name}. An admin sees why on the page Team, and can change it there.`,
  );
}

async function onlyProject(sql: Sql): Promise<KnownProject> {
  const [only, ...others] = await team.projects(sql);
  if (!only)
    throw new Failure("FILE_NOT_FOUND", "There is no project yet. An admin can add one on the page Team.");
  if (others.length === 0) return only;
  const names = [only, ...others].map(({ name }) => name).join(", ");
  throw new Failure("INVALID_INPUT", `Name the project of the session as "project". There are: ${names}.`);
}

/** As everybody sees it: why it cannot be read is for the admins. */
export function viewOfProject({ id, name, ref, problem }: KnownProject): ProjectView {
  return { id, name, ref, readable: problem === null };
}

/** On a worker: what it finds at the address is shown with the project. Returns whether sessions can work on it. */
export async function checkProject(
  database: Pick<PostgresDatabase, "query">,
  repositories: Pick<Repositories, "problemOf">,
  id: string,
): Promise<boolean> {
  const found = await team.project(database.query, id);
  if (!found) return false;
  const problem = (await repositories.problemOf(found)) ?? null;
  // Only for the address that was looked at.
  await database.query(
    "UPDATE projects SET checked = now(), problem = $2 WHERE id = $1 AND url = $3 AND ref = $4",
    [id, problem, found.url, found.ref],
  );
  return problem === null;
}
