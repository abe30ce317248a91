import { sessionsPerPerson } from "../jobs/jobs.ts";
import type { Sql } from "../store/postgres-database.ts";
import type { TeamSession } from "./team.ts";
import { liveWorkers } from "./team-view.ts";

/** Why a session does not begin yet, for whoever reads it; undefined: it does not wait in the queue. */
export async function whyQueued(
  sql: Sql,
  { session, owner, state }: TeamSession,
): Promise<string | undefined> {
  if (state !== "queued") return undefined;
  const [row] = await sql(
    `SELECT (SELECT count(*) FROM team_sessions WHERE owner = $1 AND state = 'running' AND session <> $2) AS running,
       EXISTS (${liveWorkers}) AS worked`,
    [owner, session],
  );
  if (row?.["worked"] !== true)
    return "This session waits in the queue: no worker is running. An admin can start one.";
  if (Number(row["running"]) >= sessionsPerPerson)
    return `This session waits in the queue: one person can run ${sessionsPerPerson} sessions at once, and ${row["running"]} are running. It begins when one of them ends or waits for an answer.`;
  return "This session waits in the queue for a worker with a free place.";
}
