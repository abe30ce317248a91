import type { LeftPreviewView, LeftView } from "../../../src/api/approvals.ts";
import type { CallView } from "../../../src/api/tools.ts";
import { useAnswers } from "../approval/kept-answers.tsx";
import { Problem } from "../parts/feedback.tsx";
import { Stakes } from "../parts/stakes.tsx";
import { visible } from "../parts/visible.ts";
import { aboutCall, ago } from "../parts/words.ts";
import { isUnreachable, send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";
import { FileChange } from "./file-change.tsx";

/** Approval requests that an earlier process left pending. If their files have changed since, they are shown and asked again. */
export function LeftOpen({ left, onAnswered }: { left: readonly LeftView[]; onAnswered(): void }) {
  const { problem, busy, attempt } = useAttempts();
  const { kept, keep } = useAnswers();
  const answer = async ({ id, tool, args }: LeftView, approved: boolean) => {
    const path = `/approvals/left/${id}`;
    await attempt(async () => {
      try {
        const { result } = await send<CallView>(path, { approved });
        if (!result.ok && result.error.code !== "APPROVAL_DENIED") throw new Error(result.error.message);
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        const words = `${approved ? "approve" : "deny"} ${tool} ${aboutCall(args)}`.trimEnd();
        keep({ id, words, path, body: { approved } });
      }
    });
    onAnswered();
  };
  if (left.length === 0 && problem === undefined) return null;
  return (
    <section className="left-open" aria-label="Left open">
      <h2>Left open</h2>
      <p className="faint">
        These requests come from another process that still waits for an answer, or that ended before you
        answered.
      </p>
      {problem && <Problem>{problem}</Problem>}
      <ul>
        {left.map((request) => {
          const { id, tool, args, reason, at } = request;
          const answered = busy || kept.some((each) => each.id === id);
          return (
            <li key={id} className="card">
              <details open>
                <summary>
                  <code>{tool}</code> <span>{aboutCall(args)}</span>
                  <span className="faint">{ago(at)}</span>
                </summary>
                <p className="faint">{reason}</p>
                <LeftPreview request={request} />
              </details>
              <div className="row">
                <button
                  type="button"
                  className="small"
                  disabled={answered}
                  aria-label={`Deny ${tool}`}
                  onClick={() => void answer(request, false)}
                >
                  Deny
                </button>
                <button
                  type="button"
                  className="small primary"
                  disabled={answered}
                  aria-label={`Approve ${tool}`}
                  onClick={() => void answer(request, true)}
                >
                  Approve
                </button>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** What the call would do to the files as they are now; where it changes none, its arguments. */
function LeftPreview({ request }: { request: LeftView }) {
  const { data, error } = useFetched<LeftPreviewView>(`/approvals/left/${request.id}`, "files-change");
  if (!data && error === undefined) return <p className="faint">Loading…</p>;
  const { warnings = [], counts = [], files = [], notes = [] } = data ?? {};
  return (
    <>
      {error !== undefined && <Problem>{error}</Problem>}
      <Stakes warnings={warnings} counts={counts} />
      {notes.map((note) => (
        <p key={note} className="faint">
          {note}
        </p>
      ))}
      {files.map((file) => (
        <FileChange key={`${file.change} ${file.path}`} file={file} />
      ))}
      {files.length === 0 && <Arguments args={request.args} />}
    </>
  );
}

function Arguments({ args }: { args: Record<string, unknown> }) {
  return (
    <dl className="arguments-list">
      {Object.entries(args).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{visible(typeof value === "string" ? value : JSON.stringify(value))}</dd>
        </div>
      ))}
    </dl>
  );
}
