import { profileNamed } from "../agent/profiles.ts";
import { Failure } from "../failure/failure.ts";
import type { Errand, Jobs } from "../jobs/jobs.ts";
import type { PostgresDatabase, Row, Sql } from "../store/postgres-database.ts";
import { newId } from "../text/ids.ts";
import { actsAsAdmin, audit, type Person } from "./people.ts";
import { projectFor } from "./projects.ts";
import type { TeamSessions } from "./team-sessions.ts";

export interface NewSchedule {
  name: string;
  /** A name or an id. */
  project: string;
  cron: string;
  /** The time zone of the cron line, such as Europe/Berlin. */
  zone: string;
  profile?: string | undefined;
  prompt: string;
}

type ScheduleChange = { [Name in keyof NewSchedule]?: NewSchedule[Name] | undefined };

interface SchedulesParts {
  database: PostgresDatabase;
  jobs: Pick<Jobs, "schedule" | "unschedule" | "nextAt" | "errand">;
}

/** Sessions that start at scheduled times; each belongs to the person who made the schedule. */
export class Schedules {
  readonly #parts: SchedulesParts;

  constructor(parts: SchedulesParts) {
    this.#parts = parts;
  }

  async add(person: Person, given: NewSchedule): Promise<{ id: string; next: string }> {
    const { database, jobs } = this.#parts;
    const { name, cron, zone, profile, prompt } = given;
    const next = jobs.nextAt(cron, zone);
    return database.transaction(async (sql) => {
      const project = await projectFor(sql, given.project);
      const [taken] = await sql("SELECT owner FROM schedules WHERE name = $1", [name]);
      if (taken) throw new Failure("CONFLICT", `There is already a schedule ${JSON.stringify(name)}.`);
      const id = newId("t");
      await sql(
        `INSERT INTO schedules (id, name, project, owner, cron, zone, profile, prompt) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [id, name, project.id, person.id, cron, zone, profile ?? null, prompt],
      );
      await jobs.schedule(sql, id, cron, zone);
      await audit(sql, person.id, "schedule.add", id, `${name}: ${cron} ${zone}`);
      return { id, next: next.toISOString() };
    });
  }

  /** It keeps its person, and starts at its new times from now on. */
  async change(person: Person, id: string, given: ScheduleChange): Promise<{ next: string }> {
    const { database, jobs } = this.#parts;
    return database.transaction(async (sql) => {
      const before = await own(sql, person, id);
      const changed = { ...before, ...given } as unknown as NewSchedule;
      const { name, cron, zone, profile, prompt } = changed;
      const next = jobs.nextAt(cron, zone);
      const project = await projectFor(sql, changed.project);
      const [taken] = await sql("SELECT 1 FROM schedules WHERE name = $1 AND id <> $2", [name, id]);
      if (taken) throw new Failure("CONFLICT", `There is already a schedule ${JSON.stringify(name)}.`);
      await sql(
        `UPDATE schedules SET name = $2, project = $3, cron = $4, zone = $5, profile = $6, prompt = $7, problem = NULL, at = now()
         WHERE id = $1`,
        [id, name, project.id, cron, zone, profile ?? null, prompt],
      );
      await jobs.schedule(sql, id, cron, zone);
      await audit(sql, person.id, "schedule.change", id, `${name}: ${cron} ${zone}`);
      return { next: next.toISOString() };
    });
  }

  /** One's own; an admin sees all. */
  async list(person: Person): Promise<unknown[]> {
    const { database, jobs } = this.#parts;
    const rows = await database.query(
      `SELECT s.id, s.name, j.name AS project, p.name AS owner, s.cron, s.zone, s.profile, s.prompt, s.last_at, s.last_session, s.problem
       FROM schedules s JOIN projects j ON j.id = s.project JOIN people p ON p.id = s.owner
       WHERE s.owner = $1 OR $2 ORDER BY s.name`,
      [person.id, actsAsAdmin(person)],
    );
    return rows.map((row) => ({ ...row, next: jobs.nextAt(String(row["cron"]), String(row["zone"])) }));
  }

  async remove(person: Person, id: string): Promise<void> {
    await this.#parts.database.transaction(async (sql) => {
      const { name } = await own(sql, person, id);
      await this.#parts.jobs.unschedule(sql, id);
      await sql("DELETE FROM schedules WHERE id = $1", [id]);
      await audit(sql, person.id, "schedule.remove", id, String(name));
    });
  }

  /** Once, now, besides its times. */
  async runNow(person: Person, id: string): Promise<void> {
    await this.#parts.database.transaction(async (sql) => {
      const { name } = await own(sql, person, id);
      await audit(sql, person.id, "schedule.now", id, String(name));
      await this.#parts.jobs.errand(sql, { kind: "schedule", schedule: id, now: true });
    });
  }
}

async function own(sql: Sql, person: Person, id: string): Promise<Row> {
  const [row] = await sql(
    "SELECT name, owner, project, cron, zone, profile, prompt FROM schedules WHERE id = $1",
    [id],
  );
  if (row && (row["owner"] === person.id || actsAsAdmin(person))) return row;
  throw new Failure("FILE_NOT_FOUND", "There is no such schedule.");
}

interface ScheduledParts {
  database: PostgresDatabase;
  sessions: TeamSessions;
  jobs: Pick<Jobs, "nextAt">;
}

/** Starts the session of a schedule that is due, once for each job. What keeps it from starting is shown with the schedule. */
export async function startScheduled(
  { database, sessions, jobs }: ScheduledParts,
  { schedule, now = false }: Extract<Errand, { kind: "schedule" }>,
  errand: string,
): Promise<void> {
  const [row] = await database.query(
    `SELECT s.name AS schedule, s.project, s.cron, s.zone, s.at, now() AS now, s.profile, s.prompt, p.id, p.name, p.role, p.removed
     FROM schedules s JOIN people p ON p.id = s.owner WHERE s.id = $1`,
    [schedule],
  );
  if (!row) return;
  // The queue looks back a minute: that may be before the schedule was made.
  if (!now && jobs.nextAt(String(row["cron"]), String(row["zone"]), row["at"] as Date) > (row["now"] as Date))
    return;
  const [done] = await database.query("SELECT 1 FROM audit WHERE action = 'schedule.run' AND subject = $1", [
    errand,
  ]);
  if (done) return;
  const owner: Person = {
    id: String(row["id"]),
    name: String(row["name"]),
    role: row["role"] as Person["role"],
  };
  try {
    if (row["removed"])
      throw new Failure("PERMISSION_DENIED", "The person who made this schedule was removed.");
    await sessions.start(owner, {
      project: String(row["project"]),
      message: { text: String(row["prompt"]) },
      how: row["profile"] === null ? {} : { profile: profileNamed(String(row["profile"])) },
      also: async (sql, session) => {
        await audit(sql, owner.id, "schedule.run", errand, `${String(row["schedule"])}: ${session}`);
        await sql("UPDATE schedules SET last_at = now(), last_session = $2, problem = NULL WHERE id = $1", [
          schedule,
          session,
        ]);
      },
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await database.query("UPDATE schedules SET last_at = now(), problem = $2 WHERE id = $1", [
      schedule,
      error.message,
    ]);
  }
}
