import { useState } from "react";
import type { ProjectView, ScheduleView } from "../../../src/api/team.ts";
import { Problem } from "../parts/feedback.tsx";
import { visible } from "../parts/visible.ts";
import { ago, moment } from "../parts/words.ts";
import { send } from "../server/api.ts";
import { hrefOf } from "../server/route.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";
import { AddForm } from "./add-form.tsx";
import { ConfirmButton } from "./confirm-button.tsx";
import { ProjectOptions } from "./project-options.tsx";
import { Table } from "./table.tsx";

/** Sessions that start at certain times: one's own, for an admin everybody's. */
export function Schedules({ projects }: { projects: readonly ProjectView[] }) {
  const schedules = useFetched<ScheduleView[]>("/schedules", "sessions-change");
  const { problem, attempt } = useAttempts();
  const [changed, setChanged] = useState<string>();
  const editing = schedules.data?.find(({ id }) => id === changed);
  const change = (path: string, method: "POST" | "DELETE") =>
    void attempt(() => send(path, {}, { method })).then(schedules.again);
  return (
    <>
      <Table
        title="Schedules"
        columns={["Schedule", "Project", "Owner", "Times", "Next", "Last", ""]}
        empty="None yet: sessions can start at certain times."
      >
        {(schedules.data ?? []).map((one) => (
          <tr key={one.id} aria-current={one.id === changed ? "true" : undefined}>
            <th scope="row" title={visible(one.prompt)}>
              {visible(one.name)}
            </th>
            <td>{visible(one.project)}</td>
            <td>{visible(one.owner)}</td>
            <td>
              {visible(one.cron)} {one.zone}
            </td>
            <td>{moment(one.next)}</td>
            <td className={one.problem === null ? "" : "bad-text wide"}>
              {one.last_session !== null && one.problem === null ? (
                <a href={hrefOf("chat", one.last_session)}>{ago(one.last_at ?? "")}</a>
              ) : one.problem === null ? (
                "never"
              ) : (
                visible(one.problem)
              )}
            </td>
            <td>
              <button
                type="button"
                className="small"
                aria-label={`Run now: ${visible(one.name)}`}
                onClick={() => change(`/schedules/${one.id}/run`, "POST")}
              >
                Run now
              </button>{" "}
              <button
                type="button"
                className="small"
                aria-label={`Change ${visible(one.name)}`}
                onClick={() => setChanged(one.id === changed ? undefined : one.id)}
              >
                Change
              </button>{" "}
              <ConfirmButton
                action="Remove"
                name={visible(one.name)}
                effect="it starts no more sessions"
                onConfirm={() => change(`/schedules/${one.id}`, "DELETE")}
              />
            </td>
          </tr>
        ))}
      </Table>
      {(problem ?? schedules.error) && <Problem>{problem ?? schedules.error}</Problem>}
      <div className="team-forms">
        {editing ? (
          <ScheduleForm
            key={editing.id}
            title={`Change ${visible(editing.name)}`}
            button="Save"
            schedule={editing}
            projects={projects}
            onGiven={async (given) => {
              await send(`/schedules/${editing.id}`, given);
              setChanged(undefined);
              schedules.again();
            }}
          />
        ) : (
          <ScheduleForm
            title="Add a schedule"
            button="Add schedule"
            projects={projects}
            onGiven={async (given) => {
              await send("/schedules", given);
              schedules.again();
            }}
          />
        )}
      </div>
    </>
  );
}

interface ScheduleFormProps {
  title: string;
  button: string;
  projects: readonly ProjectView[];
  /** The one that is changed. */
  schedule?: ScheduleView;
  onGiven(given: Record<string, string>): Promise<void>;
}

function ScheduleForm({ title, button, projects, schedule, onGiven }: ScheduleFormProps) {
  const project = projects.find(({ name }) => name === schedule?.project);
  return (
    <AddForm title={title} button={button} after={undefined} onAdd={onGiven}>
      <label>
        Name
        <input name="name" required maxLength={100} defaultValue={schedule?.name} />
      </label>
      <label>
        Project
        <select name="project" required defaultValue={project?.id}>
          <ProjectOptions projects={projects} />
        </select>
      </label>
      <label>
        Times, as a cron line
        <input
          name="cron"
          required
          placeholder="30 6 * * 1-5"
          maxLength={200}
          defaultValue={schedule?.cron}
        />
      </label>
      <label>
        Time zone
        <input
          name="zone"
          required
          maxLength={100}
          list="time-zones"
          defaultValue={schedule?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}
        />
      </label>
      <datalist id="time-zones">
        {["UTC", ...Intl.supportedValuesOf("timeZone")].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <label>
        Profile
        <select name="profile" defaultValue={schedule?.profile ?? "code"}>
          {["code", "explore", "research", "assistant"].map((profile) => (
            <option key={profile}>{profile}</option>
          ))}
        </select>
      </label>
      <label>
        Task
        <textarea name="prompt" required rows={3} maxLength={100_000} defaultValue={schedule?.prompt} />
      </label>
    </AddForm>
  );
}
