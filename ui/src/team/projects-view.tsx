import { useState } from "react";
import type { TeamProjectView } from "../../../src/api/team.ts";
import { Problem } from "../parts/feedback.tsx";
import { visible } from "../parts/visible.ts";
import { ago, plural } from "../parts/words.ts";
import { send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { AddForm } from "./add-form.tsx";
import { ConfirmButton } from "./confirm-button.tsx";

interface ProjectsProps {
  projects: readonly TeamProjectView[];
  /** Some worker runs, so projects are checked soon. */
  isWorked: boolean;
  onChanged(): void;
}

/** The repositories that sessions work on, and whether workers can read them. */
export function ProjectsView({ projects, isWorked, onChanged }: ProjectsProps) {
  return (
    <>
      <h2>Projects</h2>
      {projects.length === 0 ? (
        <p className="faint">None yet. Sessions need a git repository that every worker can reach.</p>
      ) : (
        <ul className="card managed" aria-label="Projects">
          {projects.map((project) => (
            <ProjectItem key={project.id} project={project} isWorked={isWorked} onChanged={onChanged} />
          ))}
        </ul>
      )}
      <div className="team-forms">
        <AddForm
          title="Add a project"
          button="Add project"
          after={undefined}
          onAdd={async (given) => {
            await send("/projects", given);
            onChanged();
          }}
        >
          <label>
            Name
            <input
              name="name"
              required
              maxLength={100}
              pattern="[\w.\-]+"
              title="Letters, digits and . _ - without spaces"
            />
          </label>
          <PlaceFields />
        </AddForm>
      </div>
    </>
  );
}

function PlaceFields({ project }: { project?: TeamProjectView }) {
  return (
    <>
      <label>
        Git address
        <input
          name="url"
          required
          maxLength={2000}
          placeholder="git@example.org:team/app.git"
          defaultValue={project?.url.includes("//…@") ? "" : project?.url}
        />
      </label>
      <label>
        Branch that sessions begin with
        <input name="ref" required maxLength={200} defaultValue={project?.ref ?? "main"} />
      </label>
      <label>
        What becomes of changes
        <select name="result" defaultValue={project?.result ?? "branch"}>
          <option value="branch">a branch</option>
          <option value="pull-request">a branch and a pull request (GitHub, GitLab)</option>
        </select>
      </label>
    </>
  );
}

function ProjectItem({
  project,
  isWorked,
  onChanged,
}: { project: TeamProjectView } & Omit<ProjectsProps, "projects">) {
  const { id, name, url, ref, result, sessions } = project;
  const [open, setOpen] = useState(false);
  const { problem, busy, attempt } = useAttempts();
  const path = `/projects/${id}`;
  const change = (work: () => Promise<unknown>) => void attempt(work).then(onChanged);
  return (
    <li>
      <div className="row">
        <div className="grow">
          <strong>{visible(name)}</strong> <State project={project} isWorked={isWorked} />
          <div className="faint">
            <code>{visible(url)}</code>, branch <code>{visible(ref)}</code>
            {result === "pull-request" && ", with pull requests"}, {plural(sessions, "session")}
          </div>
        </div>
        <button
          type="button"
          className="small"
          aria-label={`Check again: ${visible(name)}`}
          disabled={busy}
          onClick={() => change(() => send(`${path}/check`))}
        >
          Check again
        </button>
        <button
          type="button"
          className="small"
          aria-label={`Change ${visible(name)}`}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          Change
        </button>
        <ConfirmButton
          action="Remove"
          name={visible(name)}
          effect="no more sessions in it"
          disabled={busy}
          onConfirm={() => change(() => send(path, {}, { method: "DELETE" }))}
        />
      </div>
      {project.problem !== null && <p className="bad-text">{visible(project.problem)}</p>}
      {problem && <Problem>{problem}</Problem>}
      {open && (
        <div className="team-forms">
          <AddForm
            title={`Change ${visible(name)}`}
            button="Save"
            after={undefined}
            onAdd={async (given) => {
              await send(path, given);
              setOpen(false);
              onChanged();
            }}
          >
            <PlaceFields project={project} />
          </AddForm>
        </div>
      )}
    </li>
  );
}

function State({
  project: { checked, problem },
  isWorked,
}: Pick<Parameters<typeof ProjectItem>[0], "project" | "isWorked">) {
  if (problem !== null) return <span className="tag bad">cannot be used</span>;
  if (checked !== null) return <span className="tag ok">checked {ago(checked)}</span>;
  return (
    <span className="tag" role="status">
      {isWorked ? "a worker checks it…" : "not checked: no worker runs"}
    </span>
  );
}
