import { lazy, Suspense, useState } from "react";
import type { TeamResultView } from "../../../src/api/team.ts";
import { CopyButton } from "../parts/code-block.tsx";
import { Problem } from "../parts/feedback.tsx";
import { Icon } from "../parts/icon.tsx";
import { visible } from "../parts/visible.ts";
import { send } from "../server/api.ts";
import { download } from "../server/download.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";

const PatchDialog = lazy(async () => ({ default: (await import("./patch-dialog.tsx")).PatchDialog }));

/** Above a session of a team: who sees it, and what came of it. */
export function SessionBar({ id }: { id: string }) {
  const { data, again } = useFetched<TeamResultView>(`/sessions/${id}/result`, "sessions-change");
  const { problem, busy, attempt } = useAttempts();
  const [reading, setReading] = useState(false);
  if (!data) return null;
  const { own, shared, branch, hasPatch, pullRequest, mayRequest } = data;
  const share = () => void attempt(() => send(`/sessions/${id}/share`, { shared: !shared })).then(again);
  return (
    <div className="worktree-bar session-bar">
      <span className="grow">
        <Icon name={shared ? "people" : "lock"} size={14} /> {seenBy(data)}
      </span>
      {own && (
        <button type="button" className="small" disabled={busy} onClick={share}>
          {shared ? "Make private" : "Share with the team"}
        </button>
      )}
      {branch !== null && (
        <span className="row branch">
          Branch <code>{visible(branch)}</code>
          <CopyButton text={branch} label="Copy the name of the branch" />
        </span>
      )}
      {pullRequest !== null && /^https?:/.test(pullRequest) && (
        <a href={pullRequest} target="_blank" rel="noopener noreferrer">
          Pull request
        </a>
      )}
      {own && mayRequest && branch !== null && pullRequest === null && <PullRequestButton id={id} />}
      {hasPatch && (
        <>
          <button type="button" className="small" onClick={() => setReading(true)}>
            View changes
          </button>
          <button
            type="button"
            className="small"
            disabled={busy}
            onClick={() => void attempt(() => download(`/sessions/${id}/patch`))}
          >
            <Icon name="download" size={14} /> Patch
          </button>
        </>
      )}
      {problem && <Problem>{problem}</Problem>}
      {reading && (
        <Suspense>
          <PatchDialog id={id} onClose={() => setReading(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** A worker opens it, so its address comes later. */
function PullRequestButton({ id }: { id: string }) {
  const { problem, busy, attempt } = useAttempts();
  const [asked, setAsked] = useState(false);
  if (problem) return <Problem>{problem}</Problem>;
  if (asked)
    return (
      <span role="status">
        A worker opens the pull request, if the project is on GitHub or GitLab and the workers have a token
        for it.
      </span>
    );
  const open = () => attempt(() => send(`/sessions/${id}/pull-request`)).then(setAsked);
  return (
    <button type="button" className="small" disabled={busy} onClick={() => void open()}>
      Open pull request
    </button>
  );
}

function seenBy({ own, owner, shared, projectName }: TeamResultView): string {
  const project = visible(projectName);
  if (own) return `In ${project}, seen by ${shared ? "the whole team" : "you and the admins only"}`;
  const whose = `${visible(owner)}’s session in ${project}`;
  return shared ? `${whose}, shared with the team` : `${whose}, private: you see it as an admin`;
}
