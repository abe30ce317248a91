import { lazy, Suspense, useState } from "react";
import type { DocumentView } from "../../../src/api/documents.ts";
import { Problem } from "../parts/feedback.tsx";
import { languageOf } from "../parts/highlight.tsx";
import { get, RequestError, send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";

const MergeEditor = lazy(async () => ({
  default: (await import("../approval/merge-editor.tsx")).MergeEditor,
}));

/** Unsaved text and the version it was made from; survives navigation and a reload of this tab. */
interface Unsaved {
  from: number;
  content: string;
}

const keyOf = (id: string) => `wield-document-${id}`;

export function unsavedOf(id: string): Unsaved | undefined {
  const kept = sessionStorage.getItem(keyOf(id));
  return kept === null ? undefined : (JSON.parse(kept) as Unsaved);
}

interface EditProps {
  /** The newest version. */
  document: DocumentView;
  session: string | undefined;
  onDone(): void;
}

/** The document as text. Saving makes a new version; if there is a newer one by then, both are shown and the person decides. */
export function EditDocument({ document, session, onDone }: EditProps) {
  const { id, title, kind, version, content } = document;
  const [mine, setMine] = useState<Unsaved>(() => unsavedOf(id) ?? { from: version, content });
  /** The version that was saved in between. */
  const [theirs, setTheirs] = useState<DocumentView>();
  const { problem, busy, attempt } = useAttempts();
  const write = (now: Unsaved) => {
    sessionStorage.setItem(keyOf(id), JSON.stringify(now));
    setMine(now);
  };
  const end = () => {
    sessionStorage.removeItem(keyOf(id));
    onDone();
  };
  const save = () =>
    attempt(async () => {
      try {
        await send(`/documents/${id}`, { ...mine, ...(session !== undefined && { session }) });
        end();
      } catch (error) {
        if (!(error instanceof RequestError && error.code === "CONFLICT")) throw error;
        const newest = await get<DocumentView>(`/documents/${id}`);
        setTheirs(newest);
        write({ ...mine, from: newest.version });
      }
    });
  const isNewer = version > mine.from && !theirs;
  const path = kind === "code" ? title : kind === "sheet" ? "sheet.csv" : "text.md";
  return (
    <form
      className="edit-document"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => {
        if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        void save();
      }}
    >
      {problem && <Problem>{problem}</Problem>}
      {isNewer && (
        <p className="notice" role="status">
          Version {version} was saved while you edit. You can continue: both are shown before anything is
          saved.
        </p>
      )}
      {theirs ? (
        <section className="merge-conflict card" aria-label="Conflict">
          <p role="alert">
            <strong>Version {theirs.version} was saved in between.</strong> Your text is compared with it
            below. Edit what should remain, then save it as version {theirs.version + 1}.
          </p>
          <Suspense fallback={<p className="faint">Loading…</p>}>
            <MergeEditor
              path={languageOf(path) === "" ? "text.md" : path}
              current={theirs.content}
              proposed={mine.content}
              editable
              inline
              onEdit={(now) => write({ from: theirs.version, content: now })}
            />
          </Suspense>
        </section>
      ) : (
        <textarea
          aria-label={`Text of ${title}`}
          className={kind === "text" ? "as-text" : undefined}
          spellCheck={kind === "text"}
          // biome-ignore lint/a11y/noAutofocus: the person asked to edit
          autoFocus
          value={mine.content}
          onChange={(event) => write({ ...mine, content: event.target.value })}
        />
      )}
      <div className="row">
        <button type="submit" className="primary small" disabled={busy || mine.content === content}>
          Save as version {(theirs?.version ?? Math.max(version, mine.from)) + 1}
        </button>
        <button type="button" className="small" onClick={end}>
          {mine.content === content ? "Cancel" : "Discard"}
        </button>
        <span className="faint keys">Ctrl+S saves</span>
      </div>
    </form>
  );
}
