import { lazy, Suspense, useRef, useState, useSyncExternalStore } from "react";
import type { AskFile, AskView } from "../../../src/api/approvals.ts";
import { Boundary } from "../parts/boundary.tsx";
import { Diff, Totals } from "../parts/diff.tsx";
import { Icon } from "../parts/icon.tsx";
import { Stakes } from "../parts/stakes.tsx";
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

interface AskBodyProps extends BodyProps {
  /** Which files were looked at, by their place. */
  seen: ReadonlySet<number>;
  onSeen(at: number): void;
}

const verbs = { create: "creates", modify: "changes", delete: "deletes", move: "moves" } as const;

export function AskBody({ ask, draft, onDraft, seen, onSeen }: AskBodyProps) {
  const [chosen, setChosen] = useState(0);
  const [resets, setResets] = useState(0);
  const tabs = useRef<HTMLDivElement>(null);
  const choose = (at: number) => {
    setChosen(at);
    onSeen(at);
  };
  const shownPaths = new Set(ask.files.map(({ path, change }) => `${verbs[change]} ${visible(path)}`));
  const isWarned = (effect: string) => ask.warnings.some((warning) => warning.startsWith(effect));
  const others = ask.effects.filter((effect) => !shownPaths.has(effect) && !isWarned(effect));
  const narrow = useSyncExternalStore(watchWidth, () => narrowScreen.matches);
  const [wish, setWish] = useState<boolean>();
  const inline = wish ?? narrow;
  const file = ask.files[chosen] ?? ask.files[0];
  return (
    <div className="ask-body">
      <Stakes warnings={ask.warnings} counts={ask.counts} />
      <Effects effects={others} notes={ask.notes} />
      {file && (
        <>
          <div className="files-row">
            <div
              className="file-tabs"
              role="tablist"
              aria-label="Files"
              ref={tabs}
              onKeyDown={(event) => {
                const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
                if (step === undefined) return;
                event.preventDefault();
                const at = (chosen + step + ask.files.length) % ask.files.length;
                choose(at);
                tabs.current?.querySelectorAll("button")[at]?.focus();
              }}
            >
              {ask.files.map((each, at) => (
                <button
                  type="button"
                  role="tab"
                  // A file that a move replaces has the same path as the moved file.
                  key={`${each.change} ${each.path}`}
                  aria-selected={each === file}
                  tabIndex={each === file ? 0 : -1}
                  data-seen={seen.has(at)}
                  onClick={() => choose(at)}
                >
                  <Icon name={seen.has(at) ? "check" : "file"} size={14} />
                  <span>
                    {verbs[each.change]} {each.from !== undefined && `${visible(each.from)} → `}
                    {visible(each.path)}
                  </span>
                  {draft.contents?.[each.path] !== undefined && <span className="tag">edited</span>}
                  <Totals {...totalsNow(each, draft.contents?.[each.path])} />
                  {!seen.has(at) && <span className="unseen">not looked at</span>}
                </button>
              ))}
            </div>
            {draft.contents?.[file.path] !== undefined && (
              <button
                type="button"
                className="quiet small"
                onClick={() => {
                  const { [file.path]: _, ...rest } = draft.contents ?? {};
                  onDraft({ contents: rest });
                  setResets(resets + 1);
                }}
              >
                Reset
              </button>
            )}
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
            key={`${file.change} ${file.path} ${resets}`}
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

/** Added and removed lines: as proposed, or as the person left them, counted line by line. */
function totalsNow(file: AskFile, edited: string | undefined): { added: number; removed: number } {
  if (edited === undefined) return file;
  const old = Map.groupBy(linesIn(file.current ?? ""), (line) => line);
  const now = Map.groupBy(linesIn(edited), (line) => line);
  const more = (some: typeof old, others: typeof old) =>
    [...some].reduce(
      (sum, [line, all]) => sum + Math.max(0, all.length - (others.get(line)?.length ?? 0)),
      0,
    );
  return { added: more(now, old), removed: more(old, now) };
}

function linesIn(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** Effects shown before the person asks for the rest: files have their own tabs. */
const atOnce = 8;

function Effects({ effects, notes }: Pick<AskView, "effects" | "notes">) {
  const [all, setAll] = useState(false);
  const shown = all ? effects : effects.slice(0, atOnce);
  if (effects.length + notes.length === 0) return null;
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
        <span className="bad-text">
          This is not valid JSON. If you approve now, the proposed arguments are used.
        </span>
      )}
    </label>
  );
}
