import type { LogData } from "../agent/log.ts";
import type { RunEndView } from "../api/team.ts";

/** The end of the last run, where the session `t` does nothing now: the column for `runEndOf`. */
export const runEnd = `CASE WHEN t.state IN ('idle', 'waiting') THEN (
    SELECT CASE WHEN e.data LIKE '{"kind":"end",%' THEN e.data END FROM entries e
    WHERE e.session = t.session ORDER BY e.seq DESC LIMIT 1
  ) END`;

/** How that run ended. */
export function runEndOf(data: unknown): RunEndView {
  if (typeof data !== "string") return { ended: null, error: null };
  const { stop, message } = JSON.parse(data) as Extract<LogData, { kind: "end" }>;
  return { ended: stop, error: stop === "done" ? null : (message ?? null) };
}
