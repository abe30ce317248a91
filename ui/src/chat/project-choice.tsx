import { type ReactNode, useState } from "react";
import type { ProjectView, TeamStatusView } from "../../../src/api/team.ts";
import { hrefOf } from "../server/route.ts";
import { ProjectOptions } from "../team/project-options.tsx";

const key = "wield-project";

/** Which project of a team the next session works on; the last choice is remembered. Nothing for one person's page. */
export function useProjectChoice(team: TeamStatusView | undefined): {
  project?: ProjectView;
  choice?: ReactNode;
} {
  const [chosen, setChosen] = useState(() => localStorage.getItem(key) ?? "");
  if (!team) return {};
  const { projects, person } = team;
  if (projects.length === 0)
    return {
      choice: (
        <span className="faint">
          {person.role === "admin" ? (
            <>
              There is no project yet: <a href={hrefOf("team", "projects")}>add one</a>
            </>
          ) : (
            "There is no project yet: an admin must add one"
          )}
        </span>
      ),
    };
  const usable = projects.filter(({ readable }) => readable);
  const project = usable.find(({ id }) => id === chosen) ?? usable[0] ?? projects[0];
  return {
    ...(project && { project }),
    choice: (
      <select
        className="small"
        aria-label="Project"
        title="The repository that the session works on"
        value={project?.id}
        onChange={({ target }) => {
          setChosen(target.value);
          localStorage.setItem(key, target.value);
        }}
      >
        <ProjectOptions projects={projects} />
      </select>
    ),
  };
}
