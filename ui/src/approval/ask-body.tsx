import { lazy, Suspense, useState, useSyncExternalStore } from "react";
import type { AskFile, AskView } from "../../../src/api/api.ts";
import { Boundary } from "../parts/boundary.tsx";
import { Diff, Totals } from "../parts/diff.tsx";
import { Icon } from "../parts/icon.tsx";
import { visible, visibleJson } from "../parts/visible.ts";

const MergeEditor = lazy(async () => ({ default: (await import("./merge-editor.tsx")).MergeEditor }));

/** The person's edits to a call so far. */
export interface Draft {
  /** Edited proposed files, by path. */
  contents?: Readonly<Record<string, string>>;
  args?: Record<string, unknown>;
}

interface BodyProps {
  ask: AskView;
  draft: Draft;
  onDraft(draft: Draft): void;
}

const narrowScreen = matchMedia("(max-width: 800px)");

function watchWidth(changed: () => void): () => void {
  narrowScreen.addEventListener("change", changed);
  return () => narrowScreen.removeEventListener("change", changed);
}

export function AskBody({ ask, draft, onDraft }: BodyProps) {
  const [chosen, setChosen] = useState(0);
  const narrow = useSyncExternalStore(watchWidth, () => narrowScreen.matches);
  const [wish, setWish] = useState<boolean>();
  const inline = wish ?? narrow;
  const file = ask.files[chosen] ?? ask.files[0];
  return (
    <div className="ask-body">
      <Effects effects={ask.effects} notes={ask.notes} />
      {file && (
        <>
          <div className="files-row">
            <div className="file-tabs" role="tablist" aria-label="Files">
              {ask.files.map((each, at) => (
                <button
                  type="button"
                  role="tab"
                  // A file that a move replaces has the same path as the moved file.
                  key={`${each.change} ${each.path}`}
                  aria-selected={each === file}
                  onClick={() => setChosen(at)}
                >
                  <Icon name="file" size={14} />
                  {each.from !== undefined && `${visible(each.from)} → `}
                  {visible(each.path)}
                  {draft.contents?.[each.path] !== undefined && <span className="tag">edited</span>}
                  <Totals added={each.added} removed={each.removed} />
                </button>
              ))}
            </div>
            {file.proposed !== undefined && (
              <button
                type="button"
                className="quiet small"
                aria-pressed={inline}
                onClick={() => setWish(!inline)}
              >
                {inline ? "Side by side" : "Inline"}
              </button>
            )}
          </div>
          <FileBody
            key={`${file.change} ${file.path}`}
            ask={ask}
            file={file}
            inline={inline}
            draft={draft}
            onDraft={onDraft}
          />
        </>
      )}
      {!file && <ArgumentsEditor ask={ask} draft={draft} onDraft={onDraft} />}
    </div>
  );
}

/** Effects shown before the person asks for the rest: files have their own tabs. */
const atOnce = 8;

function Effects({ effects, notes }: Pick<AskView, "effects" | "notes">) {
  const [all, setAll] = useState(false);
  const shown = all ? effects : effects.slice(0, atOnce);
  return (
    <ul className="effects" aria-label="Effects">
      {shown.map((effect) => (
        <li key={effect}>{effect}</li>
      ))}
      {shown.length < effects.length && (
        <li className="more">
          <button type="button" className="quiet small" onClick={() => setAll(true)}>
            and {effects.length - shown.length} more
          </button>
        </li>
      )}
      {notes.map((note) => (
        <li key={note} className="warn">
          {note}
        </li>
      ))}
    </ul>
  );
}

function FileBody({ ask, file, inline, draft, onDraft }: BodyProps & { file: AskFile; inline: boolean }) {
  const { path, proposed, current = "", diff, change, from } = file;
  if (proposed === undefined) {
    return (
      <div className="file-body">
        {change === "move" && <p className="pad">Moved from {visible(from ?? "")}.</p>}
        {change === "delete" && <p className="pad">This file will be deleted.</p>}
        {diff !== "" && <Diff path={path} diff={diff} />}
      </div>
    );
  }
  const edit = (content: string) => {
    const { [path]: _, ...others } = draft.contents ?? {};
    onDraft({ contents: content === proposed ? others : { ...others, [path]: content } });
  };
  return (
    <div className="file-body">
      <Boundary fallback={<Diff path={path} diff={diff} />}>
        <Suspense fallback={<Diff path={path} diff={diff} />}>
          <MergeEditor
            path={path}
            current={current}
            proposed={draft.contents?.[path] ?? proposed}
            editable={ask.editable}
            inline={inline}
            onEdit={edit}
          />
        </Suspense>
      </Boundary>
      {ask.editable && (
        <p className="editor-hint faint">You can edit the proposed text before you approve it.</p>
      )}
    </div>
  );
}

function ArgumentsEditor({ ask, draft, onDraft }: BodyProps) {
  const whole = visibleJson(ask.args);
  const [text, setText] = useState(() => visibleJson(draft.args ?? ask.args));
  const [wrong, setWrong] = useState(false);
  const edit = (next: string) => {
    setText(next);
    try {
      const args: unknown = JSON.parse(next);
      setWrong(false);
      onDraft(next === whole ? {} : { args: args as Record<string, unknown> });
    } catch {
      setWrong(true);
    }
  };
  return (
    <label className="arguments">
      Arguments
      <textarea
        spellCheck={false}
        rows={Math.min(16, text.split("\n").length + 1)}
        value={text}
        aria-invalid={wrong}
        onChange={(event) => edit(event.target.value)}
      />
      {wrong && (
        <span className="bad-text">This is not valid JSON; the proposed arguments would be used.</span>
      )}
    </label>
  );
}
