import { useState } from "react";
import type { TokenView } from "../../../src/api/team.ts";
import { Problem } from "../parts/feedback.tsx";
import { visible } from "../parts/visible.ts";
import { ago, day } from "../parts/words.ts";
import { send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";
import { AddForm } from "./add-form.tsx";
import { ConfirmButton } from "./confirm-button.tsx";
import { ShownOnce, signInLink } from "./shown-once.tsx";

/** With the roles that have it: the server refuses a token that may do more than its person. */
const scopes = [
  { name: "read", words: "read", roles: ["admin", "member", "viewer", "bot"] },
  { name: "write", words: "start sessions and send messages", roles: ["admin", "member", "bot"] },
  { name: "approve", words: "answer approval requests", roles: ["admin", "member"] },
  { name: "admin", words: "manage the team", roles: ["admin"] },
];

interface TokensProps {
  /** Of whom, in the API: one's own, or those of a person. */
  path: string;
  /** Whose, in a sentence: "You", "ann". */
  who: string;
  role: string;
}

/** The tokens of a person: what each may do, when it was used, and a way to end it. */
export function TokensView({ path, who, role }: TokensProps) {
  const { data, error, again } = useFetched<TokenView[]>(path);
  const { problem, busy, attempt } = useAttempts();
  const revoke = (id: string) =>
    void attempt(() => send(`${path}/${encodeURIComponent(id)}`, {}, { method: "DELETE" })).then(again);
  return (
    <>
      {(problem ?? error) && <Problem>{problem ?? error}</Problem>}
      {data?.length === 0 && <p className="faint">{visible(who)} cannot sign in: there is no token.</p>}
      {data && data.length > 0 && (
        <ul className="card managed" aria-label="Tokens">
          {data.map((token) => (
            <li key={token.id}>
              <div className="row">
                <div className="grow">
                  <strong>{visible(token.label) || "No name"}</strong>{" "}
                  {token.current && <span className="tag ok">this browser</span>}
                  <div className="faint">{wordsFor(token)}</div>
                </div>
                <ConfirmButton
                  action="Revoke"
                  name={`token ${visible(token.label) || day(token.at)}`}
                  effect="whoever uses it is signed out"
                  disabled={busy}
                  onConfirm={() => revoke(token.id)}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
      <div className="team-forms">
        <AddToken path={path} role={role} onAdded={again} />
      </div>
    </>
  );
}

function wordsFor({ scopes: only, at, used, expires }: TokenView): string {
  const may = only === null ? "All rights" : `May ${only.join(", ")}`;
  const last = used === null ? "never used" : `last used ${ago(used)}`;
  const end = expires === null ? "does not expire" : `expires ${day(expires)}`;
  return `${may}; made ${day(at)}, ${last}, ${end}`;
}

function AddToken({ path, role, onAdded }: Omit<TokensProps, "who"> & { onAdded(): void }) {
  const [token, setToken] = useState<string>();
  return (
    <AddForm
      title="New token"
      button="Create token"
      onAdd={async ({ label, days, ...chosen }) => {
        const body = { label, days: Number(days), ...scopesIn(Object.keys(chosen)) };
        setToken((await send<{ token: string }>(path, body)).token);
        onAdded();
      }}
      after={
        token !== undefined && (
          <>
            <ShownOnce text={token}>For a program, as a bearer token.</ShownOnce>
            <ShownOnce text={signInLink(token)}>For a browser, as an address that signs in.</ShownOnce>
          </>
        )
      }
    >
      <label>
        What it is for
        <input name="label" required maxLength={100} placeholder="Laptop, build server, …" />
      </label>
      <label>
        Valid for
        <select name="days" defaultValue="90">
          <option value="1">1 day</option>
          <option value="7">7 days</option>
          <option value="30">30 days</option>
          <option value="90">90 days</option>
          <option value="365">1 year</option>
        </select>
      </label>
      <fieldset className="checks">
        <legend>Rights (none chosen: all rights of this person)</legend>
        {scopes
          .filter(({ roles }) => roles.includes(role))
          .map(({ name, words }) => (
            <label className="check" key={name}>
              <input type="checkbox" name={name} /> {words}
            </label>
          ))}
      </fieldset>
    </AddForm>
  );
}

function scopesIn(chosen: readonly string[]): { scopes?: readonly string[] } {
  return chosen.length === 0 ? {} : { scopes: chosen };
}
