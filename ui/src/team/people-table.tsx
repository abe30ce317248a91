import { useState } from "react";
import type { TeamPersonView } from "../../../src/api/team.ts";
import { Problem } from "../parts/feedback.tsx";
import { visible } from "../parts/visible.ts";
import { dollars } from "../parts/words.ts";
import { send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { Table } from "./table.tsx";

interface PeopleProps {
  people: readonly TeamPersonView[];
  /** US dollars a month; null: none. */
  teamLimit: number | null;
  onChanged(): void;
}

/** Everybody with their sessions and cost, and what each may spend in a month. */
export function PeopleTable({ people, teamLimit, onChanged }: PeopleProps) {
  const { problem, attempt } = useAttempts();
  const limit = (usd: number | null, person?: string) =>
    void attempt(async () => {
      await send("/limits", { usd, ...(person !== undefined && { person }) });
      onChanged();
    });
  return (
    <>
      <Table
        title="People"
        columns={["Person", "Role", "Sessions", "At work", "Cost this month", "Limit a month"]}
        empty="Nobody yet."
      >
        {people.map(({ name, role, sessions, active, usd, limit: cap }) => (
          <tr key={name}>
            <th scope="row">{visible(name)}</th>
            <td>{role}</td>
            <td>{sessions}</td>
            <td>{active}</td>
            <td className={cap !== null && usd >= cap ? "bad-text" : ""}>{dollars(usd)}</td>
            <td>
              <LimitField
                key={cap}
                label={`Limit of ${visible(name)}, US dollars a month`}
                usd={cap}
                onSet={(next) => limit(next, name)}
              />
            </td>
          </tr>
        ))}
      </Table>
      <div className="team-limit">
        <span>Limit of the whole team, US dollars a month</span>
        <LimitField
          key={teamLimit}
          label="Limit of the whole team, US dollars a month"
          usd={teamLimit}
          onSet={limit}
        />
      </div>
      {problem && <Problem>{problem}</Problem>}
    </>
  );
}

/** Saved when the field is left or Enter is pressed; empty means no limit. */
function LimitField({
  label,
  usd,
  onSet,
}: {
  label: string;
  usd: number | null;
  onSet(usd: number | null): void;
}) {
  const [text, setText] = useState(usd === null ? "" : String(usd));
  const save = () => {
    const next = text.trim() === "" ? null : Number(text);
    if (next !== usd && (next === null || (Number.isFinite(next) && next >= 0))) onSet(next);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <input
        className="limit"
        type="number"
        min={0}
        step="any"
        inputMode="decimal"
        placeholder="none"
        aria-label={label}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={save}
      />
    </form>
  );
}
