import { useState } from "react";
import type { AuditView, TeamPersonView } from "../../../src/api/team.ts";
import { Problem } from "../parts/feedback.tsx";
import { visible } from "../parts/visible.ts";
import { moment } from "../parts/words.ts";
import { download } from "../server/download.ts";
import { hrefOf } from "../server/route.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";
import { Table } from "./table.tsx";

const pageSize = 50;
const groups = {
  session: "Sessions",
  ask: "Approvals",
  question: "Questions",
  person: "People",
  token: "Tokens",
  key: "Keys",
  project: "Projects",
  limit: "Cost limits",
  schedule: "Schedules",
  webhook: "Webhooks",
  "sign-in": "Sign-ins",
} as const;

/** What somebody did. One that is not here, of a newer version, is shown as the API names it. */
const actionWords: Readonly<Record<string, string>> = {
  "session.start": "started a session",
  "session.say": "sent a message",
  "session.resume": "continued a session",
  "session.stop": "stopped a session",
  "session.withdraw": "withdrew a message",
  "session.read": "read a private session",
  "session.share": "shared a session",
  "session.unshare": "made a session private",
  "session.mode": "chose a permission mode",
  "session.model": "chose a model",
  "session.pull-request": "asked for a pull request",
  "ask.approve": "approved a request",
  "ask.deny": "denied a request",
  "question.answer": "answered a question",
  "question.decline": "declined a question",
  "person.add": "added a person",
  "person.role": "changed a role",
  "person.remove": "removed a person",
  "token.add": "made a token",
  "token.revoke": "revoked a token",
  "key.save": "saved a key",
  "key.remove": "removed a key",
  "project.add": "added a project",
  "project.change": "changed a project",
  "project.check": "had a project checked",
  "project.remove": "removed a project",
  "limit.set": "set a cost limit",
  "schedule.add": "added a schedule",
  "schedule.change": "changed a schedule",
  "schedule.now": "ran a schedule now",
  "schedule.run": "schedule started a session",
  "schedule.remove": "removed a schedule",
  "webhook.add": "added a webhook",
  "webhook.remove": "removed a webhook",
  "hook.hidden": "started no session for something confidential",
  "sign-in": "signed in",
};

/** Who did what, newest first. Nobody can change it. */
export function AuditLog({ people }: { people: readonly TeamPersonView[] }) {
  const [filter, setFilter] = useState({ person: "", action: "" });
  /** The last line of each page before this one. */
  const [pages, setPages] = useState<readonly string[]>([]);
  const { problem, busy, attempt } = useAttempts();
  const query = new URLSearchParams({ ...filter, limit: String(pageSize), before: pages.at(-1) ?? "" });
  const { data, error } = useFetched<AuditView[]>(`/audit?${query}`);
  const choose = (next: Partial<typeof filter>) => {
    setFilter({ ...filter, ...next });
    setPages([]);
  };
  const save = (format: string) =>
    void attempt(() => download(`/audit/export?${new URLSearchParams({ ...filter, format })}`));
  const last = data?.at(-1)?.seq;
  return (
    <>
      <h2>Audit log</h2>
      <p className="faint">
        Every change that somebody made, newest first. Lines are only added: nobody can change or remove one.
      </p>
      <div className="row audit-filter">
        <label>
          Person{" "}
          <input
            type="search"
            list="audit-people"
            placeholder="everybody"
            value={filter.person}
            onChange={({ target }) => choose({ person: target.value })}
          />
        </label>
        <datalist id="audit-people">
          {[...people.map(({ name }) => name), "command line"].map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <label>
          About{" "}
          <select value={filter.action} onChange={({ target }) => choose({ action: target.value })}>
            <option value="">everything</option>
            {Object.entries(groups).map(([action, words]) => (
              <option key={action} value={action}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <span className="grow" />
        <button type="button" className="small" disabled={busy} onClick={() => save("csv")}>
          Save as CSV
        </button>
        <button type="button" className="small" disabled={busy} onClick={() => save("jsonl")}>
          Save as JSON lines
        </button>
      </div>
      {(problem ?? error) && <Problem>{problem ?? error}</Problem>}
      {data && (
        <Table
          columns={["Time", "Person", "Action", "About", "Detail"]}
          label="Audit log"
          texts
          fits
          empty="Nothing that fits: choose another person or everything."
        >
          {data.map(({ seq, at, name, action, about, detail }) => (
            <tr key={seq}>
              <th scope="row">{moment(at)}</th>
              <td>{visible(name)}</td>
              <td title={action}>{actionWords[action] ?? action}</td>
              <td>
                <WithLinks text={about} />
              </td>
              <td className="wide">
                <WithLinks text={detail} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {(pages.length > 0 || data?.length === pageSize) && (
        <div className="row audit-pages">
          <button type="button" disabled={pages.length === 0} onClick={() => setPages(pages.slice(0, -1))}>
            Newer
          </button>
          <button
            type="button"
            disabled={last === undefined || (data?.length ?? 0) < pageSize}
            onClick={() => last !== undefined && setPages([...pages, last])}
          >
            Older
          </button>
        </div>
      )}
    </>
  );
}

/** Ids of sessions lead to them. */
function WithLinks({ text }: { text: string }) {
  return text.split(/\b(a_[a-z0-9]{10})(?![\w.])/).map((part, at) =>
    at % 2 === 0 ? (
      visible(part)
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a line of the log does not change
      <a key={at} href={hrefOf("chat", part)}>
        {part}
      </a>
    ),
  );
}
