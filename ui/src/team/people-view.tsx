import { useState } from "react";
import type { TeamPersonView } from "../../../src/api/team.ts";
import { Problem } from "../parts/feedback.tsx";
import { visible } from "../parts/visible.ts";
import { dollars, plural } from "../parts/words.ts";
import { send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { AddForm } from "./add-form.tsx";
import { ConfirmButton } from "./confirm-button.tsx";
import { LimitField } from "./limit-field.tsx";
import { ShownOnce, signInLink } from "./shown-once.tsx";
import { TokensView } from "./tokens-view.tsx";

const roles = ["member", "viewer", "admin", "bot"] as const;

/** Everybody with their role, sessions, cost and tokens. */
export function PeopleView({ people, onChanged }: { people: readonly TeamPersonView[]; onChanged(): void }) {
  return (
    <>
      <h2>People</h2>
      <p className="faint">
        An admin manages the team and sees every session, a member starts sessions, a viewer reads what is
        shared, a bot is for programs and answers no requests.
      </p>
      <ul className="card managed" aria-label="People">
        {people.map((person) => (
          <PersonItem key={person.name} person={person} onChanged={onChanged} />
        ))}
      </ul>
      <div className="team-forms">
        <AddPerson onAdded={onChanged} />
      </div>
    </>
  );
}

function PersonItem({ person, onChanged }: { person: TeamPersonView; onChanged(): void }) {
  const { name, role, sessions, active, usd, limit } = person;
  const [open, setOpen] = useState(false);
  const { problem, busy, attempt } = useAttempts();
  const path = `/people/${encodeURIComponent(name)}`;
  const shown = visible(name);
  const change = (work: () => Promise<unknown>) => void attempt(work).then(onChanged);
  const isOverLimit = limit !== null && usd >= limit;
  return (
    <li>
      <div className="row">
        <div className="grow">
          <strong>{shown}</strong>
          <div className={isOverLimit ? "bad-text" : "faint"}>
            {plural(sessions, "session")}, {active} at work, {dollars(usd)} this month
            {isOverLimit && ": the limit is reached"}
          </div>
        </div>
        <select
          className="small"
          aria-label={`Role of ${shown}`}
          value={role}
          disabled={busy}
          onChange={({ target }) => change(() => send(path, { role: target.value }))}
        >
          {roles.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <LimitField
          key={limit}
          of={shown}
          usd={limit}
          onSet={(next) => change(() => send("/limits", { usd: next, person: name }))}
        />
        <button
          type="button"
          className="small"
          aria-label={`Tokens of ${shown}`}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          Tokens
        </button>
        <ConfirmButton
          action="Remove"
          name={shown}
          effect="tokens end, sessions stop"
          disabled={busy}
          onConfirm={() => change(() => send(path, {}, { method: "DELETE" }))}
        />
      </div>
      {problem && <Problem>{problem}</Problem>}
      {open && <TokensView path={`${path}/tokens`} who={name} role={role} />}
    </li>
  );
}

function AddPerson({ onAdded }: { onAdded(): void }) {
  const [added, setAdded] = useState<{ name: string; token: string }>();
  return (
    <AddForm
      title="Add a person"
      button="Add person"
      onAdd={async (given) => {
        setAdded(await send<{ name: string; token: string }>("/people", given));
        onAdded();
      }}
      after={
        added && (
          <ShownOnce text={signInLink(added.token)}>
            {visible(added.name)} signs in with this address. Send it where only they can read it.
          </ShownOnce>
        )
      }
    >
      <label>
        Name
        <input name="name" required maxLength={100} />
      </label>
      <label>
        Role
        <select name="role">
          {roles.map((role) => (
            <option key={role}>{role}</option>
          ))}
        </select>
      </label>
    </AddForm>
  );
}
