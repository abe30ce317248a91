import { Problem } from "../parts/feedback.tsx";
import { visible } from "../parts/visible.ts";
import { send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";

/** Instead of the composer: a session works in its own folder. */
export function ForeignSession({ folder, worktree }: { folder: string; worktree: string | undefined }) {
  const { problem, busy, attempt } = useAttempts();
  const open = async () => {
    const { address } = await send<{ address: string }>("/folders", { folder });
    location.assign(`${address}&to=${encodeURIComponent(location.hash.slice(1))}`);
  };
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
