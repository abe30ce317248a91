import type { ProjectView, TeamView } from "../../../src/api/team.ts";
import { PageHead, Problem } from "../parts/feedback.tsx";
import { Figures } from "../parts/figures.tsx";
import { dollars, plural } from "../parts/words.ts";
import { useRefresh } from "../server/use-refresh.ts";
import { useFetched } from "../server/use-server.ts";
import { AddPerson, AddProject } from "./add-forms.tsx";
import { Automation } from "./automation.tsx";
import { CostTables } from "./cost-tables.tsx";
import { PeopleTable } from "./people-table.tsx";
import { SessionsTable, WorkersTable } from "./work-tables.tsx";

/** For administrators: who works on what, how much waits, and what it costs. */
export function TeamPage({ projects }: { projects: readonly ProjectView[] }) {
  const { data, error, again } = useFetched<TeamView>("/team", "sessions-change");
  useRefresh(again);
  return (
    <section className="page team">
      <PageHead title="Team">Workers, sessions, people and cost of the whole team.</PageHead>
      {error && <Problem>{error}</Problem>}
      {data && (
        <>
          <TeamFigures team={data} />
          <WorkersTable workers={data.workers} />
          <SessionsTable sessions={data.sessions} onChanged={again} />
          <PeopleTable people={data.people} teamLimit={data.cost.limit} onChanged={again} />
          <CostTables cost={data.cost} />
          <Automation projects={projects} />
          <h2>People and projects</h2>
          <div className="team-forms">
            <AddPerson onAdded={again} />
            <AddProject />
          </div>
        </>
      )}
    </section>
  );
}

function TeamFigures({ team }: { team: TeamView }) {
  const { workers, queue, states, asks, cost } = team;
  const places = workers.reduce((sum, worker) => sum + worker.places, 0);
  const figures = [
    { name: "Workers", value: workers.length, note: `${plural(places, "place")} for sessions` },
    { name: "At work", value: states.running, note: `${plural(queue.queued, "session")} in the queue` },
    {
      name: "Waiting for people",
      value: states.waiting,
      note: asks === 0 ? "no open approval requests" : plural(asks, "open approval request"),
    },
    {
      name: "Cost this month",
      value: dollars(cost.month.usd),
      note: cost.limit === null ? "no limit" : `of ${dollars(cost.limit)}`,
    },
  ];
  return <Figures figures={figures} />;
}
