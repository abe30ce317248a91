import { useState } from "react";
import type { LeftView } from "../../../src/api/approvals.ts";
import type { ChangeView } from "../../../src/api/changes.ts";
import type { CallView } from "../../../src/api/tools.ts";
import type { ToolError } from "../../../src/failure/failure.ts";
import { Empty, PageHead, Problem } from "../parts/feedback.tsx";
import { Icon } from "../parts/icon.tsx";
import { plural } from "../parts/words.ts";
import { get, send, wordsOf } from "../server/api.ts";
import { useFetched } from "../server/use-server.ts";
import { ChangeItem, type Reverse } from "./change-item.tsx";
import { Conflict } from "./conflict.tsx";
import { LeftOpen } from "./left-open.tsx";

const pageSize = 50;

interface ChangesProps {
  left: readonly LeftView[];
  onAnswered(): void;
}

export function ChangesPage({ left, onAnswered }: ChangesProps) {
  const newest = useFetched<ChangeView[]>("/changes", "files-change");
  const [older, setOlder] = useState<ChangeView[]>([]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  /** The change that was selected last: the start of a range. */
  const [touched, setTouched] = useState<string>();
  const [refused, setRefused] = useState<ToolError>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const first = newest.data ?? [];
  const changes = [...first, ...older.filter(({ id }) => !first.some((known) => known.id === id))];
  const chosen = (state: ChangeView["state"]) =>
    changes.filter((change) => selected.has(change.id) && change.state === state).map(({ id }) => id);

  /** At once: nothing is lost by it, and it can be turned over again. */
  const reverse: Reverse = async (tool, input) => {
    setBusy(true);
    setProblem(undefined);
    setRefused(undefined);
    try {
      const { result } = await send<CallView>("/changes/reverse", { tool, input });
      if (result.ok) setSelected(new Set());
      else if (result.error.code !== "APPROVAL_DENIED") setRefused(result.error);
    } catch (error) {
      setProblem(wordsOf(error));
    }
    setBusy(false);
    setOlder([]);
    newest.again();
  };
  const select = (at: number, now: boolean, range: boolean) => {
    const from = range ? changes.findIndex(({ id }) => id === touched) : at;
    const [top = at, bottom = at] = [from < 0 ? at : from, at].sort((one, other) => one - other);
    const ids = changes.slice(top, bottom + 1).flatMap(({ id, undoable }) => (undoable ? id : []));
    const others = [...selected].filter((id) => !ids.includes(id));
    setSelected(new Set(now ? [...others, ...ids] : others));
    setTouched(changes[at]?.id);
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
              disabled={busy || !changes.some(({ state }) => state === "done")}
              onClick={() => void reverse("undo", { steps: 1 })}
            >
              <Icon name="undo" /> Undo last
            </button>
            <button
              type="button"
              disabled={busy || !changes.some(({ state }) => state === "undone")}
              onClick={() => void reverse("redo", { steps: 1 })}
            >
              <Icon name="redo" /> Redo last
            </button>
          </>
        }
      >
        Everything that tools changed in this folder, newest first. Each change can be undone, even after a
        restart.
      </PageHead>
      <LeftOpen left={left} onAnswered={onAnswered} />
      {(problem ?? newest.error) && <Problem>{problem ?? newest.error}</Problem>}
      {refused && (
        <Conflict
          error={refused}
          include="Select"
          onInclude={(ids) => setSelected(new Set([...selected, ...ids]))}
        />
      )}
      {newest.data && changes.length === 0 && left.length === 0 && (
        <Empty icon="changes" title="No changes yet">
          When a tool writes, moves or deletes a file, the change appears here with its diff and an Undo
          button.
        </Empty>
      )}
      <ol className="timeline">
        {changes.map((change, at) => (
          <ChangeItem
            key={change.id}
            change={change}
            open={at === 0}
            busy={busy}
            selected={selected.has(change.id)}
            onSelect={(now, range) => select(at, now, range)}
            onReverse={reverse}
          />
        ))}
      </ol>
      {changes.length >= pageSize && changes.length % pageSize === 0 && (
        <button type="button" onClick={() => void showOlder()}>
          Older changes
        </button>
      )}
      {selected.size > 0 && (
        <Selection
          busy={busy}
          done={chosen("done")}
          undone={chosen("undone")}
          onReverse={reverse}
          onClear={() => setSelected(new Set())}
        />
      )}
    </section>
  );
}

interface SelectionProps {
  busy: boolean;
  done: readonly string[];
  undone: readonly string[];
  onReverse: Reverse;
  onClear(): void;
}

/** Actions on all selected changes together. */
function Selection({ busy, done, undone, onReverse, onClear }: SelectionProps) {
  return (
    <div className="selection" role="toolbar" aria-label="Selected changes">
      <span className="grow">{plural(done.length + undone.length, "change")} selected</span>
      <button type="button" className="quiet" onClick={onClear}>
        Clear
      </button>
      {undone.length > 0 && (
        <button type="button" disabled={busy} onClick={() => void onReverse("redo", { changeId: undone })}>
          <Icon name="redo" /> Redo {undone.length}
        </button>
      )}
      {done.length > 0 && (
        <button
          type="button"
          className="primary"
          disabled={busy}
          onClick={() => void onReverse("undo", { changeId: done })}
        >
          <Icon name="undo" /> Undo {done.length}
        </button>
      )}
    </div>
  );
}
