import type { Jobs } from "../jobs/jobs.ts";
import type { PostgresDatabase } from "../store/postgres-database.ts";

/** Figures of the whole team in the text format of Prometheus, counted in the database when asked. */
export async function metricsText(
  database: PostgresDatabase,
  jobs: Pick<Jobs, "counts">,
  followed: number,
): Promise<string> {
  const states = await database.query("SELECT state, count(*) AS n FROM team_sessions GROUP BY state");
  const inState = new Map(states.map(({ state, n }) => [String(state), Number(n)]));
  const [workers] = await database.query(
    `SELECT count(*) AS n, coalesce(sum(places), 0) AS places, coalesce(max(extract(epoch FROM now() - seen)), 0) AS age
     FROM workers WHERE seen > now() - interval '15 s'`,
  );
  const [asks] = await database.query("SELECT count(*) AS n FROM asks WHERE NOT closed AND answer IS NULL");
  const [bytes] = await database.query("SELECT pg_database_size(current_database()) AS n");
  const [notices] = await database.query("SELECT pg_notification_queue_usage() AS n");
  const { queued, active } = await jobs.counts();
  const figures: [name: string, help: string, value: number][] = [
    ["wield_jobs_queued", "Jobs that wait for a worker", queued],
    ["wield_jobs_active", "Jobs on workers", active],
    ...["queued", "running", "waiting", "idle"].map((state): [string, string, number] => [
      ...([`wield_sessions{state="${state}"}`, "Sessions by state", inState.get(state) ?? 0] as const),
    ]),
    ["wield_workers", "Workers that renewed in the last 15 seconds", Number(workers?.["n"])],
    ["wield_worker_places", "Sessions that they can work on at once", Number(workers?.["places"])],
    ["wield_renewal_age_seconds", "The longest time since a worker was heard of", Number(workers?.["age"])],
    ["wield_open_questions", "Questions that nobody has answered", Number(asks?.["n"])],
    ["wield_database_bytes", "Size of the database", Number(bytes?.["n"])],
    ["wield_notification_queue_usage", "Part of the notification queue in use", Number(notices?.["n"])],
    ["wield_followed_sessions", "Sessions that pages of this process follow", followed],
  ];
  const described = new Set<string>();
  return figures
    .flatMap(([name, help, value]) => {
      const base = name.split("{")[0] ?? name;
      const head = described.has(base) ? [] : [`# HELP ${base} ${help}`, `# TYPE ${base} gauge`];
      described.add(base);
      return [...head, `${name} ${value}`];
    })
    .join("\n")
    .concat("\n");
}
