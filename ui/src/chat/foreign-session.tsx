import { Problem } from "../parts/feedback.tsx";
import { visible } from "../parts/visible.ts";
import { send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";

/** Instead of the composer: a session works in its own folder. */
export function ForeignSession({ folder }: { folder: string }) {
  const { problem, busy, attempt } = useAttempts();
  const open = async () => {
    const { address } = await send<{ address: string }>("/folders", { folder });
    location.assign(`${address}&to=${encodeURIComponent(location.hash.slice(1))}`);
  };
  return (
    <div className="foreign card">
      <p>
        This chat belongs to <code>{visible(folder)}</code>. You can read and save it here, and continue it
        there.
      </p>
      <button type="button" disabled={busy} onClick={() => void attempt(open)}>
        Open that folder
      </button>
      {problem && <Problem>{problem}</Problem>}
    </div>
  );
}
