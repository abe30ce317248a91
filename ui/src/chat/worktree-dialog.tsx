import { useEffect, useRef, useState } from "react";
import type { WorktreeEnded, WorktreeEnding, WorktreeWork } from "../../../src/api/worktrees.ts";
import { Totals } from "../parts/diff.tsx";
import { Problem } from "../parts/feedback.tsx";
import { visible } from "../parts/visible.ts";
import { plural } from "../parts/words.ts";
import { send } from "../server/api.ts";
import { openFolder } from "../server/open-folder.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";

/** What is in a worktree, and what each way to end it would do. */
export function WorktreeDialog({ name, onClose }: { name: string; onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const path = `/worktrees/${encodeURIComponent(name)}`;
  const { data, error, again } = useFetched<WorktreeWork>(path, "files-change");
  const [how, setHow] = useState<WorktreeEnding>("merge");
  const [ended, setEnded] = useState<WorktreeEnded>();
  const { problem, busy, attempt } = useAttempts();
  useEffect(() => dialog.current?.showModal(), []);
  const end = () =>
    attempt(async () => {
      setEnded(await send<WorktreeEnded>(`${path}/end`, { how, state: data?.state ?? "" }));
    }).then((done) => done || again());
  const leave = () => void attempt(() => openFolder(ended?.repository ?? ""));
  return (
    <dialog
      ref={dialog}
      className="rewind"
      aria-labelledby="worktree-title"
      onClose={ended ? leave : onClose}
    >
      <h2 id="worktree-title">Worktree {name}</h2>
      {(problem ?? (ended ? undefined : error)) && <Problem>{problem ?? error}</Problem>}
      {ended && <p role="status">{visible(ended.text)}</p>}
      {data && !ended && <Choices work={data} how={how} onChoose={setHow} />}
      <div className="row">
        <span className="grow" />
        {ended ? (
          <button type="button" className="primary" disabled={busy} onClick={leave}>
            Open the repository
          </button>
        ) : (
          <>
            <button type="button" onClick={onClose}>
              Cancel
            </button>
            <button
              type="button"
              className={how === "discard" ? "danger" : "primary"}
              disabled={busy || !data}
              onClick={() => void end()}
            >
              {titles[how]}
            </button>
          </>
        )}
      </div>
    </dialog>
  );
}

const titles: Readonly<Record<WorktreeEnding, string>> = {
  merge: "Merge",
  keep: "Keep the branch",
  discard: "Discard",
};

interface ChoicesProps {
  work: WorktreeWork;
  how: WorktreeEnding;
  onChoose(how: WorktreeEnding): void;
}

function Choices({ work, how, onChoose }: ChoicesProps) {
  const { worktree, into, commits, uncommitted, files, added, removed, conflicts, nested } = work;
  const first = uncommitted > 0 ? `commits ${plural(uncommitted, "uncommitted file")}, then ` : "";
  const hints: Readonly<Record<WorktreeEnding, string>> = {
    merge: `${first}merges ${worktree.branch} into ${into ?? "the commit that is checked out"} and removes the worktree and its branch`,
    keep: `${first}removes the worktree; the branch ${worktree.branch} stays`,
    discard: `removes the worktree and the branch ${worktree.branch} with everything in them`,
  };
  return (
    <>
      <p className="faint">
        {files.length === 0 && commits === 0 ? (
          "Nothing has changed in it."
        ) : (
          <>
            Compared with {into ?? "HEAD"}, {plural(files.length, "file")} changed{" "}
            <Totals added={added} removed={removed} />: {plural(commits, "commit")},{" "}
            {plural(uncommitted, "uncommitted file")}.
          </>
        )}
      </p>
      {conflicts.length > 0 && (
        <p className="problem">A merge would conflict in {conflicts.map(visible).join(", ")}.</p>
      )}
      {nested.length > 0 && (
        <p className="problem">
          {nested.map(visible).join(", ")} has a git repository of its own, which a commit cannot hold.
        </p>
      )}
      <fieldset className="rewind-choices">
        <legend className="unseen">What to do with the worktree</legend>
        {(Object.keys(titles) as WorktreeEnding[]).map((each) => (
          <label key={each}>
            <input type="radio" name="how" checked={how === each} onChange={() => onChoose(each)} />
            <strong>{titles[each]}</strong> <span className="faint">{hints[each]}</span>
          </label>
        ))}
      </fieldset>
      <ul className="rewind-files" aria-label="Changed files">
        {files.slice(0, 200).map((file) => (
          <li key={file.path}>
            <code>{visible(file.path)}</code> <Totals added={file.added} removed={file.removed} />
          </li>
        ))}
      </ul>
    </>
  );
}
