import { useState } from "react";
import type { WebhookView } from "../../../src/api/team.ts";
import { Problem } from "../parts/feedback.tsx";
import { visible } from "../parts/visible.ts";
import { ago } from "../parts/words.ts";
import { send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";
import { AddForm } from "./add-form.tsx";
import { ConfirmButton } from "./confirm-button.tsx";
import { ShownOnce } from "./shown-once.tsx";
import { Table } from "./table.tsx";

/** Other services that hear of sessions. */
export function Webhooks() {
  const webhooks = useFetched<WebhookView[]>("/webhooks", "sessions-change");
  const { problem, attempt } = useAttempts();
  const remove = (id: string) =>
    void attempt(() => send(`/webhooks/${id}`, {}, { method: "DELETE" })).then(webhooks.again);
  return (
    <>
      <Table
        title="Webhooks"
        columns={["Address", "Events", "Last answer", ""]}
        empty="None yet: other services can hear when a session ends or needs an approval."
      >
        {(webhooks.data ?? []).map(({ id, url, events, last_at, last_answer }) => (
          <tr key={id}>
            <th scope="row">{visible(url)}</th>
            <td>{events.replaceAll(",", ", ")}</td>
            <td>{last_at === null ? "no delivery yet" : `${visible(last_answer ?? "")}, ${ago(last_at)}`}</td>
            <td>
              <ConfirmButton
                action="Remove"
                name={visible(url)}
                effect="no more deliveries"
                onConfirm={() => remove(id)}
              />
            </td>
          </tr>
        ))}
      </Table>
      {(problem ?? webhooks.error) && <Problem>{problem ?? webhooks.error}</Problem>}
      <div className="team-forms">
        <AddWebhook onAdded={webhooks.again} />
      </div>
    </>
  );
}

function AddWebhook({ onAdded }: { onAdded(): void }) {
  const [secret, setSecret] = useState<string>();
  return (
    <AddForm
      title="Add a webhook"
      button="Add webhook"
      onAdd={async ({ url, ...events }) => {
        const body = { url, events: Object.keys(events) };
        setSecret((await send<{ secret: string }>("/webhooks", body)).secret);
        onAdded();
      }}
      after={
        secret !== undefined && <ShownOnce text={secret}>Deliveries are signed with this secret.</ShownOnce>
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
