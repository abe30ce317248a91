import { type ReactNode, useState } from "react";
import type { StatusView } from "../../../src/api/api.ts";

/** Whether the next chat works in this folder or in a git worktree of its own; nothing at the page of a team. */
export function useWorktreeChoice(status: StatusView | undefined): { isOwn: boolean; choice?: ReactNode } {
  const [isOwn, setOwn] = useState(false);
  if (!status || status.team) return { isOwn: false };
  const here = status.worktree ? `Worktree ${status.worktree.name}` : "This folder";
  return {
    isOwn,
    choice: (
      <select
        className="small"
        aria-label="Where the chat works"
        title="A worktree is a separate checkout of the last commit, on a branch of its own: your files stay as they are until you merge it"
        value={isOwn ? "own" : "here"}
        onChange={({ target }) => setOwn(target.value === "own")}
      >
        <option value="here">{here}</option>
        <option value="own">New worktree</option>
      </select>
    ),
  };
}
