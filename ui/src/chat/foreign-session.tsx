import { Problem } from "../parts/feedback.tsx";
import { visible } from "../parts/visible.ts";
import { openFolder } from "../server/open-folder.ts";
import { useAttempts } from "../server/use-attempts.ts";

interface ForeignSessionProps {
  folder: string;
  worktree: string | undefined;
  /** What became of the worktree, once it has ended. */
  worktreeEnd: string | undefined;
}

/** Instead of the composer: a session works in its own folder. */
export function ForeignSession({ folder, worktree, worktreeEnd }: ForeignSessionProps) {
  const { problem, busy, attempt } = useAttempts();
  if (worktreeEnd !== undefined)
    return (
      <div className="foreign card">
        <p>{visible(worktreeEnd)} You can read and save this chat here. To go on, start a new chat.</p>
      </div>
    );
  const open = () => openFolder(folder, location.hash.slice(1));
  return (
    <div className="foreign card">
      <p>
        {worktree === undefined ? (
          <>
            This chat belongs to <code>{visible(folder)}</code>.
          </>
        ) : (
          <>
            This chat works in the worktree <strong>{worktree}</strong>.
          </>
        )}{" "}
        You can read and save it here, and continue it there.
      </p>
      <button type="button" disabled={busy} onClick={() => void attempt(open)}>
        {worktree === undefined ? "Open that folder" : "Open the worktree"}
      </button>
      {problem && <Problem>{problem}</Problem>}
    </div>
  );
}
