import { type ReactNode, useEffect, useState } from "react";
import type { ProjectView, TeamStatusView } from "../../../src/api/team.ts";
import { hrefOf } from "../server/route.ts";
import { ProjectOptions } from "../team/project-options.tsx";

const key = "wield-project";

/**
 * Which project of a team the next session works on. The last choice is remembered, and the first project that was offered:
 * another one that is added later does not take its place. Nothing for one person's page.
 */
export function useProjectChoice(team: TeamStatusView | undefined): {
  project?: ProjectView;
  choice?: ReactNode;
} {
  const [chosen, setChosen] = useState(() => localStorage.getItem(key) ?? "");
  const usable = team?.projects.filter(({ readable }) => readable) ?? [];
  const first = chosen === "" ? usable[0]?.id : undefined;
  useEffect(() => {
    if (first === undefined) return;
    localStorage.setItem(key, first);
    setChosen(first);
  }, [first]);
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
