import type { ReactNode } from "react";
import type { TeamView } from "../../../src/api/team.ts";
import { PageHead, Problem } from "../parts/feedback.tsx";
import { Figures } from "../parts/figures.tsx";
import { visible } from "../parts/visible.ts";
import { dollars, plural } from "../parts/words.ts";
import { send } from "../server/api.ts";
import { hrefOf } from "../server/route.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useRefresh } from "../server/use-refresh.ts";
import { useFetched } from "../server/use-server.ts";
import { AuditLog } from "./audit-view.tsx";
import { CostTables } from "./cost-tables.tsx";
import { KeysView } from "./keys-view.tsx";
import { LimitField } from "./limit-field.tsx";
import { PeopleView } from "./people-view.tsx";
import { ProjectsView } from "./projects-view.tsx";
import { Schedules } from "./schedules.tsx";
import { Webhooks } from "./webhooks.tsx";
import { SessionsTable, WorkersTable } from "./work-tables.tsx";

interface SectionProps {
  team: TeamView;
  onChanged(): void;
}

const sections: Readonly<Record<string, { label: string; view(props: SectionProps): ReactNode }>> = {
  work: { label: "Work", view: Work },
  people: {
    label: "People",
    view: ({ team, onChanged }) => (
      <>
        <UnpricedModels models={team.cost.models} />
        <PeopleView people={team.people} onChanged={onChanged} />
      </>
    ),
  },
  projects: {
    label: "Projects",
    view: ({ team, onChanged }) => (
      <ProjectsView
        projects={team.projects}
        isWorked={team.workers.some(({ lost }) => !lost)}
        onChanged={onChanged}
      />
    ),
  },
  keys: { label: "Keys", view: TeamKeys },
  automation: {
    label: "Automation",
    view: ({ team }) => (
      <>
        <Schedules projects={team.projects} />
        <Webhooks />
      </>
    ),
  },
  cost: { label: "Cost", view: Cost },
  audit: { label: "Audit log", view: ({ team }) => <AuditLog people={team.people} /> },
};

/** For administrators: who works on what, who may do what, and what it costs. */
export function TeamPage({ item = "work" }: { item: string | undefined }) {
  const { data, error, again } = useFetched<TeamView>("/team", "sessions-change");
  useRefresh(again);
  const View = (sections[item] ?? sections["work"])?.view;
  return (
    <section className="page team">
      <PageHead title="Team">What runs, who may do what, and what it costs.</PageHead>
      <nav className="tabs" aria-label="Parts of the team">
        {Object.entries(sections).map(([name, { label }]) => (
          <a key={name} href={hrefOf("team", name)} aria-current={name === item ? "page" : undefined}>
            {label}
          </a>
        ))}
      </nav>
      {error && <Problem>{error}</Problem>}
      {data && View && <View team={data} onChanged={again} />}
    </section>
  );
}

function Work({ team, onChanged }: SectionProps) {
  return (
    <>
      <TeamFigures team={team} />
      <WorkersTable workers={team.workers} />
      <SessionsTable sessions={team.sessions} onChanged={onChanged} />
    </>
  );
}

function TeamFigures({ team }: { team: TeamView }) {
  const { queue, states, asks, cost } = team;
  const workers = team.workers.filter(({ lost }) => !lost);
  const places = workers.reduce((sum, worker) => sum + worker.places, 0);
  const figures = [
    { name: "Workers", value: workers.length, note: `${plural(places, "place")} for sessions` },
    { name: "At work", value: states.running, note: `${plural(queue.queued, "session")} in the queue` },
    {
      name: "Waiting for people",
      value: asks,
      note: "open approval requests and questions",
    },
    {
      name: "Cost this month",
      value: dollars(cost.month.usd),
      note: cost.limit === null ? "no limit" : `of ${dollars(cost.limit)}`,
    },
  ];
  return <Figures figures={figures} />;
}

function TeamKeys({ onChanged }: SectionProps) {
  return (
    <>
      <h2>Keys of the team</h2>
      <p className="faint">
        Sessions of everybody use them, unless a person has a key of their own. A key is kept encrypted, only
        workers read it, and it is never shown again.
      </p>
      <KeysView ofTeam onChanged={onChanged} />
    </>
  );
}

function Cost({ team: { cost }, onChanged }: SectionProps) {
  const { problem, attempt } = useAttempts();
  return (
    <>
      <h2>Limit</h2>
      <p className="faint">
        What the whole team may cost in a calendar month, in US dollars. At the limit no session starts or
        continues. A limit for one person is in the list of people.
      </p>
      <LimitField
        key={cost.limit}
        of="the whole team"
        usd={cost.limit}
        onSet={(usd) => void attempt(() => send("/limits", { usd })).then(onChanged)}
      />
      <UnpricedModels models={cost.models} />
      {problem && <Problem>{problem}</Problem>}
      <CostTables cost={cost} />
    </>
  );
}

/** A limit cannot hold for what has no price. */
function UnpricedModels({ models }: { models: TeamView["cost"]["models"] }) {
  const names = models.filter(({ unpriced }) => unpriced > 0).map(({ name }) => visible(name) || "not named");
  if (names.length === 0) return null;
  return (
    <p className="banner" role="note">
      No price is known for {names.join(", ")}: its steps cost nothing in these sums. Under a limit, sessions
      do not run with a model without a price. Fetch prices on the workers with{" "}
      <code>wield prices --refresh</code>, or set them in their settings.
    </p>
  );
}
