import { lazy, Suspense, useState } from "react";
import type { WorktreeView } from "../../../src/api/worktrees.ts";
import { Problem } from "../parts/feedback.tsx";
import { visible } from "../parts/visible.ts";
import { openFolder } from "../server/open-folder.ts";
import { useAttempts } from "../server/use-attempts.ts";

const WorktreeDialog = lazy(async () => ({
  default: (await import("./worktree-dialog.tsx")).WorktreeDialog,
}));

/** Above a chat that works in a worktree: which one, and the way to end it. */
export function WorktreeBar({ worktree }: { worktree: WorktreeView }) {
  const [ending, setEnding] = useState(false);
  const { problem, attempt } = useAttempts();
  const { name, branch, repository } = worktree;
  return (
    <div className="worktree-bar">
      <span className="grow" title={`A worktree of ${visible(repository)}`}>
        Worktree <strong>{name}</strong>, branch <code>{branch}</code> of{" "}
        <button
          type="button"
          className="repository"
          title="Go to the page of the repository"
          onClick={() => void attempt(() => openFolder(repository))}
        >
          {visible(repository.split("/").at(-1) ?? "")}
        </button>
        . New chats on this page work in it, too.
      </span>
      {problem && <Problem>{problem}</Problem>}
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
