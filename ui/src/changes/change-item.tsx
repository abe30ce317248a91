import { useState } from "react";
import type { ChangeView } from "../../../src/api/changes.ts";
import { Totals, totalsOf } from "../parts/diff.tsx";
import { Icon } from "../parts/icon.tsx";
import { ago, plural } from "../parts/words.ts";
import { FileChange } from "./file-change.tsx";

export type Reverse = (
  tool: "undo" | "redo",
  input: { steps?: number; changeId?: string | readonly string[] },
) => Promise<void>;

interface ItemProps {
  change: ChangeView;
  open: boolean;
  busy: boolean;
  selected: boolean;
  /** `range`: including all changes since the last selected one. */
  onSelect(selected: boolean, range: boolean): void;
  onReverse: Reverse;
}

/** With local times and without call ids. */
function plainly(notice: string): string {
  return notice
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) =>
      new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }),
    )
    .replace(/ \(c_\w+\)/g, "");
}

export function ChangeItem({ change, open: openAtFirst, busy, selected, onSelect, onReverse }: ItemProps) {
  const [open, setOpen] = useState(openAtFirst);
  const { id, tool, description, at, state, undoable, files, notices } = change;
  const totals = files.map(({ diff }) => totalsOf(diff));
  const turn = state === "undone" ? "redo" : "undo";
  return (
    <li className="change" data-state={state} data-selected={selected}>
      <div className="change-row">
        <input
          type="checkbox"
          checked={selected}
          disabled={!undoable}
          aria-label={`Select: ${description}`}
          title="Shift: select all up to here"
          onChange={(event) => onSelect(event.target.checked, (event.nativeEvent as MouseEvent).shiftKey)}
        />
        <button type="button" className="change-head" aria-expanded={open} onClick={() => setOpen(!open)}>
          <span className="change-what" title={description}>
            {description}
          </span>
          <Totals
            added={totals.reduce((sum, { added }) => sum + added, 0)}
            removed={totals.reduce((sum, { removed }) => sum + removed, 0)}
          />
          <span className="chevron">
            <Icon name="chevron" size={14} />
          </span>
        </button>
        {undoable && (
          <button
            type="button"
            className="small"
            disabled={busy}
            onClick={() => void onReverse(turn, { changeId: id })}
          >
            {turn === "undo" ? "Undo" : "Redo"}
          </button>
        )}
      </div>
      <p className="change-meta">
        <code>{tool}</code> · <time dateTime={at}>{ago(at)}</time> · {plural(files.length, "file")}
        {state === "undone" && <span className="tag">undone</span>}
        {!undoable && <span className="tag bad">too large to undo</span>}
      </p>
      {open && (
        <>
          {notices.map((notice) => (
            <p key={notice} className="change-meta">
              {plainly(notice)}
            </p>
          ))}
          {files.map((file) => (
            <FileChange key={file.path} file={file} />
          ))}
        </>
      )}
    </li>
  );
}
