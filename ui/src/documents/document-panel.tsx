import { type ReactNode, useRef, useState } from "react";
import type { DocumentView } from "../../../src/api/documents.ts";
import type { CallView } from "../../../src/api/tools.ts";
import { Problem } from "../parts/feedback.tsx";
import { Icon } from "../parts/icon.tsx";
import { ago, count } from "../parts/words.ts";
import { send } from "../server/api.ts";
import { download } from "../server/download.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";
import { Compare } from "./compare.tsx";
import { DocumentBody } from "./document-body.tsx";
import { DownloadMenu } from "./download-menu.tsx";
import type { Draft } from "./draft.ts";
import { EditDocument, unsavedOf } from "./edit-document.tsx";
import { Suggestions } from "./suggestions.tsx";

interface PanelProps {
  /** Undefined while the document is being created. */
  id: string | undefined;
  /** What a call writes, or has just written, into it. */
  draft?: Draft | undefined;
  /** The chat beside it. */
  session?: string | undefined;
  /** At the end of the title: close or delete. */
  actions: ReactNode;
}

/** A document: read, compared with other versions, edited; what the agent writes appears while it is written. */
export function DocumentPanel({ id, draft, session, actions }: PanelProps) {
  if (id === undefined)
    return (
      <>
        <Head title={draft?.title ?? "New document"} about={writingText(draft)} actions={actions} />
        <div className="document-tools" />
        <div className="document-body">{draft && <DraftBody draft={draft} />}</div>
      </>
    );
  return <StoredDocument key={id} id={id} draft={draft} session={session} actions={actions} />;
}

type View = "read" | "edit" | "compare";

function StoredDocument({ id, draft, session, actions }: PanelProps & { id: string }) {
  /** Undefined: the newest. */
  const [version, setVersion] = useState<number>();
  const [view, setView] = useState<View>(() => (unsavedOf(id) ? "edit" : "read"));
  const path = version === undefined ? `/documents/${id}` : `/documents/${id}?version=${version}`;
  const { data, error, again } = useFetched<DocumentView>(path, "documents-change");
  const { problem, busy, attempt } = useAttempts();
  const showsDraft = useDraftInPlace(draft, data) && version === undefined && view === "read";
  if (!data)
    return (
      <>
        <Head title={draft?.title ?? " "} about={writingText(draft)} actions={actions} />
        <div className="document-tools" />
        {error && <Problem>{error}</Problem>}
        <div className="document-body">{draft && <DraftBody draft={draft} />}</div>
      </>
    );
  const { versions, suggestions, formats } = data;
  const newest = versions[0]?.version ?? data.version;
  const isOld = data.version < newest;
  /** Calls the tool that an agent would call; recorded like any other call. */
  const review = async () => {
    const { result } = await send<CallView>("/call", { tool: "requestSuggestions", input: { id } });
    if (!result.ok) throw new Error(result.error.message);
    if ((result.value as { suggestions: unknown[] }).suggestions.length === 0)
      throw new Error("The model has no suggestions.");
  };
  const restore = () =>
    attempt(async () => {
      const by = session === undefined ? {} : { session };
      await send(`/documents/${id}`, { content: data.content, from: newest, restored: data.version, ...by });
      setVersion(undefined);
      again();
    });
  const save = (format: string) =>
    void attempt(() => download(`/documents/${id}/file?format=${format}&version=${data.version}`));
  const written = showsDraft && draft?.state === "writing";
  return (
    <>
      <Head
        title={data.title}
        about={written ? writingText(draft) : `${kinds[data.kind]} · changed ${ago(data.updated)}`}
        actions={actions}
      />
      <div className="document-tools" role="toolbar" aria-label="Document">
        <select
          className="small"
          aria-label="Version"
          value={data.version}
          disabled={view === "edit"}
          onChange={(event) => {
            const chosen = Number(event.target.value);
            setVersion(chosen === newest ? undefined : chosen);
          }}
        >
          {versions.map((each) => (
            <option key={each.version} value={each.version}>
              Version {each.version}
              {each.description && each.version > 1 ? `: ${each.description}` : ""}
            </option>
          ))}
        </select>
        <button
          type="button"
          className="small"
          aria-pressed={view === "compare"}
          disabled={versions.length < 2 || view === "edit"}
          onClick={() => setView(view === "compare" ? "read" : "compare")}
        >
          <Icon name="changes" size={14} /> Compare
        </button>
        <button
          type="button"
          className="small"
          disabled={isOld || view === "edit"}
          onClick={() => setView("edit")}
        >
          <Icon name="edit" size={14} /> Edit
        </button>
        <button
          type="button"
          className="small"
          disabled={busy || isOld || view === "edit"}
          onClick={() => void attempt(review)}
        >
          {busy ? <span className="spinner" /> : <Icon name="idea" size={14} />} Suggest
        </button>
        <DownloadMenu formats={formats} onDownload={save} />
      </div>
      {(problem ?? error) && <Problem>{problem ?? error}</Problem>}
      {isOld && view !== "edit" && (
        <p className="old-version">
          <span className="grow">
            This is version {data.version} of {newest}.
          </span>
          <button type="button" className="small" disabled={busy} onClick={() => void restore()}>
            <Icon name="undo" size={14} /> Restore it
          </button>
        </p>
      )}
      <div className="document-body" aria-busy={written}>
        {view === "edit" && (
          <EditDocument
            document={data}
            session={session}
            onDone={() => {
              setView("read");
              again();
            }}
          />
        )}
        {view === "compare" && <Compare document={data} />}
        {view === "read" && showsDraft && draft && <DraftBody draft={{ ...data, ...draft }} />}
        {view === "read" && !showsDraft && (
          <>
            {!isOld && (
              <Suggestions
                suggestions={suggestions}
                busy={busy}
                onResolve={(suggestion, state) =>
                  void attempt(() => send(`/documents/suggestions/${suggestion}`, { state }))
                }
              />
            )}
            <DocumentBody {...data} />
          </>
        )}
      </div>
    </>
  );
}

const kinds = { text: "Text", code: "Code", sheet: "Sheet" } as const;

/** Whether what is being written replaces the stored text: until the version that it became has been fetched. */
function useDraftInPlace(draft: Draft | undefined, data: DocumentView | undefined): boolean {
  const replaced = useRef<number>(undefined);
  if (draft?.content === undefined || draft.state === "failed") return false;
  if (draft.state === "writing") replaced.current = data?.version;
  return draft.state === "writing" || data?.version === replaced.current;
}

function writingText(draft: Draft | undefined): string {
  if (!draft) return "\u00a0";
  return draft.state === "writing"
    ? `Being written · ${count(draft.content?.length ?? 0)} characters`
    : "Saved";
}

function DraftBody({ draft }: { draft: Draft }) {
  return <DocumentBody title={draft.title ?? ""} kind={draft.kind ?? "text"} content={draft.content ?? ""} />;
}

function Head({ title, about, actions }: { title: string; about: string; actions: ReactNode }) {
  return (
    <header>
      <div className="grow">
        <h2>{title}</h2>
        <p className="faint">{about}</p>
      </div>
      {actions}
    </header>
  );
}
