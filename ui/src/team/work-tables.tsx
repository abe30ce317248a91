import type { TeamSessionView, WorkerView } from "../../../src/api/team.ts";
import { Problem } from "../parts/feedback.tsx";
import { visible } from "../parts/visible.ts";
import { ago, dollars, time } from "../parts/words.ts";
import { send } from "../server/api.ts";
import { hrefOf } from "../server/route.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { Table } from "./table.tsx";

export function WorkersTable({ workers }: { workers: readonly WorkerView[] }) {
  return (
    <Table
      title="Workers"
      texts
      fits
      columns={["Worker", "State", "Sessions", "Version"]}
      empty="No worker runs: sessions wait in the queue. Start one with: wield serve --role worker"
    >
      {workers.map(({ id, places, running, version, seen, lost }) => (
        <tr key={id} className={lost ? "lost" : undefined}>
          <th scope="row" className="worker-name">
            {visible(id)}
          </th>
          <td className={lost ? "bad-text" : undefined}>
            {lost ? `not responding since ${time(seen)}` : "running"}
          </td>
          <td>
            {lost ? (
              running === 0 ? (
                "none"
              ) : (
                "taken over by other workers"
              )
            ) : (
              <>
                <meter
                  min={0}
                  max={places}
                  value={running}
                  aria-label={`${running} of ${places} places taken`}
                />
                {running} of {places}
              </>
            )}
          </td>
          <td>{visible(version)}</td>
        </tr>
      ))}
    </Table>
  );
}

const stateWords = { queued: "in the queue", running: "at work", waiting: "waiting", idle: "done" } as const;
const endWords: Partial<Record<NonNullable<TeamSessionView["ended"]>, string>> = {
  done: "done",
  error: "failed",
  aborted: "stopped",
};

/** What a session does, or how its last run ended, and why in one line. */
function stateOf({ state, note, ended, error }: TeamSessionView): { words: string; why: string | null } {
  if (state !== "idle" || ended === null) return { words: stateWords[state], why: note };
  const why = error ?? note;
  return { words: endWords[ended] ?? "ended at a limit", why: why?.split("\n")[0] ?? null };
}

function SessionState({ session }: { session: TeamSessionView }) {
  const { words, why } = stateOf(session);
  return (
    <td className="session-state">
      <span className={words === "failed" ? "bad-text" : undefined}>{words}</span>
      {why !== null && <span className="faint">: {visible(why)}</span>}
    </td>
  );
}

export function SessionsTable({
  sessions,
  onChanged,
}: {
  sessions: readonly TeamSessionView[];
  onChanged(): void;
}) {
  const { problem, attempt } = useAttempts();
  const stop = (id: string) =>
    attempt(async () => {
      await send(`/sessions/${id}/stop`);
      onChanged();
    });
  return (
    <>
      <Table
        title="Sessions"
        texts
        columns={["Session", "State", "Owner", "Project", "Worker", "Cost", "Changed", ""]}
        empty="No session yet."
      >
        {sessions.map((session) => {
          const { id, owner, project, state, worker, usd, updated } = session;
          const title = session.private === true ? `Private session of ${owner}` : session.title;
          return (
            <tr key={id}>
              <th scope="row" className="team-title">
                <a href={hrefOf("chat", id)} title={visible(title)}>
                  {visible(title) || "Not begun yet"}
                </a>
              </th>
              <SessionState session={session} />
              <td>{visible(owner)}</td>
              <td>{visible(project)}</td>
              <td>{worker !== null && visible(worker)}</td>
              <td>{dollars(usd)}</td>
              <td>{ago(updated)}</td>
              <td>
                {state !== "idle" && (
                  <button
                    type="button"
                    className="small"
                    aria-label={`Stop ${visible(title)}`}
                    onClick={() => void stop(id)}
                  >
                    Stop
                  </button>
                )}
              </td>
            </tr>
          );
        })}
      </Table>
      {problem && <Problem>{problem}</Problem>}
    </>
  );
}
