import { useEffect, useState } from "react";
import type { DocumentSummaryView, DocumentsView } from "../../../src/api/documents.ts";
import { Empty, PageHead, Problem } from "../parts/feedback.tsx";
import { Icon } from "../parts/icon.tsx";
import { ago, plural } from "../parts/words.ts";
import { get, send } from "../server/api.ts";
import { goTo, hrefOf } from "../server/route.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";
import { DocumentPanel } from "./document-panel.tsx";

/** All documents of this folder: searched, opened, deleted. */
export function DocumentsPage({ item }: { item: string | undefined }) {
  const [query, setQuery] = useState("");
  const [earlier, setEarlier] = useState<DocumentsView>();
  const { data, error, again } = useFetched<DocumentsView>(
    `/documents?query=${encodeURIComponent(query)}`,
    "documents-change",
  );
  const { problem, attempt } = useAttempts();
  // Pages that were added belong to the list as it was.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new first page begins a new list
  useEffect(() => setEarlier(undefined), [data]);
  const found = [...(data?.documents ?? []), ...(earlier?.documents ?? [])];
  const next = (earlier ?? data)?.next;
  const more = () =>
    attempt(async () => {
      const page = await get<DocumentsView>(`/documents?before=${next}`);
      setEarlier({ ...page, documents: [...(earlier?.documents ?? []), ...page.documents] });
    });
  const remove = (id: string) =>
    attempt(async () => {
      await send(`/documents/${id}`, {}, { method: "DELETE" });
      goTo("documents");
      again();
    });
  return (
    <section className="page split" data-detail={item !== undefined}>
      <div className="split-list">
        <PageHead title="Documents">
          Documents that agents wrote for you, with all their versions. Wield stores them separately from the
          files of this folder.
        </PageHead>
        <label className="field-search">
          <Icon name="search" size={14} />
          <input
            type="search"
            value={query}
            aria-label="Search documents"
            placeholder="Words in the title or the text"
            onChange={(event) => setQuery(event.target.value)}
          />
        </label>
        {(problem ?? error) && <Problem>{problem ?? error}</Problem>}
        {data && found.length === 0 && <NoDocuments query={query} />}
        <ul className="document-list" aria-label="Documents">
          {found.map((document) => (
            <li key={document.id}>
              <DocumentLink document={document} chosen={document.id === item} />
            </li>
          ))}
        </ul>
        {next !== undefined && query === "" && (
          <button type="button" onClick={() => void more()}>
            Show more of {data?.total}
          </button>
        )}
      </div>
      <div className="split-detail document-detail">
        {item === undefined ? (
          <Empty icon="documents" title="Open a document">
            Choose one on the left to read it, compare its versions, edit it or save it as a file.
          </Empty>
        ) : (
          <section key={item} className="document" aria-label="Document">
            <a className="back" href={hrefOf("documents")}>
              ← All documents
            </a>
            <DocumentPanel id={item} actions={<DeleteButton onDelete={() => void remove(item)} />} />
          </section>
        )}
      </div>
    </section>
  );
}

function DocumentLink({ document, chosen }: { document: DocumentSummaryView; chosen: boolean }) {
  const { id, title, kind, version, updated, snippet } = document;
  return (
    <a href={hrefOf("documents", id)} aria-current={chosen ? "true" : undefined}>
      <strong>{title}</strong>
      {snippet !== undefined && <span className="snippet">{marked(snippet)}</span>}
      <span className="faint">
        {kind} · {plural(version, "version")} · {ago(updated)}
      </span>
    </a>
  );
}

/** The words that were found are in guillemets. */
function marked(snippet: string) {
  return snippet.split(/«([^»]*)»/).map((piece, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a snippet does not change
    at % 2 === 1 ? <mark key={at}>{piece}</mark> : piece,
  );
}

function NoDocuments({ query }: { query: string }) {
  return query === "" ? (
    <Empty icon="documents" title="No documents yet">
      Ask the assistant for a report, a table or a piece of code: “Write a packing list for a week in the
      mountains.”
    </Empty>
  ) : (
    <Empty icon="search" title="No matching documents">
      No document has these words.
    </Empty>
  );
}

/** Deleting is final, so it takes a second click; leaving the question withdraws it. */
function DeleteButton({ onDelete }: { onDelete(): void }) {
  const [asked, setAsked] = useState(false);
  if (!asked)
    return (
      <button type="button" className="quiet" aria-label="Delete the document" onClick={() => setAsked(true)}>
        <Icon name="trash" />
      </button>
    );
  return (
    <div
      className="row confirm"
      role="alertdialog"
      aria-label="Delete this document with all its versions?"
      onKeyDown={(event) => {
        if (event.key === "Escape") setAsked(false);
      }}
    >
      <span>Delete it with all versions?</span>
      <button type="button" className="danger small" onClick={onDelete}>
        Delete
      </button>
      {/* biome-ignore lint/a11y/noAutofocus: the safe answer has the focus */}
      <button type="button" className="small" autoFocus onClick={() => setAsked(false)}>
        Keep
      </button>
    </div>
  );
}
