import { Problem } from "../parts/feedback.tsx";
import { Icon } from "../parts/icon.tsx";
import { visible } from "../parts/visible.ts";
import { openFolder } from "../server/open-folder.ts";
import { useAttempts } from "../server/use-attempts.ts";

/** Instead of the page of a worktree that has ended: what became of it, and the way to its repository. */
export function WorktreeEnded({ end, repository }: { end: string; repository: string }) {
  const { problem, busy, attempt } = useAttempts();
  return (
    <main className="locked">
      <span className="empty-icon">
        <Icon name="changes" size={22} />
      </span>
      <h1>{visible(end)}</h1>
      <p>Its chats can be read on the page of the repository.</p>
      <button
        type="button"
        className="primary"
        disabled={busy}
        onClick={() => void attempt(() => openFolder(repository))}
      >
        Open the repository
      </button>
      {problem && <Problem>{problem}</Problem>}
    </main>
  );
}
