import { useState } from "react";
import type { KeyView } from "../../../src/api/keys.ts";
import type { SavedKeyView } from "../../../src/api/team.ts";
import { Problem } from "../parts/feedback.tsx";
import { visible } from "../parts/visible.ts";
import { day } from "../parts/words.ts";
import { send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";
import { AddForm } from "./add-form.tsx";
import { ConfirmButton } from "./confirm-button.tsx";

type KnownKey = Omit<KeyView, "source">;

/** Keys of providers: those of the team, or one's own, which come first. They are entered here and never shown again. */
export function KeysView({ ofTeam, onChanged }: { ofTeam: boolean; onChanged(): void }) {
  const saved = useFetched<SavedKeyView[]>("/keys");
  const known = useFetched<KnownKey[]>("/keys/known");
  const { problem, busy, attempt } = useAttempts();
  const keys = (saved.data ?? []).filter(({ team }) => team === ofTeam);
  const labelOf = (name: string) => known.data?.find(({ variable }) => variable === name)?.label ?? name;
  const changed = () => {
    saved.again();
    onChanged();
  };
  const remove = (name: string) =>
    void attempt(() =>
      send(`${ofTeam ? "/team" : ""}/keys/${encodeURIComponent(name)}`, {}, { method: "DELETE" }),
    ).then(changed);
  return (
    <>
      {(problem ?? saved.error) && <Problem>{problem ?? saved.error}</Problem>}
      {saved.data && keys.length === 0 && (
        <p className="faint">
          {ofTeam
            ? "None yet. Without a key here or on the workers, sessions use the built-in offline model, which only understands simple requests."
            : "None yet: your sessions use the team's keys."}
        </p>
      )}
      {keys.length > 0 && (
        <ul className="card managed" aria-label="Keys">
          {keys.map(({ name, at, by }) => (
            <li key={name}>
              <div className="row">
                <div className="grow">
                  <strong>{labelOf(name)}</strong> <code>{name}</code>
                  <div className="faint">
                    Set {day(at)}
                    {by !== null && ` by ${visible(by)}`}
                  </div>
                </div>
                <ConfirmButton
                  action="Remove"
                  name={`the key ${name}`}
                  effect="sessions no longer use it"
                  disabled={busy}
                  onConfirm={() => remove(name)}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
      <div className="team-forms">
        <AddKey known={known.data ?? []} ofTeam={ofTeam} onAdded={changed} />
      </div>
    </>
  );
}

function AddKey({
  known,
  ofTeam,
  onAdded,
}: {
  known: readonly KnownKey[];
  ofTeam: boolean;
  onAdded(): void;
}) {
  const [added, setAdded] = useState<string>();
  return (
    <AddForm
      title={ofTeam ? "Set or replace a key of the team" : "Set or replace a key of yours"}
      button="Save key"
      onAdd={async ({ name = "", value }) => {
        await send("/keys", { name, value, team: ofTeam });
        setAdded(name);
        onAdded();
      }}
      after={
        added !== undefined && (
          <p role="status">
            {added} is saved, encrypted. {ofTeam ? "Sessions of everybody" : "Your sessions"} use it from
            their next run on.
          </p>
        )
      }
    >
      <label>
        Provider
        <select name="name">
          {known.map(({ variable, label }) => (
            <option key={variable} value={variable}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label>
        Key
        <input
          name="value"
          type="password"
          autoComplete="off"
          spellCheck={false}
          required
          maxLength={10_000}
        />
      </label>
    </AddForm>
  );
}
