import type {
  CostSumView,
  TeamPersonView,
  TeamProjectView,
  TeamSessionView,
  TeamView,
  WorkerView,
} from "../api/team.ts";
import type { Row, Sql } from "../store/postgres-database.ts";
import { withoutPassword } from "./git-problem.ts";
import { runEnd, runEndOf } from "./run-end.ts";
import { monthStart, teamLimit } from "./spending.ts";
import { firstWords, type ResultKind, titleIn } from "./team.ts";

/** One that did not report for the time of a lease has lost its sessions; it is listed a little longer, so that somebody notices. */
export const liveWorkers = "SELECT 1 FROM workers WHERE seen >= now() - interval '10 s'";
const workers = `SELECT id, host, version, places, running, seen, seen < now() - interval '10 s' AS lost FROM workers
  WHERE seen > now() - interval '2 minutes' ORDER BY lost, id`;
const sums =
  "coalesce(sum(usd), 0) AS usd, coalesce(sum(tokens_in + tokens_out), 0) AS tokens, count(*) FILTER (WHERE usd IS NULL) AS unpriced";

/** What the page for administrators shows; `reader` is the id of the one who reads it. */
export async function teamView(
  sql: Sql,
  reader: string,
  queue: { queued: number; active: number },
): Promise<TeamView> {
  const counted = await sql("SELECT state, count(*) AS n FROM team_sessions GROUP BY state");
  const inState = new Map(counted.map(({ state, n }) => [String(state), Number(n)]));
  const count = (state: string) => inState.get(state) ?? 0;
  const [asks] = await sql(`SELECT (SELECT count(*) FROM asks WHERE NOT closed AND answer IS NULL)
       + (SELECT count(*) FROM questions WHERE NOT closed AND answer IS NULL) AS n`);
  return {
    workers: await workersIn(sql),
    queue,
    states: {
      ...{
        queued: count("queued"),
        running: count("running"),
        waiting: count("waiting"),
        idle: count("idle"),
      },
    },
    asks: Number(asks?.["n"]),
    sessions: await sessionsIn(sql, reader),
    people: await peopleIn(sql),
    projects: await projectsIn(sql),
    cost: await costIn(sql),
  };
}

/** Titles are words of the session: those of private ones are for their owners. Reading a session is recorded, this list is not. */
async function sessionsIn(sql: Sql, reader: string): Promise<TeamSessionView[]> {
  const rows = await sql(
    `SELECT t.session, NOT t.shared AND t.owner <> $1 AS private, t.state, t.note, t.at, ${runEnd} AS run_end, ${firstWords} AS said, p.name AS owner, j.name AS project, s.title, m.title AS marked, s.updated,
       CASE WHEN t.state = 'running' THEN c.holder END AS worker,
       (SELECT coalesce(sum(usd), 0) FROM spending WHERE top = t.session AND owner = t.owner) AS usd
     FROM team_sessions t JOIN people p ON p.id = t.owner JOIN projects j ON j.id = t.project
       LEFT JOIN sessions s ON s.id = t.session LEFT JOIN session_marks m ON m.session = t.session
       LEFT JOIN claims c ON c.session = t.session
     ORDER BY t.state = 'idle', t.at DESC LIMIT 100`,
    [reader],
  );
  return rows.map((row) => ({
    ...{ id: String(row["session"]), owner: String(row["owner"]), project: String(row["project"]) },
    ...(row["private"] === true ? { title: "", private: true } : { title: titleIn(row) }),
    ...runEndOf(row["run_end"]),
    state: row["state"] as TeamSessionView["state"],
    note: row["note"] === null ? null : String(row["note"]),
    worker: row["worker"] === null ? null : String(row["worker"]),
    usd: Number(row["usd"]),
    updated: row["updated"] === null ? iso(row["at"]) : String(row["updated"]),
  }));
}

export async function workersIn(sql: Sql): Promise<WorkerView[]> {
  return (await sql(workers)).map(workerOf);
}

export async function projectsIn(sql: Sql): Promise<TeamProjectView[]> {
  const rows = await sql(
    `SELECT id, name, url, ref, result, checked, problem,
       (SELECT count(*) FROM team_sessions t WHERE t.project = j.id) AS sessions
     FROM projects j WHERE NOT removed ORDER BY name`,
  );
  return rows.map(({ id, name, url, ref, result, checked, problem, sessions }) => ({
    ...{ id: String(id), name: String(name), url: withoutPassword(String(url)), ref: String(ref) },
    ...{ sessions: Number(sessions), problem: problem === null ? null : String(problem) },
    readable: problem === null,
    result: result as ResultKind,
    checked: checked === null ? null : iso(checked),
  }));
}

async function peopleIn(sql: Sql): Promise<TeamPersonView[]> {
  const rows = await sql(
    `SELECT p.name, p.role, l.usd AS cap,
       (SELECT count(*) FROM team_sessions t WHERE t.owner = p.id) AS sessions,
       (SELECT count(*) FROM team_sessions t WHERE t.owner = p.id AND t.state IN ('queued', 'running')) AS active,
       (SELECT coalesce(sum(usd), 0) FROM spending s WHERE s.owner = p.id AND s.at >= ${monthStart}) AS usd
     FROM people p LEFT JOIN cost_limits l ON l.owner = p.id WHERE NOT p.removed ORDER BY p.name`,
  );
  return rows.map(({ name, role, sessions, active, usd, cap }) => ({
    ...{ name: String(name), role: String(role), sessions: Number(sessions), active: Number(active) },
    ...{ usd: Number(usd), limit: cap === null ? null : Number(cap) },
  }));
}

async function costIn(sql: Sql): Promise<TeamView["cost"]> {
  const inMonth = `FROM spending s WHERE s.at >= ${monthStart}`;
  const [month] = await sql(`SELECT ${sums} ${inMonth}`);
  const [limit] = await sql("SELECT usd FROM cost_limits WHERE owner = $1", [teamLimit]);
  const days = await sql(
    `SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS name, ${sums} FROM spending
     WHERE at > now() - interval '14 days' GROUP BY 1 ORDER BY 1 DESC`,
  );
  const projects = await sql(
    `SELECT j.name, ${sums} FROM spending s JOIN projects j ON j.id = s.project
     WHERE s.at >= ${monthStart} GROUP BY 1 ORDER BY 2 DESC, 1`,
  );
  const models = await sql(`SELECT model AS name, ${sums} ${inMonth} GROUP BY 1 ORDER BY 2 DESC, 1`);
  const named = (row: Row) => ({ name: String(row["name"]), ...sumOf(row) });
  return {
    month: sumOf(month ?? {}),
    limit: limit ? Number(limit["usd"]) : null,
    days: days.map((row) => ({ day: String(row["name"]), ...sumOf(row) })),
    projects: projects.map(named),
    models: models.map(named),
  };
}

function sumOf({ usd, tokens, unpriced }: Row): CostSumView {
  return { usd: Number(usd), tokens: Number(tokens), unpriced: Number(unpriced) };
}

function workerOf({ id, host, version, places, running, seen, lost }: Row): WorkerView {
  return {
    ...{ id: String(id), host: String(host), version: String(version), places: Number(places) },
    ...{ running: Number(running), seen: iso(seen), lost: lost === true },
  };
}

function iso(at: unknown): string {
  return (at as Date).toISOString();
}
