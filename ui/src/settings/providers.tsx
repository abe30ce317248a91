import { Fragment } from "react";
import type { ProviderView } from "../../../src/api/settings.ts";
import { useFetched } from "../server/use-server.ts";

const states = { used: "in use", ready: "set up, not in use", missing: "not set up" } as const;

/** Models, search, weather and GitHub: what is set up, and how to set up the rest. Keys themselves never come here. */
export function Providers() {
  const { data = [] } = useFetched<readonly ProviderView[]>("/settings/providers", "settings-change");
  const groups = Map.groupBy(data, ({ group }) => group);
  return (
    <>
      <h2>Providers</h2>
      <p className="faint">
        What is set up, and how to set up the rest. Run wield doctor --check to see whether everything works.
      </p>
      {[...groups].map(([group, views]) => (
        <section key={group} aria-label={group}>
          <h3>{group}</h3>
          <dl className="card facts">
            {views.map(({ name, state, by, how }) => (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd>
                  {states[state]}
                  {by !== undefined && ` (${by})`}
                  {state === "missing" && <span className="faint">: {how}</span>}
                </dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
    </>
  );
}
