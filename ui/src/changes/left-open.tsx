import type { CallView, LeftView } from "../../../src/api/api.ts";
import { Problem } from "../parts/feedback.tsx";
import { highlight } from "../parts/highlight.tsx";
import { aboutCall, ago } from "../parts/words.ts";
import { send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";

/** Approval requests that an earlier process left pending. If their files have changed since, they are shown and asked again. */
export function LeftOpen({ left, onAnswered }: { left: readonly LeftView[]; onAnswered(): void }) {
  const { problem, busy, attempt } = useAttempts();
  const answer = async (id: string, approved: boolean) => {
    await attempt(async () => {
      const { result } = await send<CallView>(`/approvals/left/${id}`, { approved });
      if (!result.ok && result.error.code !== "APPROVAL_DENIED") throw new Error(result.error.message);
    });
    onAnswered();
  };
  if (left.length === 0 && problem === undefined) return null;
  return (
    <section className="left-open" aria-label="Left open">
      <h2>Left open</h2>
      <p className="faint">From another process that is still waiting, or that ended before you answered.</p>
      {problem && <Problem>{problem}</Problem>}
      <ul>
        {left.map(({ id, tool, args, reason, at }) => (
          <li key={id} className="card">
            <details open>
              <summary>
                <code>{tool}</code> <span>{aboutCall(args)}</span>
                <span className="faint">{ago(at)}</span>
              </summary>
              <p className="faint">{reason}</p>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
              <pre tabIndex={0}>{highlight(JSON.stringify(args, null, 2), "json")}</pre>
            </details>
            <div className="row">
              <button
                type="button"
                className="small"
                disabled={busy}
                aria-label={`Deny ${tool}`}
                onClick={() => void answer(id, false)}
              >
                Deny
              </button>
              <button
                type="button"
                className="small primary"
                disabled={busy}
                aria-label={`Approve ${tool}`}
                onClick={() => void answer(id, true)}
              >
                Approve
              </button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
