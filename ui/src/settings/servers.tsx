import { Fragment, useState } from "react";
import type { ServersView } from "../../../src/api/api.ts";
import { Problem } from "../parts/feedback.tsx";
import { send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";

/** MCP servers: those in use, sign-ins, and servers of other programs that can be added. */
export function Servers() {
  const { data, again } = useFetched<ServersView>("/settings/servers", "settings-change");
  const { problem, busy, attempt } = useAttempts();
  const [address, setAddress] = useState<{ name: string; url: string }>();
  if (!data || (data.used.length === 0 && data.found.length === 0 && data.problems.length === 0)) return null;
  const add = (id: string) => attempt(() => send("/settings/servers/add", { ids: [id] })).finally(again);
  const signIn = (name: string) =>
    attempt(async () => {
      const { url } = await send<{ url: string }>("/settings/servers/login", { name });
      setAddress({ name, url });
    });
  return (
    <section aria-label="MCP servers">
      <h2>MCP servers</h2>
      {problem && <Problem>{problem}</Problem>}
      {data.used.length > 0 && (
        <dl className="card facts">
          {data.used.map(({ name, problem: trouble, signIn: needed }) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>
                {trouble ?? "in use"}{" "}
                {needed && address?.name !== name && (
                  <button type="button" disabled={busy} onClick={() => void signIn(name)}>
                    Sign in
                  </button>
                )}
                {needed && address?.name === name && (
                  <a href={address.url} target="_blank" rel="noreferrer">
                    Open the sign-in page
                  </a>
                )}
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
      {data.found.length > 0 && (
        <>
          <p className="faint">Other programs use these here. Wield runs none of them until you add it.</p>
          <dl className="card facts">
            {data.found.map(({ id, name, from, what }) => (
              <Fragment key={id}>
                <dt>{name}</dt>
                <dd>
                  {what} <span className="faint">({from})</span>{" "}
                  <button type="button" disabled={busy} onClick={() => void add(id)}>
                    Add {name}
                  </button>
                </dd>
              </Fragment>
            ))}
          </dl>
        </>
      )}
      {data.problems.map((line) => (
        <p key={line} className="faint">
          {line}
        </p>
      ))}
    </section>
  );
}
