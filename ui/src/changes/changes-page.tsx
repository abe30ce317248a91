import { useState } from "react";
import type { CallView, ChangeView } from "../../../src/events/api.ts";
import { Diff, Totals, totalsOf } from "../parts/diff.tsx";
import { Empty, PageHead, Problem } from "../parts/feedback.tsx";
import { Icon } from "../parts/icon.tsx";
import { ago, plural } from "../parts/words.ts";
import { get, send, wordsOf } from "../server/api.ts";
import { useFetched } from "../server/use-server.ts";

const pageSize = 50;

export function ChangesPage() {
  const newest = useFetched<ChangeView[]>("/changes", "files-change");
  const [older, setOlder] = useState<ChangeView[]>([]);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const first = newest.data ?? [];
  const changes = [...first, ...older.filter(({ id }) => !first.some((known) => known.id === id))];
  const firstDone = changes.findIndex(({ state }) => state === "done");
  const undone = changes.filter(({ state }) => state === "undone").length;

  /** Shown and approved like any other change: the dialog with what would be restored opens by itself. */
  const reverse = async (tool: "undo" | "redo", input: { steps?: number; changeId?: string }) => {
    setBusy(true);
    setProblem(undefined);
    try {
      const { result } = await send<CallView>("/call", { tool, input });
      if (!result.ok && result.error.code !== "APPROVAL_DENIED") setProblem(result.error.message);
    } catch (error) {
      setProblem(wordsOf(error));
    }
    setBusy(false);
    setOlder([]);
    newest.again();
  };
  const showOlder = async () => {
    const last = changes.at(-1);
    if (last)
      setOlder([...older, ...(await get<ChangeView[]>(`/changes?before=${encodeURIComponent(last.id)}`))]);
  };

  return (
    <section className="page">
      <PageHead
        title="Changes"
        actions={
          <>
            <button
              type="button"
              disabled={busy || firstDone < 0}
              onClick={() => void reverse("undo", { steps: 1 })}
            >
              <Icon name="undo" /> Undo last
            </button>
            <button
              type="button"
              disabled={busy || undone === 0}
              onClick={() => void reverse("redo", { steps: 1 })}
            >
              <Icon name="redo" /> Redo
            </button>
          </>
        }
      >
        Everything that tools changed in this folder, newest first. Each change can be taken back, even after
        a restart.
      </PageHead>
      {(problem ?? newest.error) && <Problem>{problem ?? newest.error}</Problem>}
      {newest.data && changes.length === 0 && (
        <Empty icon="changes" title="No changes yet">
          When a tool writes, moves or deletes a file, it appears here with its difference, and with a way
          back.
        </Empty>
      )}
      <ol className="timeline">
        {changes.map((change, at) => (
          <ChangeItem
            key={change.id}
            change={change}
            open={at === 0}
            busy={busy}
            behind={changes.slice(0, at).filter(({ state }) => state === "done").length}
            onReverse={reverse}
          />
        ))}
      </ol>
      {changes.length >= pageSize && changes.length % pageSize === 0 && (
        <button type="button" onClick={() => void showOlder()}>
          Older changes
        </button>
      )}
    </section>
  );
}

interface ItemProps {
  change: ChangeView;
  open: boolean;
  busy: boolean;
  /** Done changes that are newer. */
  behind: number;
  onReverse(tool: "undo" | "redo", input: { steps?: number; changeId?: string }): Promise<void>;
}

function ChangeItem({ change, open: openAtFirst, busy, behind, onReverse }: ItemProps) {
  const [open, setOpen] = useState(openAtFirst);
  const { id, tool, description, at, state, undoable, files, notices } = change;
  const totals = files.map(({ diff }) => totalsOf(diff));
  return (
    <li className="change" data-state={state}>
      <div className="change-row">
        <button type="button" className="change-head" aria-expanded={open} onClick={() => setOpen(!open)}>
          <span className="chevron">
            <Icon name="chevron" size={14} />
          </span>
          <span className="change-what">{description}</span>
          <Totals
            added={totals.reduce((sum, { added }) => sum + added, 0)}
            removed={totals.reduce((sum, { removed }) => sum + removed, 0)}
          />
        </button>
        {state === "undone" ? (
          <button
            type="button"
            className="small"
            disabled={busy}
            onClick={() => void onReverse("redo", { changeId: id })}
          >
            Redo
          </button>
        ) : (
          undoable && (
            <>
              {behind > 0 && (
                <button
                  type="button"
                  className="small quiet"
                  disabled={busy}
                  onClick={() => void onReverse("undo", { steps: behind + 1 })}
                >
                  Undo back to here ({behind + 1})
                </button>
              )}
              <button
                type="button"
                className="small"
                disabled={busy}
                onClick={() => void onReverse("undo", { changeId: id })}
              >
                Undo
              </button>
            </>
          )
        )}
      </div>
      <p className="change-meta">
        <code>{tool}</code> · <time dateTime={at}>{ago(at)}</time> · {plural(files.length, "file")}
        {state === "undone" && <span className="tag">undone</span>}
        {!undoable && <span className="tag bad">too large to undo</span>}
      </p>
      {notices.map((notice) => (
        <p key={notice} className="faint">
          {notice}
        </p>
      ))}
      {open &&
        files.map((file) => (
          <figure key={file.path} className="file-change">
            <figcaption>
              <span className={`kind-${file.change}`}>{file.change}</span>
              {file.from !== undefined && <span className="faint">{file.from} → </span>}
              {file.path}
            </figcaption>
            {(file.diff !== "" || file.change === "modify") && <Diff path={file.path} diff={file.diff} />}
          </figure>
        ))}
    </li>
  );
}
