import { type ReactNode, useState } from "react";
import type { StatusView } from "../../../src/api/api.ts";
import { Icon } from "../parts/icon.tsx";

/** Whether the next chat works in this folder or in a git worktree of its own; nothing at the page of a team. */
export function useWorktreeChoice(status: StatusView | undefined): { isOwn: boolean; choice?: ReactNode } {
  const [isOwn, setOwn] = useState(false);
  if (!status || status.team) return { isOwn: false };
  return {
    isOwn,
    choice: (
      <button
        type="button"
        className="quiet small"
        aria-label="New worktree"
        aria-pressed={isOwn}
        title="Work in a new git worktree: a separate checkout of the last commit, on a branch of its own. Your files stay as they are until you merge it."
        onClick={() => setOwn(!isOwn)}
      >
        <Icon name="changes" />
        {isOwn && "New worktree"}
      </button>
    ),
  };
}
