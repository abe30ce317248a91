import { lazy, Suspense, useState } from "react";
import type { WorktreeView } from "../../../src/api/worktrees.ts";
import { visible } from "../parts/visible.ts";

const WorktreeDialog = lazy(async () => ({
  default: (await import("./worktree-dialog.tsx")).WorktreeDialog,
}));

/** Above a chat that works in a worktree: which one, and the way to end it. */
export function WorktreeBar({ worktree }: { worktree: WorktreeView }) {
  const [ending, setEnding] = useState(false);
  const { name, branch, repository } = worktree;
  return (
    <div className="worktree-bar">
      <span className="grow" title={`A worktree of ${visible(repository)}`}>
        Worktree <strong>{name}</strong>, branch <code>{branch}</code> of{" "}
        {visible(repository.split("/").at(-1) ?? "")}
      </span>
      <button type="button" className="small" onClick={() => setEnding(true)}>
        Merge, keep or discard…
      </button>
      {ending && (
        <Suspense>
          <WorktreeDialog name={name} onClose={() => setEnding(false)} />
        </Suspense>
      )}
    </div>
  );
}
