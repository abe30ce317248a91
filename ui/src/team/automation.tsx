import { useState } from "react";
import type { ProjectView, ScheduleView, WebhookView } from "../../../src/api/team.ts";
import { Problem } from "../parts/feedback.tsx";
import { visible } from "../parts/visible.ts";
import { ago } from "../parts/words.ts";
import { send } from "../server/api.ts";
import { hrefOf } from "../server/route.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";
import { AddForm } from "./add-form.tsx";
import { Table } from "./table.tsx";

/** Sessions that start on a schedule, and services that are notified of sessions. */
export function Automation({ projects }: { projects: readonly ProjectView[] }) {
  const schedules = useFetched<ScheduleView[]>("/schedules", "sessions-change");
  const webhooks = useFetched<WebhookView[]>("/webhooks", "sessions-change");
  const { problem, attempt } = useAttempts();
  const change = (path: string, method: "POST" | "DELETE") =>
    void attempt(async () => {
      await send(path, {}, { method });
      schedules.again();
      webhooks.again();
    });
  return (
    <>
      <Table
        title="Schedules"
        columns={["Schedule", "Project", "Owner", "Times", "Next", "Last", ""]}
        empty="None yet: sessions can start at certain times."
      >
        {(schedules.data ?? []).map((one) => (
          <tr key={one.id}>
            <th scope="row" title={visible(one.prompt)}>
              {visible(one.name)}
            </th>
            <td>{visible(one.project)}</td>
            <td>{visible(one.owner)}</td>
            <td>
              {visible(one.cron)} {one.zone}
            </td>
            <td>
              {new Date(one.next).toLocaleString(undefined, { dateStyle: "short", timeStyle: "short" })}
            </td>
            <td className={one.problem === null ? "" : "bad-text"} title={one.problem ?? undefined}>
              {one.last_session !== null && one.problem === null ? (
                <a href={hrefOf("chat", one.last_session)}>{ago(one.last_at ?? "")}</a>
              ) : one.problem === null ? (
                "never"
              ) : (
                "not started"
              )}
            </td>
            <td>
              <button
                type="button"
                className="small"
                aria-label={`Run ${visible(one.name)} now`}
                onClick={() => change(`/schedules/${one.id}/run`, "POST")}
              >
                Run now
              </button>{" "}
              <button
                type="button"
                className="small"
                aria-label={`Remove ${visible(one.name)}`}
                onClick={() => change(`/schedules/${one.id}`, "DELETE")}
              >
                Remove
              </button>
            </td>
          </tr>
        ))}
      </Table>
      <Table
        title="Webhooks"
        columns={["Address", "Events", "Last answer", ""]}
        empty="None yet: other services can hear when a session ends or needs an approval."
      >
        {(webhooks.data ?? []).map(({ id, url, events, last_at, last_answer }) => (
          <tr key={id}>
            <th scope="row">{visible(url)}</th>
            <td>{events.replaceAll(",", ", ")}</td>
            <td>{last_at === null ? "never told" : `${visible(last_answer ?? "")}, ${ago(last_at)}`}</td>
            <td>
              <button
                type="button"
                className="small"
                aria-label={`Remove ${visible(url)}`}
                onClick={() => change(`/webhooks/${id}`, "DELETE")}
              >
                Remove
              </button>
            </td>
          </tr>
        ))}
      </Table>
      {problem && <Problem>{problem}</Problem>}
      <div className="team-forms">
        <AddSchedule projects={projects} onAdded={schedules.again} />
        <AddWebhook onAdded={webhooks.again} />
      </div>
    </>
  );
}

function AddSchedule({ projects, onAdded }: { projects: readonly ProjectView[]; onAdded(): void }) {
  return (
    <AddForm
      title="Schedule"
      button="Add schedule"
      after={undefined}
      onAdd={async (given) => {
        await send("/schedules", { ...given, zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
        onAdded();
      }}
    >
      <label>
        Name
        <input name="name" required maxLength={100} />
      </label>
      <label>
        Project
        <select name="project" required>
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {visible(name)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Times, as a cron line
        <input name="cron" required placeholder="30 6 * * 1-5" maxLength={200} />
      </label>
      <label>
        Profile
        <select name="profile">
          {["code", "explore", "research", "assistant"].map((profile) => (
            <option key={profile}>{profile}</option>
          ))}
        </select>
      </label>
      <label>
        Task
        <textarea name="prompt" required rows={3} maxLength={100_000} />
      </label>
    </AddForm>
  );
}

function AddWebhook({ onAdded }: { onAdded(): void }) {
  const [secret, setSecret] = useState<string>();
  return (
    <AddForm
      title="Webhook"
      button="Add webhook"
      onAdd={async ({ url, ...events }) => {
        const body = { url, events: Object.keys(events) };
        setSecret((await send<{ secret: string }>("/webhooks", body)).secret);
        onAdded();
      }}
      after={
        secret !== undefined && (
          <p role="status">
            Deliveries are signed with this secret. It is shown once: <code className="token">{secret}</code>
          </p>
        )
      }
    >
      <label>
        Address
        <input name="url" type="url" required placeholder="https://example.org/hook" maxLength={2000} />
      </label>
      <label className="check">
        <input type="checkbox" name="session.ended" defaultChecked /> A session has ended
      </label>
      <label className="check">
        <input type="checkbox" name="approval.needed" defaultChecked /> An approval is needed
      </label>
    </AddForm>
  );
}
