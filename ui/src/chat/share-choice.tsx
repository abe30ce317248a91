import { type ReactNode, useState } from "react";

/** Who of a team can read the next session. */
export function useShareChoice(): { isShared: boolean; choice: ReactNode } {
  const [isShared, setShared] = useState(false);
  return {
    isShared,
    choice: (
      <select
        className="small"
        aria-label="Who can read it"
        title="Only you write to it; you can change this later"
        value={isShared ? "team" : "own"}
        onChange={({ target }) => setShared(target.value === "team")}
      >
        <option value="own">Private</option>
        <option value="team">Shared</option>
      </select>
    ),
  };
}
