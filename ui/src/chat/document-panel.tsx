import type { CallView, DocumentView } from "../../../src/api/api.ts";
import { CodeBlock } from "../parts/code-block.tsx";
import { Problem } from "../parts/feedback.tsx";
import { Icon } from "../parts/icon.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { ago } from "../parts/words.ts";
import { send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";

/** A document beside the conversation, in its newest version. */
export function DocumentPanel({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error } = useFetched<DocumentView>(`/documents/${id}`, "documents-change");
  const { problem, busy, attempt } = useAttempts();
  /** Calls the tool that an agent would call; recorded like any other call. */
  const review = async () => {
    const { result } = await send<CallView>("/call", { tool: "requestSuggestions", input: { id } });
    if (!result.ok) throw new Error(result.error.message);
    if ((result.value as { suggestions: unknown[] }).suggestions.length === 0)
      throw new Error("The model has no suggestions.");
  };
  return (
    <aside className="document" aria-label="Document">
      <header>
        <div className="grow">
          <h2>{data?.title ?? " "}</h2>
          {data && (
            <p className="faint">
              Version {data.version} · {ago(data.updated)}
            </p>
          )}
        </div>
        <button type="button" className="small" disabled={busy} onClick={() => void attempt(review)}>
          {busy ? <span className="spinner" /> : <Icon name="idea" size={14} />} Suggest
        </button>
        <button type="button" className="quiet" onClick={onClose} aria-label="Close the document">
          <Icon name="cross" />
        </button>
      </header>
      {error && <Problem>{error}</Problem>}
      {problem && <Problem>{problem}</Problem>}
      {data && (
        <div className="document-body">
          {data.suggestions.map((suggestion) => (
            <SuggestionCard
              key={suggestion.id}
              suggestion={suggestion}
              busy={busy}
              onResolve={(state) => void attempt(() => send(`/suggestions/${suggestion.id}`, { state }))}
            />
          ))}
          {bodyOf(data)}
        </div>
      )}
    </aside>
  );
}

interface SuggestionProps {
  suggestion: DocumentView["suggestions"][number];
  busy: boolean;
  onResolve(state: "applied" | "dismissed"): void;
}

function SuggestionCard({ suggestion, busy, onResolve }: SuggestionProps) {
  const { reason, original, suggested } = suggestion;
  return (
    <section className="suggestion card" aria-label="Suggestion">
      <p>{reason}</p>
      <del>{original}</del>
      <ins>{suggested || "(nothing)"}</ins>
      <div className="row">
        <button type="button" className="small primary" disabled={busy} onClick={() => onResolve("applied")}>
          Apply
        </button>
        <button type="button" className="small" disabled={busy} onClick={() => onResolve("dismissed")}>
          Dismiss
        </button>
      </div>
    </section>
  );
}

function bodyOf({ kind, content }: DocumentView) {
  if (kind === "text") return <Markdown text={content} />;
  if (kind === "code") return <CodeBlock code={content} language="code" />;
  const [head = [], ...rows] = content
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(cellOf));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className="table-scroll prose" tabIndex={0} aria-label="Sheet">
      <table>
        <thead>
          <tr>
            {head.map((cell) => (
              <th key={cell}>{cell}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by position
            <tr key={at}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells are identified by position
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function cellOf([, quoted, plain = ""]: RegExpMatchArray): string {
  return quoted?.replaceAll('""', '"') ?? plain;
}
